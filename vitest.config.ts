import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { commands, facadePlugin } from './test/support/browser-commands.ts';
import { findBrowser } from './test/support/browser.ts';

if (Number.parseInt(process.versions.node) < 24)
  throw new Error(
    `The tests run on Node 24 or later, not ${process.versions.node}: « npm test » finds it.`,
  );

const browser = await findBrowser();

export default defineConfig({
  test: {
    provide: { browser },
    // A scenario waits more than it works: one for each core, where vitest would leave one idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          // Long enough for a busy machine: no test is about time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/e2e/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: './vite.config.ts',
        plugins: [facadePlugin()],
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
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
          globalSetup: 'test/support/build.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
