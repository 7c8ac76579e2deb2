import type { AuteurRef } from './auteurs.ts';
import type { Place, Serie } from './series.ts';
import { numeroOf, tomesOf } from './series-titres.ts';
import { numbersByValue } from './sort.ts';
import { splitAuteurs } from './souhaits.ts';
import { cleRegroupement, compareText, searchForm, textKey, titreKey } from './text.ts';

interface FittingLivre {
  readonly titre: string;
  readonly isbn: string | null;
  readonly auteurs: readonly Pick<AuteurRef, 'nom'>[];
  readonly numero?: string | null;
}

/** A book as it comes into a series; `numero` is what a person, a file or a title says of it. */
export interface Volume extends FittingLivre {
  readonly numero: string | null;
}

export type KnownPlace = Pick<Place, 'titre' | 'numero' | 'auteur' | 'isbn' | 'livreId'>;

/** What a volume and a place are compared by. */
const traitsOf = (
  { titre, isbn, numero = null }: Omit<FittingLivre, 'auteurs'>,
  noms: readonly string[],
) => ({
  numero: numero === null ? null : numeroKey(numero),
  isbn,
  titre: textKey(titre),
  oeuvre: titreKey(titre),
  auteurs: noms.map(cleRegroupement),
});
type Traits = ReturnType<typeof traitsOf>;

const traitsOfLivre = (livre: FittingLivre): Traits =>
  traitsOf(
    livre,
    livre.auteurs.map(({ nom }) => nom),
  );

const traitsOfPlace = (place: Omit<KnownPlace, 'numero'>): Traits =>
  traitsOf(place, splitAuteurs(place.auteur));

const hasSameIsbn = (volume: Traits, place: Traits): boolean =>
  volume.isbn !== null && volume.isbn === place.isbn;

/** A place without an author may be anyone's. */
const isSameWork = (volume: Traits, place: Traits): boolean =>
  volume.oeuvre === place.oeuvre &&
  (place.auteurs.length === 0 || place.auteurs.some((cle) => volume.auteurs.includes(cle)));

/**
 * Whether a place is missing and a book may be its volume: by the ISBN, or by the work and, where the place names any,
 * one of its authors (docs/rules.md § 19).
 */
export function fitsPlace(livre: FittingLivre, place: Omit<KnownPlace, 'numero'>): boolean {
  if (place.livreId !== null) return false;
  const [volume, missing] = [traitsOfLivre(livre), traitsOfPlace(place)];
  return hasSameIsbn(volume, missing) || isSameWork(volume, missing);
}

/** At most one a series; a series that has the book already is left out (docs/rules.md § 19). */
export const findManquants = (
  livre: FittingLivre & { readonly id: number },
  series: readonly Serie[],
): { readonly serie: Serie; readonly place: Place }[] =>
  series.flatMap((serie) => {
    if (serie.places.some(({ livreId }) => livreId === livre.id)) return [];
    const place = serie.places.find((one) => fitsPlace(livre, one));
    return place ? [{ serie, place }] : [];
  });

/** A number with its decimals, without trailing zeros. */
const NUMBER = /(\d+)(?:[.,](\d*[1-9])?0*(?!\d))?/g;

/**
 * The key that compares numbers of volumes by value: « 07 » is « 7 »; « 1,50 » is « 1.5 » and lies between « 1 bis »
 * and « 2 »; « HS 2 » lies between all numbers and « HS 10 »; « 1-3 » and « Intégrale 1 à 3 » are the same volumes.
 */
function numeroKey(written: string): string {
  const tomes = tomesOf(written);
  if (tomes.length > 1) return tomes.map((tome) => numbersByValue(String(tome))).join(' ');
  // « 2 » and « II » may be one volume, and may not.
  const numero = /^\s*[IVXLC]+\s*$/i.test(written) ? written : numeroOf(written);
  let key = '';
  let end = 0;
  for (const { 0: all, 1: whole = '', 2: decimals, index } of numero.matchAll(NUMBER)) {
    key += ` ${searchForm(numero.slice(end, index))} ${numbersByValue(whole)}`;
    if (decimals !== undefined) key += `.${decimals}`;
    end = index + all.length;
  }
  key += ` ${searchForm(numero.slice(end))}`;
  return key.replace(/ +/g, ' ').trim() || numero.trim();
}

const numeroKeyOf = ({ numero }: { readonly numero: string | null }): string | null =>
  numero === null ? null : numeroKey(numero);

/** Whether both have a number, and the same by value. */
export const isSameNumero = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && numeroKey(a) === numeroKey(b);

