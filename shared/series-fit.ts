import type { AuteurRef } from './auteurs.ts';
import type { Place, Serie } from './series.ts';
import { numeroOf } from './series-titres.ts';
import { tomesOf } from './tomes.ts';
import { numbersByValue } from './sort.ts';
import { splitAuteurs } from './souhaits.ts';
import { cleRegroupement, compareText, searchForm, textKey, titreKey } from './text.ts';

interface FittingLivre {
  readonly titre: string;
  readonly isbn: string | null;
  readonly auteurs: readonly Pick<AuteurRef, 'nom'>[];
  readonly numero?: string | null;
}

/** A book to be added to a series; `numero` comes from a person, a file or its title. */
export interface Volume extends FittingLivre {
  readonly numero: string | null;
  /** The volumes as entered, or as in the file. */
  readonly tomes?: string | null;
}

export type KnownPlace = Pick<Place, 'titre' | 'numero' | 'auteur' | 'isbn' | 'livreId'> &
  Partial<Pick<Place, 'tomes'>>;

/** The traits for comparing volumes and places. */
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
 * Whether a place is missing and a book may be its volume: by ISBN, or by work and, if the place has any, a common
 * author (docs/rules.md § 19).
 */
export function fitsPlace(livre: FittingLivre, place: Omit<KnownPlace, 'numero'>): boolean {
  if (place.livreId !== null) return false;
  const [volume, missing] = [traitsOfLivre(livre), traitsOfPlace(place)];
  return hasSameIsbn(volume, missing) || isSameWork(volume, missing);
}

