import { defineConfig } from 'vitest/config';
import type {} from '../../test/support/random.ts';

export default defineConfig({
  test: {
    isolate: false,
    strictTags: false,
    include: (process.env['MUTANT_TESTS'] ?? '').split('\n'),
    // Few random cases, since they run for every mutant.
    provide: { runsFactor: 0.05, seed: 20_261_120 },
    // On a busy machine the first run takes this long, and one failed test in it ends everything.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 3000 } },
  },
});
