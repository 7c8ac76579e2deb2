import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  DOCUMENTS,
  findFaults,
  PAGE,
  readProofs,
  readSections,
  titlesIn,
  writePage,
} from './support/promises.ts';
import { exitOnError } from './support/exit-on-error.ts';

/**
 * `npm run prove -- promises [--update]`: says which sentence of the documents no test proves, and which test that
 * docs/promises.md names is not there; with `--update` writes the page with the sentences as they are by now.
 */
void exitOnError(async () => {
  const { values } = parseArgs({ options: { update: { type: 'boolean', default: false } } });
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
  process.exitCode = faults.length === 0 ? 0 : 1;
});
