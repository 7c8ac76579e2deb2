import { startVitest } from 'vitest/node';
import { findBrowser } from '../test/support/browser.ts';
import { buildIfStale } from './support/build.ts';
import { makeTypes, runChecks } from './support/checks.ts';

interface Counts {
  passed: number;
  failed: number;
}

/** The whole proof; with parts of paths as arguments, the tests of those files after the checks. */
const filters = process.argv.slice(2);
const steps: (() => Promise<Counts>)[] = [
  () => asOne(findBrowser), // before minutes are spent on the rest
  () => asOne(makeTypes),
  runChecks,
  () => asOne(buildIfStale),
  runTests,
];

const total: Counts = { passed: 0, failed: 0 };
for (const step of steps) {
  const { passed, failed } = await step();
  total.passed += passed;
  total.failed += failed;
  // After failed checks the tests run all the same; after any other step that failed nothing can.
  if (failed > 0 && step !== runChecks) break;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** A step that is no test counts only when it fails. */
async function asOne(work: () => Promise<unknown>): Promise<Counts> {
  try {
    await work();
    return { passed: 0, failed: 0 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}

/** A test file that cannot be read, and an error that no test caught, count as one failure each. */
async function runTests(): Promise<Counts> {
  const vitest = await startVitest(filters, { run: true, watch: false, allowOnly: false });
  const modules = vitest.state.getTestModules();
  const count = (state: 'passed' | 'failed') =>
    modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
  for (const module of modules)
    for (const test of module.children.allTests('passed'))
      if (test.diagnostic()?.flaky)
        console.log(`flaky: ${module.relativeModuleId} > ${test.fullName}`);
  const broken = modules.filter((module) => module.errors().length > 0).length;
  const uncaught = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  const passed = count('passed');
  const failed = count('failed') + broken + uncaught;
  return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed };
}
