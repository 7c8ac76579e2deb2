import { existsSync, rmSync } from 'node:fs';
import { parseCLI, startVitest, type CliOptions, type TestCase, type Vitest } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { FAILURE_FOLDER } from '../test/e2e/support/failure-screens.ts';
import { buildIfStale } from './support/build.ts';
import { runChecks } from './support/checks.ts';
import { filesOf, projectOf } from './support/chosen-tests.ts';
import { makeTypes, makeTypesIfStale } from './support/client-build.ts';
import { buildServerIfStale } from './support/server-build.ts';
import { slowestOf, sum, summaryOf, type Result } from './support/summary.ts';

const NO_TEST: Result = { passed: 0, failures: ['No test was run.'] };

/** Skips the scenarios of `test/e2e`, and the tests with certain tags of `vitest.config.ts`. */
const QUICK = '--quick';
/** Lists the slowest files. */
const SLOWEST_FIRST = '--slowest';
/** Shows the browser of the scenarios, in slow motion. */
const WATCH_BROWSER = '--watch-browser';

/**
 * Runs the whole proof; with any argument of vitest's, such as a path, `-t` or `--watch`, only those tests without
 * the checks.
 */
const args = process.argv.slice(2);
if (args.every((arg) => [QUICK, SLOWEST_FIRST].includes(arg))) await proveAll();
else await runChosen(args);

async function proveAll(): Promise<never> {
  try {
    // Before the long part. The tools start first: unpacking a browser redirects the temporary folder.
    await Promise.all([makeTypes(), findBrowser()]);
  } catch (error) {
    end({ passed: 0, failures: [messageOf(error)] });
  }
  // In parallel, since tests wait more often than checks.
  const checks = runChecks(1);
  end(sum(await Promise.all([checks, buildAndTest(checks)])));
}

function end(result: Result): never {
  if (args.includes(SLOWEST_FIRST))
    console.log(
      ['\nThe files that took longest:', ...slowestOf(result.durations ?? [])].join('\n'),
    );
  console.log(summaryOf(result).join('\n'));
  process.exit(result.failures.length === 0 ? 0 : 1);
}

async function buildAndTest(checks: Promise<Result>): Promise<Result> {
  try {
    await (args.includes(QUICK) ? buildServerIfStale() : buildIfStale());
  } catch (error) {
    console.error(messageOf(error)); // unabridged: a tool's output may be long
    return { passed: 0, failures: ['the build'] };
  }
  return runAll(checks);
}

/** The project in the browser waits more than it works, so it runs beside the others, but after the checks. */
async function runAll(checks: Promise<Result>): Promise<Result> {
  rmSync(FAILURE_FOLDER, { recursive: true, force: true });
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
  if (existsSync(FAILURE_FOLDER)) console.log(`What failed scenarios showed: ${FAILURE_FOLDER}`);
  // Tests that `--quick` leaves out are not reported as skipped.
  return quick ? { ...result, skipped: [] } : result;
}

/** Passes the arguments to vitest, with the matching projects and files only, so that no other one is started. */
async function runChosen(line: readonly string[]): Promise<void> {
  if (line.includes(WATCH_BROWSER)) process.env['WATCH_BROWSER'] = '1';
  const own = [QUICK, SLOWEST_FIRST, WATCH_BROWSER];
  const { filter, options } = parseCLI(['vitest', ...line.filter((arg) => !own.includes(arg))]);
  const { watch = false, testNamePattern } = options;
  await makeTypesIfStale();
  const files = filesOf(filter, testNamePattern?.toString());
  const isChosen = filter.length > 0 || testNamePattern !== undefined;
  const projects = projectsOf(line.includes(WATCH_BROWSER), watch && !isChosen, files);
  const run = await startVitest(testNamePattern === undefined ? filter : files, {
    ...options,
    // Loaded by Node itself: bundling the configuration takes a third of a unit test's time.
    configLoader: 'native',
    run: !watch,
    watch,
    ...(options.project === undefined && projects.length > 0 && { project: projects }),
  });
  if (watch) return;
  const result = await resultOf(run);
  // Tests excluded by title are not reported as skipped.
  end({ ...(isEmpty(result) ? NO_TEST : result), skipped: [] });
}

/** Watches only tests that open no household: a change is answered in seconds, not minutes. */
function projectsOf(isBrowserShown: boolean, watchesAll: boolean, files: readonly string[]) {
  if (isBrowserShown) return ['e2e'];
  return watchesAll ? ['unit'] : [...new Set(files.map(projectOf))];
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
  const described = (test: TestCase) => named(nameOf(test), test.result().errors);
  const unsteady = tests('passed').filter((test) => test.diagnostic()?.flaky === true);
  const failures = [
    ...tests('failed').map(described),
    ...modules
      .filter((module) => module.errors().length > 0)
      .map((module) => named(module.relativeModuleId, module.errors())),
    ...vitest.state.getUnhandledErrors().map((error) => `not caught: ${messageOf(error)}`),
  ];
  const result = {
    passed: tests('passed').length,
    failures,
    unsteady: unsteady.map(described),
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

/** Vitest passes an uncaught error as an object that is no `Error`. */
function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error);
}
