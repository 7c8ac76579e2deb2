import { existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startVitest, type TestCase } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { FAILURES } from '../test/e2e/support/seen.ts';
import { buildIfStale, buildServerIfStale } from './support/build.ts';
import { makeTypes, runChecks } from './support/checks.ts';

interface Result {
  readonly passed: number;
  readonly failures: readonly string[];
  /** The scenarios that passed at their second try, and the first try's failure. */
  readonly unsteady?: readonly string[];
}

/** Lines of a failure that are repeated at the end. */
const SAID_AGAIN = 12;

interface Projects {
  readonly project: string[];
  readonly reporters?: ['default', { summary: boolean }][];
}

/** The whole proof, or with parts of paths as arguments the checks and the tests of those files. */
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    /** Leaves out the scenarios of `test/e2e`, and the tests with certain tags of `vitest.config.ts`. */
    quick: { type: 'boolean', default: false },
    /** Shows the browser of the scenarios, slowed down so that one can follow. */
    'watch-browser': { type: 'boolean', default: false },
  },
});

try {
  // Before minutes are spent on the rest. The tools start first: unpacking a browser takes the temporary folder.
  await Promise.all([makeTypes(), findBrowser()]);
} catch (error) {
  end({ passed: 0, failures: [messageOf(error)] });
}
// In parallel: a test waits more often than a check.
const checks = runChecks(1);
end(sum(await Promise.all([checks, buildAndTest()])));

function sum(results: readonly Result[]): Result {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    unsteady: results.flatMap(({ unsteady = [] }) => unsteady),
  };
}

function end({ passed, failures, unsteady = [] }: Result): never {
  const say = (mark: string, text: string) =>
    console.log(`${mark} ${text.split('\n').slice(0, SAID_AGAIN).join('\n  ')}`);
  for (const scenario of unsteady) say('! passed at its second try:', scenario);
  for (const failure of failures) say('✗', failure);
  console.log(`${String(passed)} passed, ${String(failures.length)} failed`);
  process.exit(failures.length === 0 ? 0 : 1);
}

async function buildAndTest(): Promise<Result> {
  try {
    await (values.quick ? buildServerIfStale() : buildIfStale());
  } catch (error) {
    console.error(messageOf(error)); // whole: what a tool said may be long
    return { passed: 0, failures: ['the build'] };
  }
  const result = await runTests();
  const isEmpty = result.passed + result.failures.length === 0;
  return isEmpty ? { passed: 0, failures: ['No test was run.'] } : result;
}

/**
 * The project in the browser waits more than it works, so it runs beside the two others, but after the checks: its
 * start generates the messages anew, split into other modules than those that the checks are reading.
 */
async function runTests(): Promise<Result> {
  rmSync(FAILURES, { recursive: true, force: true });
  if (values['watch-browser']) {
    process.env['WATCH_BROWSER'] = '1';
    return runProjects({ project: ['e2e'] });
  }
  const results = await Promise.all([
    runProjects({ project: values.quick ? ['node'] : ['node', 'e2e'] }),
    checks.then(() =>
      runProjects({ project: ['browser'], reporters: [['default', { summary: false }]] }),
    ),
  ]);
  if (existsSync(FAILURES)) console.log(`What failed scenarios showed: ${FAILURES}`);
  return sum(results);
}

/** A test file that cannot be read, and an error that no test caught, count as one failure each. */
async function runProjects(options: Projects): Promise<Result> {
  const vitest = await startVitest(filters, {
    run: true,
    watch: false,
    allowOnly: false,
    passWithNoTests: true,
    ...(values.quick && filters.length === 0 && { tagsFilter: ['!process && !random && !large'] }),
    ...options,
  });
  const modules = vitest.state.getTestModules();
  const tests = (state: 'passed' | 'failed') =>
    modules.flatMap((module) => [...module.children.allTests(state)]);
  const told = (test: TestCase) =>
    named(`${test.module.relativeModuleId}: ${test.fullName}`, test.result().errors);
  const unsteady = tests('passed').filter((test) => test.diagnostic()?.flaky === true);
  const failures = [
    ...tests('failed').map(told),
    ...modules
      .filter((module) => module.errors().length > 0)
      .map((module) => named(module.relativeModuleId, module.errors())),
    ...vitest.state.getUnhandledErrors().map((error) => `not caught: ${messageOf(error)}`),
  ];
  const passed = tests('passed').length;
  await vitest.close();
  return { passed, failures, unsteady: unsteady.map(told) };
}

function named(name: string, errors: readonly { message: string }[] = []): string {
  return [name, ...errors.map(messageOf)].join('\n');
}

/** Vitest hands on what was not caught as an object that is no `Error`. */
function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error);
}
