import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { commands, frontPlugin } from './test/support/browser-commands.ts';
import { findBrowser } from './test/support/browser.ts';
import { LongFirst } from './test/support/long-first.ts';
import { keepTemporaryFilesInMemory } from './test/support/memory.ts';
import type {} from './test/support/random.ts';

if (Number.parseInt(process.versions.node) < 24)
  throw new Error(
    `The tests run on Node 24 or later, not ${process.versions.node}: « npm test » finds it.`,
  );

keepTemporaryFilesInMemory();
// A service that a test starts in a process of its own would spend half of its start on stripping types.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/node');
const browser = await findBrowser();

/** « npm test -- --watch-browser » shows the browser, and lets it take a rest after each step. */
const display = process.env['WATCH_BROWSER'] ? { headless: false, slowMo: 300 } : {};

/**
 * How many times more random cases are played than usual, and what they begin from: without SEED
 * the same in each run, so that a change is refused for what it changes.
 */
const runsFactor = Number(process.env['RUNS_FACTOR'] ?? 1);
const seed = Number(process.env['SEED'] ?? 20_261_120);

// Long enough for a busy machine: no test is about time.
const testTimeout = 180_000 * Math.max(1, runsFactor);
/** Many cases that each open a house, on a machine far slower than ours. */
const randomTimeout = 600_000 * Math.max(1, runsFactor);

/** What « npm run prove -- container » plays, on the image that it has built. */
const unbuilt = process.env['IMAGE'] ? [] : ['test/package/container.test.ts'];

export default defineConfig({
  test: {
    provide: { browser, display, runsFactor, seed, randomTimeout },
    // What « npm test -- --quick » leaves out.
    tags: [
      {
        name: 'process',
        description: 'Starts the service or a command in a process of its own.',
        // A busy machine now and then starts a process minutes late: the end of the run names the test.
        retry: 1,
      },
      {
        name: 'random',
        description: 'Plays long sequences that are drawn from the seed.',
        timeout: randomTimeout,
      },
      { name: 'large', description: 'Plays what is as large as it may be, or larger.' },
    ],
    // As long as a busy machine may take: what is polled for comes, or the test is wrong.
    expect: { poll: { timeout: 45_000 } },
    // What one test replaces is there again for the next.
    restoreMocks: true,
    alias: { '#server/plumbing/paths': resolve('test/support/paths.ts') },
    // A test waits as much as it works: two more than there are cores, where vitest would leave one idle.
    maxWorkers: availableParallelism() + 2,
    // RxDB keeps promises of what a storage refuses, which nobody can await; any other fault that is left ends the run red.
    onUnhandledError: ({ name }) => name !== 'SimulatedFault',
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          setupFiles: 'test/support/real-clock.ts',
          expect: { requireAssertions: true },
          testTimeout,
          include: ['test/**/*.unit.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          isolate: false,
          setupFiles: 'test/support/real-clock.ts',
          globalSetup: 'test/support/build-server.ts',
          testTimeout,
          hookTimeout: 60_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.unit.test.ts', 'test/browser/**', 'test/e2e/**', ...unbuilt],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: './vite.config.ts',
        plugins: [frontPlugin()],
        // Without it each tab of a test asks of all its modules whether they have changed.
        server: { headers: { 'cache-control': 'max-age=3600' } },
        test: {
          name: 'browser',
          restoreMocks: true,
          include: ['test/browser/**/*.test.ts'],
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
          // What the service says, in the language that a scenario asks for.
          alias: {
            '#messages/runtime': resolve('src/lib/paraglide/runtime.js'),
            '#messages': resolve('test/e2e/support/messages.ts'),
          },
          include: ['test/e2e/**/*.test.ts'],
          // The zone of the devices (test/e2e/support/device.ts): in another one the service, which runs here, has another day.
          env: { TZ: 'Europe/Paris' },
          // The files of a worker share its modules and its browser, and never a household.
          isolate: false,
          globalSetup: 'test/support/build.ts',
          testTimeout,
          hookTimeout: 60_000,
          // A browser on a busy machine now and then does what no person sees: the end of the run names the scenario.
          retry: 1,
          // A scenario waits for its page more than it works. One that is watched has the screen to itself.
          maxWorkers: process.env['WATCH_BROWSER'] ? 1 : availableParallelism() + 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
