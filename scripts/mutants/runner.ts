import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { ACTIVE, KILLED, noticedIn } from './notes.ts';
import { TestRunner, type RunnerTestCase } from 'vitest';

/** The globals that code instrumented by Stryker reads and writes, under Stryker's names. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number;
  mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

interface Played {
  readonly tried: Set<string>;
  readonly killed: Set<string>;
}

declare global {
  var __stryker__: Switches | undefined;
  var playedMutants: Played | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which each test process records the mutants' results. */
    mutantsFolder: string;
  }
}

/** A mutant is killed if a test takes this much longer than ten times its normal time. */
const LIMIT_MS = 10_000;

// A process runs several files, and may load this one for each.
const switches = (globalThis.__stryker__ ??= {});
const { tried, killed } = (globalThis.playedMutants ??= { tried: new Set(), killed: new Set() });

/**
 * Runs each test once normally, then once with each surviving mutant that it reaches, in one process that loads the
 * test's file once.
 */
export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    switches.currentTestId = test.id;
    const begun = performance.now();
    try {
      await run();
    } finally {
      switches.currentTestId = undefined;
    }
    const folder = String(this.injectValue('mutantsFolder'));
    for (const mutant of noticedIn(folder)) killed.add(mutant);
    const limitMs = LIMIT_MS + 10 * (performance.now() - begun);
    for (const [mutant, hits] of Object.entries(switches.mutantCoverage?.perTest[test.id] ?? {})) {
      tried.add(mutant);
      if (killed.has(mutant)) continue;
      const limits = { hitCount: 0, hitLimit: 100 * hits + 1000 };
      Object.assign(switches, { activeMutant: mutant, ...limits });
      // An endless loop can only be ended from outside.
      const until = Date.now() + 2 * limitMs;
      writeFileSync(`${folder}/${ACTIVE}`, `${mutant} ${String(process.pid)} ${String(until)}`);
      const isNoticed = await fails(run, limitMs);
      rmSync(`${folder}/${ACTIVE}`);
      Object.assign(switches, { activeMutant: undefined, hitCount: undefined });
      if (!isNoticed) continue;
      killed.add(mutant);
      appendFileSync(`${folder}/${KILLED}`, `${mutant}\n`);
      // Runs without a mutant: results that a mutant left in a cache would be counted against the next ones.
      await run();
    }
  }

  override onAfterRunFiles(...files: Parameters<TestRunner['onAfterRunFiles']>): void {
    super.onAfterRunFiles(...files);
    const noted = {
      tried: [...tried],
      whileLoading: Object.keys(switches.mutantCoverage?.static ?? {}),
    };
    const folder = String(this.injectValue('mutantsFolder'));
    writeFileSync(`${folder}/${String(process.pid)}.json`, JSON.stringify(noted));
  }
}

async function fails(run: () => unknown, limitMs: number): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error('goes on'));
  }, limitMs);
  try {
    await Promise.race([run(), late]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}
