import { defineConfig } from 'vitest/config';
import type {} from '../../test/support/random.ts';

/** How Stryker plays the tests that `scripts/mutants.ts` names. */
export default defineConfig({
  test: {
    isolate: false,
    strictTags: false,
    include: (process.env['MUTANT_TESTS'] ?? '').split('\n'),
    // Few random cases: each is played for every change.
    provide: { runsFactor: 0.05, seed: 20_261_120 },
    // A busy machine takes as long for the first run, of which a failed test ends all.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 3000 } },
  },
});
