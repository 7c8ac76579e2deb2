import { existsSync, rmSync } from 'node:fs';
import { parseCLI, startVitest, type CliOptions, type TestCase, type Vitest } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { FAILURES } from '../test/e2e/support/seen.ts';
import { buildIfStale, buildServerIfStale } from './support/build.ts';
import { makeTypes, makeTypesIfStale, runChecks } from './support/checks.ts';
import { filesOf, projectOf } from './support/chosen-tests.ts';

interface Result {
  readonly passed: number;
  readonly failures: readonly string[];
  /** The scenarios that passed at their second try, and the first try's failure. */
  readonly unsteady?: readonly string[];
  readonly skipped?: readonly string[];
  readonly durations?: readonly Duration[];
}

interface Duration {
  readonly file: string;
  readonly ms: number;
}

const NO_TEST: Result = { passed: 0, failures: ['No test was run.'] };

/** Lines of a failure that are repeated at the end. */
const SAID_AGAIN = 12;

/** Rows of the table of `--slowest`. */
const SLOWEST = 30;

/** Leaves out the scenarios of `test/e2e`, and the tests with certain tags of `vitest.config.ts`. */
const QUICK = '--quick';
/** Lists the files that took longest. */
const SLOWEST_FIRST = '--slowest';
/** Shows the browser of the scenarios, slowed down so that one can follow. */
const WATCH_BROWSER = '--watch-browser';

/** The whole proof; with any argument of vitest's, such as a path, `-t` or `--watch`, those tests and no check. */
const args = process.argv.slice(2);
if (args.every((arg) => [QUICK, SLOWEST_FIRST].includes(arg))) await proveAll();
else await runChosen(args);

async function proveAll(): Promise<never> {
  try {
    // Before minutes are spent on the rest. The tools start first: unpacking a browser takes the temporary folder.
    await Promise.all([makeTypes(), findBrowser()]);
  } catch (error) {
    end({ passed: 0, failures: [messageOf(error)] });
  }
  // In parallel: a test waits more often than a check.
  const checks = runChecks(1);
  end(sum(await Promise.all([checks, buildAndTest(checks)])));
}

function sum(results: readonly Result[]): Required<Result> {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    unsteady: results.flatMap(({ unsteady = [] }) => unsteady),
    skipped: results.flatMap(({ skipped = [] }) => skipped),
    durations: results.flatMap(({ durations = [] }) => durations),
  };
}

function end(result: Result): never {
  const { passed, failures, unsteady, skipped, durations } = sum([result]);
  const say = (mark: string, text: string) =>
    console.log(`${mark} ${text.split('\n').slice(0, SAID_AGAIN).join('\n  ')}`);
  if (args.includes(SLOWEST_FIRST)) tellSlowest(durations);
  for (const test of skipped) say('- skipped:', test);
  for (const scenario of unsteady) say('! passed at its second try:', scenario);
  for (const failure of failures) say('✗', failure);
  const counts = [`${String(passed)} passed`, `${String(failures.length)} failed`];
  if (skipped.length > 0) counts.push(`${String(skipped.length)} skipped`);
  console.log(counts.join(', '));
  process.exit(failures.length === 0 ? 0 : 1);
}

function tellSlowest(durations: readonly Duration[]): void {
  console.log('\nThe files that took longest:');
  for (const { file, ms } of durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`);
}

async function buildAndTest(checks: Promise<Result>): Promise<Result> {
  try {
    await (args.includes(QUICK) ? buildServerIfStale() : buildIfStale());
  } catch (error) {
    console.error(messageOf(error)); // whole: what a tool said may be long
    return { passed: 0, failures: ['the build'] };
  }
  return runAll(checks);
}

/**
 * The project in the browser waits more than it works, so it runs beside the others, but after the checks: its start
 * generates the messages anew, split into other modules than those that the checks are reading.
 */
async function runAll(checks: Promise<Result>): Promise<Result> {
  rmSync(FAILURES, { recursive: true, force: true });
  const quick = args.includes(QUICK);
  const once = { run: true, watch: false, allowOnly: false, passWithNoTests: true };
  const options = quick ? { ...once, tagsFilter: ['!process && !random && !large'] } : once;
  const project = ['unit', 'server', ...(quick ? [] : ['e2e'])];
  const result = sum(
    await Promise.all([
      runVitest([], { ...options, project }),
      checks.then(() =>
        runVitest([], {
          ...options,
          project: ['browser'],
          reporters: [['default', { summary: false }]],
        }),
      ),
    ]),
  );
  if (existsSync(FAILURES)) console.log(`What failed scenarios showed: ${FAILURES}`);
  // What `--quick` leaves out is no news.
  return quick ? { ...result, skipped: [] } : result;
}

/** Hands the arguments to vitest, with the projects and files that they can mean, so that no other is started. */
async function runChosen(line: readonly string[]): Promise<void> {
  if (line.includes(WATCH_BROWSER)) process.env['WATCH_BROWSER'] = '1';
  const own = [QUICK, SLOWEST_FIRST, WATCH_BROWSER];
  const { filter, options } = parseCLI(['vitest', ...line.filter((arg) => !own.includes(arg))]);
  const { watch = false, testNamePattern } = options;
  await makeTypesIfStale();
  const files = filesOf(filter, testNamePattern?.toString());
  const projects = line.includes(WATCH_BROWSER) ? ['e2e'] : [...new Set(files.map(projectOf))];
  const run = await startVitest(testNamePattern === undefined ? filter : files, {
    ...options,
    run: !watch,
    watch,
    ...(options.project === undefined && projects.length > 0 && { project: projects }),
  });
  if (watch) return;
  const result = await resultOf(run);
  // What a name leaves out of its file is no news.
  end({ ...(isEmpty(result) ? NO_TEST : result), skipped: [] });
}

async function runVitest(filter: string[], options: CliOptions): Promise<Result> {
  const result = await resultOf(await startVitest(filter, options));
  return isEmpty(result) ? NO_TEST : result;
}

function isEmpty({ passed, failures }: Result): boolean {
  return passed + failures.length === 0;
}

/** A test file that cannot be read, and an error that no test caught, count as one failure each. */
async function resultOf(vitest: Vitest): Promise<Result> {
  const modules = vitest.state.getTestModules();
  const tests = (state: 'passed' | 'failed' | 'skipped') =>
    modules.flatMap((module) => [...module.children.allTests(state)]);
  const nameOf = (test: TestCase) => `${test.module.relativeModuleId}: ${test.fullName}`;
  const told = (test: TestCase) => named(nameOf(test), test.result().errors);
  const unsteady = tests('passed').filter((test) => test.diagnostic()?.flaky === true);
  const failures = [
    ...tests('failed').map(told),
    ...modules
      .filter((module) => module.errors().length > 0)
      .map((module) => named(module.relativeModuleId, module.errors())),
    ...vitest.state.getUnhandledErrors().map((error) => `not caught: ${messageOf(error)}`),
  ];
  const result = {
    passed: tests('passed').length,
    failures,
    unsteady: unsteady.map(told),
    skipped: tests('skipped').map(nameOf),
    durations: modules.map((module) => ({
      file: module.relativeModuleId,
      ms: module.diagnostic().duration,
    })),
  };
  await vitest.close();
  return result;
}

function named(name: string, errors: readonly { message: string }[] = []): string {
  return [name, ...errors.map(messageOf)].join('\n');
}

/** Vitest hands on what was not caught as an object that is no `Error`. */
function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error);
}
