import { startVitest } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { attempt } from './support/attempt.ts';
import { buildIfStale } from './support/build.ts';
import { runChecks } from './support/checks.ts';

/** The whole proof; with names of test files after `--`, those tests alone after the checks. */
await attempt(async () => {
  await findBrowser(); // before minutes are spent on the rest
  const checks = await runChecks();
  await buildIfStale();
  const tests = await runTests(process.argv.slice(2));
  const failed = checks.failed + tests.failed;
  console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
});

/** A test file that cannot be read, and an error that no test caught, count as one failure each. */
async function runTests(filters: string[]): Promise<{ passed: number; failed: number }> {
  const vitest = await startVitest(filters, { run: true, watch: false, allowOnly: false });
  const modules = vitest.state.getTestModules();
  const count = (state: 'passed' | 'failed') =>
    modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
  const broken = modules.filter((module) => module.errors().length > 0).length;
  const uncaught = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  const passed = count('passed');
  const failed = count('failed') + broken + uncaught;
  return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed };
}
