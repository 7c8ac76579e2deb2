import { parseArgs } from 'node:util';
import { attempt } from '../scripts/support/attempt.ts';
import { buildIfStale } from '../scripts/support/build.ts';
import { benchAuteurs } from './auteurs.ts';
import { benchCatalogue } from './catalogue.ts';
import { benchClient } from './client.ts';
import { benchCosts } from './costs.ts';
import { benchCouvertures } from './couvertures.ts';
import { benchCouverturesDevice } from './couvertures-device.ts';
import { benchDecoding } from './decoding.ts';
import { benchEmplacements } from './emplacements.ts';
import { benchModifications } from './modifications.ts';
import { benchImportations } from './importations.ts';
import { benchRecherche } from './recherche.ts';
import { benchList, benchSearch } from './server.ts';
import { makeLivres, readLivres } from './support/livres.ts';

/**
 * Everything that is measured, each figure beside the least that the same work could cost on the
 * same machine. Takes a CSV file of books with the columns `title` and `authors`; without one it
 * makes ten thousand up. `--only name` runs one part.
 */
await attempt(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' } },
  });
  const { only } = values;
  const [file] = positionals;
  const livres = file === undefined ? makeLivres(10_000) : readLivres(file);
  const parts: Readonly<Record<string, () => unknown>> = {
    list: () => benchList(livres),
    search: benchSearch,
    client: () => benchClient(livres),
    catalogue: () => benchCatalogue(livres),
    emplacements: () => benchEmplacements(livres),
    auteurs: () => benchAuteurs(livres),
    modifications: () => benchModifications(livres),
    recherche: benchRecherche,
    importations: () => benchImportations(livres),
    'couvertures-device': () => benchCouverturesDevice(livres),
    couvertures: benchCouvertures,
    decoding: benchDecoding,
    costs: () => benchCosts(livres),
  };
  if (only !== undefined && !(only in parts))
    throw new Error(`--only: ${Object.keys(parts).join(', ')}`);
  await buildIfStale();
  for (const [name, part] of Object.entries(parts))
    if (only === undefined || only === name) await part();
});
