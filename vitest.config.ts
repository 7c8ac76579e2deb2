import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { commands, frontPlugin } from './test/support/browser-commands.ts';
import { findBrowser } from './test/support/browser.ts';

if (Number.parseInt(process.versions.node) < 24)
  throw new Error(
    `The tests run on Node 24 or later, not ${process.versions.node}: « npm test » finds it.`,
  );

const browser = await findBrowser();

/**
 * How many times more random cases are played than usual, and what they begin from: without SEED
 * the same in each run, so that a change is refused for what it changes.
 */
const runsFactor = Number(process.env['RUNS_FACTOR'] ?? 1);
const seed = Number(process.env['SEED'] ?? 20_261_120);

/**
 * A scenario in a browser that fails and then passes is a race, of the product or of the scenario:
 * the run ends with its name, and it is mended for itself.
 */
const BROWSER_RETRIES = 1;

// Long enough for a busy machine: no test is about time.
const testTimeout = 60_000 * Math.max(1, runsFactor);

export default defineConfig({
  test: {
    provide: { browser, runsFactor, seed },
    // As long as a busy machine may take: what is polled for comes, or the test is wrong.
    expect: { poll: { timeout: 45_000 } },
    // A scenario waits more than it works: one for each core, where vitest would leave one idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          testTimeout,
          hookTimeout: 60_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/e2e/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: './vite.config.ts',
        plugins: [frontPlugin()],
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          retry: BROWSER_RETRIES,
          testTimeout,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 45_000 } },
          // One house stands behind the origin that all of them share.
          fileParallelism: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands,
            provider: playwright({ launchOptions: browser }),
            instances: [{ browser: 'chromium' }],
          },
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          retry: BROWSER_RETRIES,
          globalSetup: 'test/support/build.ts',
          testTimeout: 180_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
