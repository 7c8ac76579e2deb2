import { relative } from 'node:path';
import { appendFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { TestRunner, type RunnerTestCase } from 'vitest';
// Declares the switches of the mutated code.
import type {} from '../mutants/runner.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file in which each process records the mutants that a test covers, one line of JSON per test. */
    coverageFile: string;
    /** The mutant that is active in a test, by its key. */
    mutantOf: Readonly<Record<string, string>>;
  }
}

const MutantOf = Type.Record(Type.String(), Type.String());

/** After this many hits of one mutant its code throws, which ends an endless loop. */
const MAX_HITS = 1_000_000;

// A process runs several files, and may load this one for each.
const switches = (globalThis.__stryker__ ??= {});

/** Runs each test once, with its hooks, with its mutant active or none, and records the mutants that it covers. */
export default class extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    const mutantOf = Parse(MutantOf, this.injectValue('mutantOf'));
    Object.assign(switches, {
      currentTestId: test.id,
      activeMutant: mutantOf[keyOf(test)],
      hitCount: 0,
      hitLimit: MAX_HITS,
    });
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    const none = { currentTestId: undefined, activeMutant: undefined, hitCount: undefined };
    Object.assign(switches, none);
    const mutants = Object.keys(switches.mutantCoverage?.perTest[test.id] ?? {});
    const line = JSON.stringify({ test: keyOf(test), mutants });
    appendFileSync(String(this.injectValue('coverageFile')), `${line}\n`);
  }
}

const keyOf = (test: RunnerTestCase): string =>
  `${relative(process.cwd(), test.file.filepath)} ${test.name}`;