/** By value; what has no number comes last. */
function compareKeys(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareText(a, b);
}

const hasSameNumero = (volume: Traits, place: Traits): boolean =>
  volume.numero !== null && volume.numero === place.numero;

const isDigits = (key: string | null): boolean => /^\d/.test(key ?? '');

/** « 1 » and « 2 » cannot be one volume; « 2 » and « II » may. */
const contradicts = (volume: Traits, place: Traits): boolean =>
  isDigits(volume.numero) && isDigits(place.numero) && !hasSameNumero(volume, place);

/** What says that a volume is that of a place, the surest first. */
const EVIDENCE: readonly ((volume: Traits, place: Traits) => boolean)[] = [
  (volume, place) =>
    hasSameNumero(volume, place) && (hasSameIsbn(volume, place) || isSameWork(volume, place)),
  hasSameNumero,
  hasSameIsbn,
  (volume, place) =>
    volume.titre === place.titre && isSameWork(volume, place) && !contradicts(volume, place),
  (volume, place) => isSameWork(volume, place) && !contradicts(volume, place),
];

/** A place that stays as it is, one that takes a volume, or a volume that needs a new one. */
type ArrangedPlace<P, V> =
  | { readonly kind: 'kept'; readonly place: P }
  | { readonly kind: 'filled'; readonly place: P; readonly volume: V }
  | { readonly kind: 'new'; readonly volume: V };

/**
 * Where volumes go in a series: each into the open place that is surest to be its own, by number, ISBN or work; the
 * others into new places, each behind the number before its own, or at the end without a number. The places of the
 * series keep their order (docs/rules.md § 19).
 *
 * @param isOpen which places take a volume: by default the missing ones
 */
export function arrangeVolumes<P extends KnownPlace, V extends Volume>(
  places: readonly P[],
  volumes: readonly V[],
  isOpen: (place: P) => boolean = ({ livreId }) => livreId === null,
): ArrangedPlace<P, V>[] {
  const filled = matchVolumes(places.filter(isOpen), volumes);
  const arrived = new Set(filled.values());
  const arranged = places.map((place): ArrangedPlace<P, V> => {
    const volume = filled.get(place);
    return volume === undefined ? { kind: 'kept', place } : { kind: 'filled', place, volume };
  });
  const keys = places.map(numeroKeyOf);
  const added = volumes
    .filter((volume) => !arrived.has(volume))
    .map((volume) => ({ volume, key: numeroKeyOf(volume) }))
    .sort((a, b) => compareKeys(a.key, b.key));
  for (const { volume, key } of added) {
    const position = positionOf(key, keys);
    arranged.splice(position, 0, { kind: 'new', volume });
    keys.splice(position, 0, key);
  }
  return arranged;
}

/** Pairs each open place with one volume at most. */
function matchVolumes<P extends KnownPlace, V extends Volume>(
  places: readonly P[],
  volumes: readonly V[],
): Map<P, V> {
  const open = new Map(places.map((place) => [place, traitsOfPlace(place)]));
  const coming = new Map(volumes.map((volume) => [volume, traitsOfLivre(volume)]));
  const filled = new Map<P, V>();
  for (const fits of EVIDENCE)
    for (const [volume, traits] of coming) {
      const [place] = [...open].find(([, known]) => fits(traits, known)) ?? [];
      if (place === undefined) continue;
      filled.set(place, volume);
      open.delete(place);
      coming.delete(volume);
    }
  return filled;
}

/** Behind the number before it, else before the first number of its kind, else at the end. */
function positionOf(key: string | null, keys: readonly (string | null)[]): number {
  if (key === null) return keys.length;
  let previous = -1;
  for (const [index, other] of keys.entries()) {
    const isBefore = other !== null && compareKeys(other, key) <= 0;
    if (isBefore && compareKeys(keys[previous] ?? '', other) <= 0) previous = index;
  }
  if (previous >= 0) return previous + 1;
  const first = keys.findIndex((other) => other !== null && isDigits(other) === isDigits(key));
  return first < 0 ? keys.length : first;
}

/** The numbers that several volumes of one series have, as the first of each writes it. */
export function doubledNumeros(places: readonly { readonly numero: string | null }[]): string[] {
  const numeros = places.flatMap(({ numero }) => (numero?.trim() ? [numero.trim()] : []));
  return [...Map.groupBy(numeros, numeroKey).values()].flatMap((same) =>
    same.length > 1 && same[0] !== undefined ? [same[0]] : [],
  );
}