/** At most one per series; series with the book are left out (docs/rules.md § 19). */
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
export function numeroKey(written: string): string {
  const tomes = tomesOf(written);
  if (tomes.length > 1) return tomes.map((tome) => numbersByValue(String(tome))).join(' ');
  // « 2 » and « II » may be the same volume, but not surely.
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

/** By value; texts without a number come last. */
function compareKeys(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareText(a, b);
}

const isDigits = (key: string | null): boolean => key !== null && /^\d/.test(key);

// Places are found by keys, since a series may have thousands.

const ofNumero = ({ numero }: Traits): string | null =>
  numero === null ? null : `numero ${numero}`;
const ofIsbn = ({ isbn }: Traits): string | null => (isbn === null ? null : `isbn ${isbn}`);
const ofAny = ({ oeuvre }: Traits): string => `oeuvre ${oeuvre}`;
const ofUncounted = ({ oeuvre }: Traits): string => `hors compte ${oeuvre}`;

const keysOfPlace = (place: Traits): string[] =>
  [
    ofNumero(place),
    ofIsbn(place),
    ofAny(place),
    isDigits(place.numero) ? null : ofUncounted(place),
  ].filter((key) => key !== null);

/** « 1 » and « 2 » are different volumes; « 2 » and « II » may be the same. */
const ofWork = (volume: Traits): string =>
  isDigits(volume.numero) ? ofUncounted(volume) : ofAny(volume);

interface Evidence {
  /** The key of the candidate places. */
  readonly keyOf: (volume: Traits) => string | null;
  /** Which candidates match; all by default. */
  readonly fits?: (volume: Traits, place: Traits) => boolean;
}

/** Evidence that a volume belongs to a place, the surest first. */
const EVIDENCE: readonly Evidence[] = [
  {
    keyOf: ofNumero,
    fits: (volume, place) => hasSameIsbn(volume, place) || isSameWork(volume, place),
  },
  { keyOf: ofNumero },
  { keyOf: ofIsbn },
  {
    keyOf: ofWork,
    fits: (volume, place) => volume.titre === place.titre && isSameWork(volume, place),
  },
  { keyOf: ofWork, fits: isSameWork },
];

/** An unchanged place, one that receives a volume, or a volume without a place. */
type ArrangedPlace<P, V> =
  | { readonly kind: 'kept'; readonly place: P }
  | { readonly kind: 'filled'; readonly place: P; readonly volume: V }
  | { readonly kind: 'new'; readonly volume: V };

/**
 * Arranges volumes in a series: each in the open place that is surest to be its own, by number, ISBN or work; the
 * others in new places, each after the number before its own, or at the end without a number. The series' places keep
 * their order (docs/rules.md § 19).
 *
 * @param isOpen which places receive a volume: by default the missing ones
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
  const added = volumes
    .filter((volume) => !arrived.has(volume))
    .map((volume) => ({ volume, key: numeroKeyOf(volume) }))
    .sort((a, b) => compareKeys(a.key, b.key));
  const keys = places.map(numeroKeyOf);
  const behind = Map.groupBy(added, anchorsOf(keys, added));
  const madeAt = (index: number) =>
    (behind.get(index) ?? []).map(({ volume }) => ({ kind: 'new', volume }) as const);
  const [first] = behind.get(FIRST) ?? [];
  const firstOfKind = keys.findIndex(
    (key) => key !== null && isDigits(key) === isDigits(first?.key ?? null),
  );
  const start = firstOfKind < 0 ? places.length : firstOfKind;
  return [
    ...arranged.slice(0, start).flatMap((place, index) => [place, ...madeAt(index)]),
    // Before the first number of their kind, else at the end.
    ...madeAt(FIRST),
    ...arranged.slice(start).flatMap((place, index) => [place, ...madeAt(start + index)]),
    ...madeAt(LAST),
  ];
}

const FIRST = -1;
const LAST = Infinity;

interface AddedVolume {
  readonly key: string | null;
}

/**
 * The index of the place before a new one: the last with a lower number; `FIRST` without one, `LAST` without a
 * number.
 *
 * @param added in the order of their numbers
 */
function anchorsOf(
  keys: readonly (string | null)[],
  added: readonly AddedVolume[],
): (volume: AddedVolume) => number {
  const sorted = keys
    .flatMap((key, index) => (key === null ? [] : [{ key, index }]))
    .sort((a, b) => compareText(a.key, b.key));
  const anchors = new Map<AddedVolume, number>();
  let before = 0;
  for (const volume of added) {
    const { key } = volume;
    if (key === null) continue;
    for (let next = sorted[before]; next && compareText(next.key, key) <= 0; next = sorted[before])
      before++;
    anchors.set(volume, sorted[before - 1]?.index ?? FIRST);
  }
  return (volume) => anchors.get(volume) ?? LAST;
}

/** Pairs each open place with at most one volume. */
function matchVolumes<P extends KnownPlace, V extends Volume>(
  places: readonly P[],
  volumes: readonly V[],
): Map<P, V> {
  const open = places.map((place) => ({ place, traits: traitsOfPlace(place) }));
  const byKey = new Map<string | null, Set<(typeof open)[number]>>();
  for (const one of open)
    for (const key of keysOfPlace(one.traits)) {
      const same = byKey.get(key) ?? new Set();
      byKey.set(key, same.add(one));
    }
  const coming = new Map(volumes.map((volume) => [volume, traitsOfLivre(volume)]));
  const filled = new Map<P, V>();
  for (const { keyOf, fits = () => true } of EVIDENCE)
    for (const [volume, traits] of coming) {
      const found = firstOf(byKey.get(keyOf(traits)) ?? [], (one) => fits(traits, one.traits));
      if (found === undefined) continue;
      filled.set(found.place, volume);
      for (const key of keysOfPlace(found.traits)) byKey.get(key)?.delete(found);
      coming.delete(volume);
    }
  return filled;
}

function firstOf<T>(all: Iterable<T>, isWanted: (one: T) => boolean): T | undefined {
  for (const one of all) if (isWanted(one)) return one;
  return undefined;
}

/** Numbers that several volumes of a series have, in the spelling of the first. */
export function doubledNumeros(places: readonly { readonly numero: string | null }[]): string[] {
  const numeros = places.flatMap(({ numero }) => (numero?.trim() ? [numero.trim()] : []));
  return [...Map.groupBy(numeros, numeroKey).values()].flatMap((same) =>
    same.length > 1 && same[0] !== undefined ? [same[0]] : [],
  );
}
