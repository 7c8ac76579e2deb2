import type { ImportFormat, OrdreDesNoms, OrdreNoms } from '#shared/importations';
import { turned } from '#server/plumbing/upstream/noms';
import { PROGRAMS } from './formats/programs.ts';
import type { ReadRow } from './rows.ts';

// Names that stand « Nom Prénom » without a sign that parts them (docs/rules.md § 35).

/** The authors of a row as the household writes them, where its file has their names in the order that its person says. */
export const inSaidOrder = (
  auteurs: readonly string[],
  format: ImportFormat,
  ordre: OrdreNoms | undefined,
): readonly string[] =>
  ordre !== 'prenomNom' && PROGRAMS.some(({ name, isNomPrenom }) => isNomPrenom && name === format)
    ? auteurs.map(turned)
    : auteurs;

const EXEMPLES = 3;

/** In which order a file seems to have the names of its authors (docs/rules.md § 35), with a few in both orders. */
export function guessOrdreDesNoms(rows: Iterable<ReadRow>, format: ImportFormat): OrdreDesNoms {
  const all = new Set<string>();
  for (const { row } of rows) for (const nom of row.auteurs) all.add(nom);
  const noms = [...all].flatMap((nom) => {
    const [inverse = nom] = inSaidOrder([nom], format, 'nomPrenom');
    return inverse === nom ? [] : [{ nom, inverse }];
  });
  // Given names repeat from author to author more than family names do.
  const count = (place: 0 | 1) => new Set(noms.map(({ nom }) => nom.split(' ')[place])).size;
  return {
    ordre: count(0) < count(1) ? 'prenomNom' : 'nomPrenom',
    noms: noms.length,
    exemples: noms.slice(0, EXEMPLES),
  };
}
