import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  DOCUMENTS,
  findFaults,
  PAGE,
  type Proof,
  readProofs,
  readSections,
  type Section,
  titlesIn,
  writePage,
} from './support/promises.ts';
import { exitOnError } from './support/exit-on-error.ts';

/**
 * `npm run prove -- promises [--sentences 12] [--seed N]`: lists the sentences of the documents without a test, and
 * the missing tests of docs/promises.md. Then draws sentences of the rules, breaks each one's rule, and lists the
 * sentences of which no test failed. `--update` only writes the page.
 */
void exitOnError(async () => {
  const { values } = parseArgs({
    options: {
      update: { type: 'boolean', default: false },
      sentences: { type: 'string', default: '12' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  });
  const sections = DOCUMENTS.flatMap(readSections);
  const read = () => readProofs(readFileSync(PAGE, 'utf8'));
  if (values.update) writeFileSync(PAGE, writePage(sections, read()));
  const faults = findFaults(sections, read(), titlesIn);
  for (const fault of faults) console.log(`✗ ${fault}`);
  if (faults.length > 0)
    console.log(
      '`--update` brings the sentences into docs/promises.md; name below each the tests that prove it.',
    );
  console.log(
    `${String(sections.flatMap(({ sentences }) => sentences).length)} sentences, ${String(faults.length)} faults`,
  );
  const count = values.update ? 0 : Number(values.sentences);
  const faulty = count === 0 ? 0 : await drawn(sections, read(), count, Number(values.seed));
  process.exitCode = faults.length + faulty === 0 ? 0 : 1;
});

/** Returns how many stayed green, and how many tests failed without a mutant. */
async function drawn(
  sections: readonly Section[],
  proofs: ReadonlyMap<string, readonly Proof[]>,
  count: number,
  seed: number,
): Promise<number> {
  console.log(`npm run prove -- promises --sentences ${String(count)} --seed ${String(seed)}`);
  // Loads vitest and Stryker, which the checks do not need.
  const { breakPromises } = await import('./promises/draw.ts');
  const { outcomes, broken } = await breakPromises(sections, proofs, { count, seed });
  for (const test of broken) console.log(`✗ red without a mutant: ${test}`);
  for (const { name, tried, isRed } of outcomes) {
    console.log(`${isRed ? '✓' : '✗'} ${name}`);
    for (const mutant of isRed ? tried.slice(0, -1) : tried)
      console.log(`  not noticed: ${mutant}`);
  }
  const red = outcomes.filter(({ isRed }) => isRed);
  const atFirst = red.filter(({ tried }) => tried.length === 1).length;
  console.log(
    `promises: of ${String(outcomes.length)} rules that were broken ${String(red.length)} turned red, ${String(atFirst)} by the first mutant`,
  );
  return outcomes.length - red.length + broken.length;
}
