import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { attempt } from '../scripts/support/attempt.ts';
import { buildIfStale } from '../scripts/support/build.ts';
import { benchAuteurs } from './auteurs.ts';
import { benchBefore } from './before.ts';
import { benchCatalogue } from './catalogue.ts';
import { benchClient } from './client.ts';
import { benchCosts } from './costs.ts';
import { benchCouvertures } from './couvertures.ts';
import { benchCouverturesDevice } from './couvertures-device.ts';
import { benchDecoding } from './decoding.ts';
import { benchDevices } from './devices.ts';
import { benchEmplacements } from './emplacements.ts';
import { benchLectures } from './lectures.ts';
import { benchModifications } from './modifications.ts';
import { benchImportations } from './importations.ts';
import { benchRecherche } from './recherche.ts';
import { benchList, benchSearch } from './server.ts';
import { benchSize } from './size.ts';
import { benchSlowLine } from './slow-line.ts';
import type { Chart } from './support/chart.ts';
import { businessOf, loadNow, worseThanBefore, writeDocument } from './support/document.ts';
import { makeLivres, readLivres } from './support/livres.ts';
import { takeSections, type Section } from './support/report.ts';

const SIZE = 'size';

/**
 * Everything that is measured, each figure beside the least that the same work could cost on the
 * same machine. Takes a CSV file of books with the columns `title` and `authors`; without one it
 * makes ten thousand up. `--only name` runs one part, `--before folder` the same of an older checkout in turns with this
 * one. A whole run on a file writes its figures and charts into docs/performance.md, and says what is worse by a tenth
 * than in the last numbered version.
 */
await attempt(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, before: { type: 'string' } },
  });
  const { only, before } = values;
  const [file] = positionals;
  if (before !== undefined) {
    const part = only === undefined ? [] : ['--only', only];
    await benchBefore(before, [...positionals.map((path) => resolve(path)), ...part]);
    return;
  }
  const livres = file === undefined ? makeLivres(10_000) : readLivres(file);
  const parts: Readonly<Record<string, () => unknown>> = {
    client: () => benchClient(livres),
    devices: () => benchDevices(livres),
    'slow-line': () => benchSlowLine(livres),
    list: () => benchList(livres),
    search: benchSearch,
    catalogue: () => benchCatalogue(livres),
    emplacements: () => benchEmplacements(livres),
    lectures: () => benchLectures(livres),
    auteurs: () => benchAuteurs(livres),
    modifications: () => benchModifications(livres),
    recherche: benchRecherche,
    importations: () => benchImportations(livres),
    'couvertures-device': () => benchCouverturesDevice(livres),
    couvertures: benchCouvertures,
    decoding: benchDecoding,
    costs: () => benchCosts(livres),
  };
  if (only !== undefined && only !== SIZE && !(only in parts))
    throw new Error(`--only: ${[...Object.keys(parts), SIZE].join(', ')}`);
  await buildIfStale();
  const load = loadNow();
  const isWanted = (name: string) => only === undefined || only === name;
  const measured: Record<string, readonly Section[]> = {};
  for (const [name, part] of Object.entries(parts))
    if (isWanted(name)) measured[name] = await timed(name, part);
  let charts: readonly Chart[] = [];
  if (isWanted(SIZE)) measured[SIZE] = await timed(SIZE, async () => (charts = await benchSize()));
  if (only !== undefined) return;
  console.log(`\nThe machine was ${businessOf(load)}.`);
  for (const line of worseThanBefore(measured)) console.log(line);
  if (file !== undefined) writeDocument(measured, charts, load);
});

async function timed(name: string, part: () => unknown): Promise<readonly Section[]> {
  const begin = performance.now();
  try {
    await part();
  } catch (error) {
    process.exitCode = 1;
    console.error(`\n✗ ${name}:`, error);
  }
  console.log(`  (${name}: ${((performance.now() - begin) / 1000).toFixed(0)} s)`);
  return takeSections();
}
