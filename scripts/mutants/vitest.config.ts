import { defineConfig } from 'vitest/config';
import type {} from '../../test/support/random.ts';

/** How Stryker plays the tests that `scripts/mutants.ts` names. */
export default defineConfig({
  test: {
    isolate: false,
    strictTags: false,
    include: JSON.parse(process.env['MUTANT_TESTS'] ?? '[]') as string[],
    // Few random cases: each is played for every change.
    provide: { runsFactor: 0.05, seed: 20_261_120 },
    testTimeout: 20_000,
    hookTimeout: 5000,
    expect: { poll: { timeout: 3000 } },
  },
});
