import { cleOeuvre, comparerTextes, normaliser } from '#shared/text';
import type { Oeuvre } from '#shared/bibliographie';
import type { Fiche } from '#server/upstream/fiche';

/** A record of the catalogue, as far as a bibliography reads it. */
export type Edition = Pick<Fiche, 'id' | 'titre' | 'auteurs' | 'annee' | 'isbns'>;

/**
 * The works of editions, each under its work key, by year, then by title; what has no year comes
 * last (contract.md « Bibliography »). A title without letter or digit resembles no other.
 *
 * @param livreDe the household's book with a work key
 */
export function oeuvres(
  editions: readonly Edition[],
  livreDe: (cle: string) => number | null,
): Oeuvre[] {
  const parCle = Map.groupBy(
    sansDouble(editions).sort((a, b) => comparerAnnees(a.annee, b.annee)),
    (edition) => cleOeuvre(edition.titre) || edition,
  );
  return [...parCle.values()]
    .flatMap(([premiere, ...suivantes]) =>
      premiere === undefined ? [] : [oeuvre(premiere, suivantes, livreDe)],
    )
    .sort(comparer);
}

function oeuvre(
  premiere: Edition,
  suivantes: readonly Edition[],
  livreDe: (cle: string) => number | null,
): Oeuvre {
  const { titre, annee } = premiere;
  const cle = cleOeuvre(titre);
  const livreId = cle === '' ? null : livreDe(cle);
  return {
    titre,
    cleOeuvre: cle,
    annee,
    isbn: [premiere, ...suivantes].flatMap(({ isbns }) => isbns)[0] ?? null,
    editions: 1 + suivantes.length,
    possede: livreId !== null,
    livreId,
  };
}

/** A record that two pages bring is one edition. */
function sansDouble(editions: readonly Edition[]): Edition[] {
  const vues = new Map(editions.map((edition) => [edition.id ?? edition, edition]));
  return [...vues.values()];
}

const comparerAnnees = (a: number | null, b: number | null): number =>
  (a ?? Infinity) === (b ?? Infinity) ? 0 : (a ?? Infinity) - (b ?? Infinity);

const comparer = (a: Oeuvre, b: Oeuvre): number =>
  comparerAnnees(a.annee, b.annee) || comparerTextes(normaliser(a.titre), normaliser(b.titre));
