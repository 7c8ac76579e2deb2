import { existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { FAILURES } from '../test/e2e/support/seen.ts';
import { buildIfStale } from './support/build.ts';
import { makeTypes, runChecks } from './support/checks.ts';

interface Counts {
  passed: number;
  failed: number;
}

/** The whole proof, or with parts of paths as arguments the checks and the tests of those files. */
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    /** Leaves the scenarios of `test/e2e` out. */
    quick: { type: 'boolean', default: false },
    /** Shows the browser of the scenarios, which slows down so that one can follow. */
    'watch-browser': { type: 'boolean', default: false },
  },
});

try {
  await findBrowser(); // before minutes are spent on the rest
  await makeTypes();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  end({ passed: 0, failed: 1 });
}
// Beside each other: a test waits more often than a check.
const [checks, tests] = await Promise.all([runChecks(1), buildAndTest()]);
end({ passed: checks.passed + tests.passed, failed: checks.failed + tests.failed });

function end({ passed, failed }: Counts): never {
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

async function buildAndTest(): Promise<Counts> {
  try {
    if (!values.quick) await buildIfStale();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
  return runTests();
}

/** A test file that cannot be read, and an error that no test caught, count as one failure each. */
async function runTests(): Promise<Counts> {
  rmSync(FAILURES, { recursive: true, force: true });
  if (values['watch-browser']) process.env['WATCH_BROWSER'] = '1';
  const vitest = await startVitest(filters, {
    run: true,
    watch: false,
    allowOnly: false,
    ...(values.quick && { project: ['node', 'browser'] }),
    ...(values['watch-browser'] && { project: ['e2e'], maxWorkers: 1 }),
  });
  const modules = vitest.state.getTestModules();
  const count = (state: 'passed' | 'failed') =>
    modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
  const broken = modules.filter((module) => module.errors().length > 0).length;
  const uncaught = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  if (existsSync(FAILURES)) console.log(`What failed scenarios showed: ${FAILURES}`);
  const passed = count('passed');
  const failed = count('failed') + broken + uncaught;
  return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed };
}
