import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startVitest } from 'vitest/node';
import type {} from '../test/support/random.ts';
import { BREAKAGES, type Breakage } from './breakages/breakages.ts';

/**
 * `npm run prove -- breakages`: breaks undo, journal and history in one way at a time, and reports the test that
 * finds each: the named one, otherwise the simulation, with the number of seeds it took.
 */

const SIMULATION = 'test/copy/random.test.ts';

/** The maximum number of seeds per breakage, and the test's default. */
const SEEDS = 300;
const QUICK = 20;
/** Enough for all seeds on a busy machine. */
const TIMEOUT_MS = 3_600_000;

const [asked] = process.argv.slice(2);
if (asked === undefined)
  // A process for each: a second vitest in one process would run the code that the first has changed.
  for (const nth of BREAKAGES.keys()) {
    const line = ['scripts/breakages.ts', String(nth)];
    const { status } = spawnSync(process.execPath, line, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
else await tryOne(BREAKAGES[Number(asked)]);
process.exit();

async function tryOne(breakage: Breakage | undefined): Promise<void> {
  if (breakage === undefined) return;
  const { what, path, before, after, by } = breakage;
  const code = readFileSync(path, 'utf8');
  if (code.split(before).length !== 2) {
    tell(false, what, `${path} has changed`);
    return;
  }
  const vitest = await startVitest(
    [],
    {
      config: false,
      strictTags: false,
      run: true,
      watch: false,
      // The cache would keep the changed code, and run it in place of another's.
      fsModuleCache: false,
      include: [by?.test ?? SIMULATION],
      ...(by === undefined ? {} : { testNamePattern: `${by.title}$` }),
      setupFiles: ['scripts/breakages/first-failure.ts'],
      reporters: [{}],
      provide: { runsFactor: SEEDS / QUICK, seed: 20_261_120, randomTimeout: TIMEOUT_MS },
      // The timeout of the tests' tag, which the configuration read here does not have.
      testTimeout: TIMEOUT_MS,
    },
    {
      plugins: [
        {
          name: 'breakage',
          enforce: 'pre',
          load: (id) => (id === resolve(path) ? code.replace(before, () => after) : null),
        },
      ],
    },
  );
  const modules = vitest.state.getTestModules();
  const failures = modules
    .flatMap((module) => [...module.children.allTests('failed')])
    .flatMap((test) => test.result().errors ?? []);
  const unexpected = modules.flatMap((module) => module.errors());
  await vitest.close();
  const [error = failures[0]] = unexpected;
  if (by === undefined) {
    const [, seeds] = /^After (\d+) seeds/.exec(error?.message ?? '') ?? [];
    const other = error?.message ?? `not within ${String(SEEDS)} seeds`;
    tell(seeds !== undefined, what, seeds === undefined ? other : `within ${seeds} seeds`);
  } else {
    // Any other error means that the test could not run.
    const isFound = error?.name === 'AssertionError';
    tell(isFound, what, `${isFound ? '' : `${error?.message ?? 'not'} `}by « ${by.title} »`);
  }
}

function tell(isFound: boolean, what: string, how: string): void {
  console.log(`${isFound ? '✓' : '✗'} ${what}: ${how}`);
  // vitest has set the exit code after the failed test, which here is the expected result.
  process.exitCode = isFound ? 0 : 1;
}
