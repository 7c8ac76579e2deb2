import type { Oeuvre } from '#shared/bibliographie';
import { cleOeuvre, compareText, normaliser } from '#shared/text';
import type { SourceRecord } from '#server/plumbing/upstream/answers';

/** A record of the catalogue, as far as a bibliography reads it. */
type Edition = Pick<SourceRecord, 'id' | 'titre' | 'auteurs' | 'annee' | 'isbns'>;

/**
 * The works of editions, one for each work key, by year, then by title; those without a year last
 * (docs/rules.md § 26). A title without letter or digit is a work of its own.
 *
 * @param findLivreId the household's book with a work key
 */
export function toOeuvres(
  editions: readonly Edition[],
  findLivreId: (cle: string) => number | null,
): Oeuvre[] {
  const byCle = Map.groupBy(
    uniqueById(editions).sort((a, b) => compareAnnees(a.annee, b.annee)),
    (edition) => cleOeuvre(edition.titre) || edition,
  );
  return [...byCle.values()]
    .flatMap(([first, ...others]) =>
      first === undefined ? [] : [toOeuvre(first, others, findLivreId)],
    )
    .sort(compareOeuvres);
}

function toOeuvre(
  first: Edition,
  others: readonly Edition[],
  findLivreId: (cle: string) => number | null,
): Oeuvre {
  const { titre, annee } = first;
  const cle = cleOeuvre(titre);
  const livreId = cle === '' ? null : findLivreId(cle);
  return {
    titre,
    cleOeuvre: cle,
    annee,
    isbn: [first, ...others].flatMap(({ isbns }) => isbns)[0] ?? null,
    editions: 1 + others.length,
    possede: livreId !== null,
    livreId,
  };
}

/** A record on two pages is one edition. */
function uniqueById(editions: readonly Edition[]): Edition[] {
  const byId = new Map(editions.map((edition) => [edition.id ?? edition, edition]));
  return [...byId.values()];
}

const compareAnnees = (a: number | null, b: number | null): number =>
  (a ?? Infinity) === (b ?? Infinity) ? 0 : (a ?? Infinity) - (b ?? Infinity);

const compareOeuvres = (a: Oeuvre, b: Oeuvre): number =>
  compareAnnees(a.annee, b.annee) || compareText(normaliser(a.titre), normaliser(b.titre));
