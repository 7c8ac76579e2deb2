import type { AuteurRef } from './auteurs.ts';
import type { Place, Serie } from './series.ts';
import { cleRegroupement, normaliser, titreKey } from './text.ts';

/** The fields of a book or a wish that are compared with a missing volume. */
interface FittingLivre {
  readonly titre: string;
  readonly isbn: string | null;
  readonly auteurs: readonly Pick<AuteurRef, 'nom'>[];
}

/** The fields of a place that are compared. */
type MissingPlace = Pick<Place, 'titre' | 'auteur' | 'isbn' | 'livreId'>;

/**
 * Whether a place is missing and a book may be its volume: by the ISBN, or by the work and one of
 * its authors where the place names one (docs/rules.md § 19).
 */
export function fitsPlace(livre: FittingLivre, { titre, auteur, isbn, livreId }: MissingPlace) {
  if (livreId !== null) return false;
  if (isbn !== null && isbn === livre.isbn) return true;
  if (titreKey(titre) !== titreKey(livre.titre)) return false;
  return (
    auteur === null ||
    livre.auteurs.some(({ nom }) => cleRegroupement(nom) === cleRegroupement(auteur))
  );
}

/**
 * The missing volumes that a book may be, one a series at most; a series that has the book already
 * is left out (docs/rules.md § 19).
 */
export const findManquants = (
  livre: FittingLivre & { readonly id: number },
  series: readonly Serie[],
): { readonly serie: Serie; readonly place: Place }[] =>
  series.flatMap((serie) => {
    if (serie.places.some(({ livreId }) => livreId === livre.id)) return [];
    const place = serie.places.find((one) => fitsPlace(livre, one));
    return place ? [{ serie, place }] : [];
  });

/** A volume as its title tells it. */
interface TitreTome {
  readonly serie: string;
  readonly numero: string;
  /** The volume's own title; '' where the title tells only series and number. */
  readonly titre: string;
}

const DIGITS = '\\d{1,3}(?:\\s?(?:bis|ter))?';
const TOME_WORD = '(?:tome|volume|vol\\.?|n[°º]\\.?|#|t\\.?(?=\\s*\\d)|livre(?=\\s))';
/** Ends the number: the title's end, or the volume's own title behind a mark. */
const REST = '\\)?(?:\\s*$|\\s*[,:;.–—-]\\s*(.+)$)';

/** « Astérix, tome 7 : … », « Astérix (T. 7) », « Akira n° 3 ». */
const WITH_WORD = new RegExp(
  `^(.+?)(?:\\s*[,:;.(–—-]\\s*|\\s+)${TOME_WORD}\\s*(${DIGITS}|[IVXLC]+)${REST}`,
  'iu',
);
/** « La marée haute : 1 », « Astérix. 7, Le combat des chefs », « Astérix (7) ». */
const WITH_NUMBER = new RegExp(
  `^(.+?)(?:\\s+[:;–—]\\s+|,\\s+|\\.\\s+|\\s+\\()(${DIGITS}|[IVX]{2,6})${REST}`,
  'u',
);

/** The series, number and own title that a book's title tells; `null` for one that tells none. */
export function parseTome(titre: string): TitreTome | null {
  const [, serie = '', numero = '', rest = ''] =
    WITH_WORD.exec(titre.trim()) ?? WITH_NUMBER.exec(titre.trim()) ?? [];
  if (normaliser(serie) === '' || numero === '') return null;
  return { serie: serie.trim(), numero, titre: rest.trim() };
}

/** A series that a book's title names, or the one that its title would make. */
interface SerieProposal extends TitreTome {
  /** `null` where the household has no series of this title. */
  readonly known: Serie | null;
}

/** The series to propose for a book by its title; `null` where the title tells no number. */
export function proposeSerie(titre: string, series: readonly Serie[]): SerieProposal | null {
  const tome = parseTome(titre);
  return tome === null ? null : { ...tome, known: serieOfTitre(tome.serie, series) };
}

/** A series with the same normalised title, but for the one that is being edited. */
export const serieOfTitre = (
  titre: string,
  series: readonly Serie[],
  exceptId: number | null = null,
): Serie | null => {
  const key = normaliser(titre);
  if (key === '') return null;
  return series.find((serie) => serie.id !== exceptId && normaliser(serie.titre) === key) ?? null;
};

/** The numbers that several volumes of one series have, as the first of each writes it. */
export function doubledNumeros(places: readonly { readonly numero: string | null }[]): string[] {
  const numeros = places.flatMap(({ numero }) => (numero?.trim() ? [numero.trim()] : []));
  return [...Map.groupBy(numeros, numeroKey).values()].flatMap((same) =>
    same.length > 1 && same[0] !== undefined ? [same[0]] : [],
  );
}

/** « 07 » and « 7 » are one number. */
const numeroKey = (numero: string): string =>
  (normaliser(numero) || numero).replace(/(?<!\d)0+(?=\d)/g, '');
