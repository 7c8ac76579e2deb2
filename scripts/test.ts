import { existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { FAILURES } from '../test/e2e/support/seen.ts';
import { buildIfStale, buildServerIfStale } from './support/build.ts';
import { makeTypes, runChecks } from './support/checks.ts';

interface Counts {
  passed: number;
  failed: number;
}

/** Options of Vitest. */
interface Projects {
  readonly project: string[];
  readonly maxWorkers?: number;
  readonly reporters?: ['default', { summary: boolean }][];
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
end(sum(await Promise.all([runChecks(1), buildAndTest()])));

function sum(counts: readonly Counts[]): Counts {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
  };
}

function end({ passed, failed }: Counts): never {
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

async function buildAndTest(): Promise<Counts> {
  try {
    await (values.quick ? buildServerIfStale() : buildIfStale());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
  const { passed, failed } = await runTests();
  return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed };
}

/** The project in the browser waits more than it works: it runs beside the two others. */
async function runTests(): Promise<Counts> {
  rmSync(FAILURES, { recursive: true, force: true });
  if (values['watch-browser']) {
    process.env['WATCH_BROWSER'] = '1';
    return runProjects({ project: ['e2e'], maxWorkers: 1 });
  }
  const counts = await Promise.all([
    runProjects({ project: values.quick ? ['node'] : ['node', 'e2e'] }),
    runProjects({ project: ['browser'], reporters: [['default', { summary: false }]] }),
  ]);
  if (existsSync(FAILURES)) console.log(`What failed scenarios showed: ${FAILURES}`);
  return sum(counts);
}

/** A test file that cannot be read, and an error that no test caught, count as one failure each. */
async function runProjects(options: Projects): Promise<Counts> {
  const vitest = await startVitest(filters, {
    run: true,
    watch: false,
    allowOnly: false,
    passWithNoTests: true,
    ...options,
  });
  const modules = vitest.state.getTestModules();
  const count = (state: 'passed' | 'failed') =>
    modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
  const broken = modules.filter((module) => module.errors().length > 0).length;
  const uncaught = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return { passed: count('passed'), failed: count('failed') + broken + uncaught };
}
