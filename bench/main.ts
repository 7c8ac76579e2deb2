import { attempt } from '../scripts/support/attempt.ts';
import { buildIfStale } from '../scripts/support/build.ts';
import { benchAuteurs } from './auteurs.ts';
import { livresDuFichier, livresInventes } from './catalogue-livres.ts';
import { benchCatalogue } from './catalogue.ts';
import { benchClient } from './client.ts';
import { benchDecodage } from './decodage.ts';
import { benchRecherche } from './recherche.ts';
import { benchList, benchSearch } from './server.ts';

/**
 * Everything that is measured, each figure beside the least that the same work could cost on the
 * same machine. Takes a file of books with the columns of goodbooks-10k; makes its own without.
 */
await attempt(async () => {
  const [fichier] = process.argv.slice(2);
  const livres = fichier === undefined ? livresInventes(10_000) : livresDuFichier(fichier);
  await buildIfStale();
  await benchList(livres);
  await benchSearch();
  await benchClient(livres);
  benchCatalogue(fichier);
  benchAuteurs(fichier);
  await benchRecherche();
  await benchDecodage();
});
