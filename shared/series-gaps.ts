import { m } from '#messages';
import type { Place, Serie } from './series.ts';
import { tomesOfPlace } from './tomes.ts';
import { arrangeVolumes, type KnownPlace } from './series-fit.ts';

const tomesOf = (places: readonly KnownPlace[]): Set<number> =>
  new Set(places.flatMap(tomesOfPlace));

/** What tells which volumes a place is, and whether they are owned. */
type VolumePlace = Pick<Place, 'titre' | 'numero' | 'livreId'> & Partial<Pick<Place, 'tomes'>>;

const isOwned = ({ livreId }: VolumePlace): boolean => livreId !== null;

/**
 * A series as the household owns it: a place whose book is borrowed has none (docs/rules.md § 57). The same object where
 * no book is.
 */
export function withoutBorrowed<S extends Pick<Serie, 'places'>>(
  serie: S,
  isBorrowed: (livreId: number) => boolean,
): S {
  const holdsBorrowed = ({ livreId }: Place): boolean => livreId !== null && isBorrowed(livreId);
  if (!serie.places.some(holdsBorrowed)) return serie;
  const places = serie.places.map((place) =>
    holdsBorrowed(place) ? { ...place, livreId: null } : place,
  );
  return { ...serie, places };
}

/**
 * The volumes that a series must have and nobody has entered: the whole numbers up to the last known volume, or the
 * last of a finished series, without a place. None where no place has a number (docs/rules.md § 19).
 */
export function gapsOf({ places, nombreTomes }: Pick<Serie, 'places' | 'nombreTomes'>): string[] {
  const tomes = tomesOf(places);
  if (tomes.size === 0) return [];
  const last = Math.max(...tomes, nombreTomes ?? 0);
  return Array.from({ length: last }, (_, i) => i + 1)
    .filter((tome) => !tomes.has(tome))
    .map(String);
}

/** The places of a series in their order, with a gap where a volume without a place must be. */
export function slotsOf<P extends KnownPlace>(
  places: readonly P[],
  gaps: readonly string[],
): ({ readonly place: P } | { readonly gap: string })[] {
  const volumes = gaps.map((numero) => ({ titre: numero, numero, isbn: null, auteurs: [] }));
  return arrangeVolumes(places, volumes, () => false).map((slot) =>
    slot.kind === 'new' ? { gap: slot.volume.numero } : { place: slot.place },
  );
}

export interface Holding {
  readonly owned: number;
  /** Of what is known: the places, the gaps, and the volumes of a finished series. */
  readonly total: number;
  /** Nothing is missing of a series that a person has called finished. */
  readonly isComplete: boolean;
}

/**
 * How much of a series is owned, without the series inside it. A book of several volumes is each of them, and a volume
 * that two places have is one.
 */
export function holdingOf(serie: Pick<Serie, 'places' | 'nombreTomes'>): Holding {
  const volumesOf = (places: readonly Place[]): number =>
    tomesOf(places).size + places.filter((place) => tomesOfPlace(place).length === 0).length;
  const owned = volumesOf(serie.places.filter(isOwned));
  const total = Math.max(volumesOf(serie.places) + gapsOf(serie).length, serie.nombreTomes ?? 0);
  return { owned, total, isComplete: serie.nombreTomes !== null && owned >= total };
}

const holders = new WeakMap<readonly VolumePlace[], ReadonlyMap<number, number>>();

/** For each owned volume the index of its place. */
function ownedTomes(places: readonly VolumePlace[]): ReadonlyMap<number, number> {
  const known = holders.get(places);
  if (known !== undefined) return known;
  const owned = new Map<number, number>();
  for (const [index, place] of places.entries())
    if (isOwned(place))
      for (const tome of tomesOfPlace(place)) if (!owned.has(tome)) owned.set(tome, index);
  holders.set(places, owned);
  return owned;
}

/**
 * The place of the book that holds the volume of one without a book of its own, as an « intégrale » does; `null` where
 * the volume, or one of several, is not owned.
 *
 * @param places all places of the series
 */
export function holderOf<P extends VolumePlace>(place: P, places: readonly P[]): P | null {
  if (isOwned(place)) return null;
  const owned = ownedTomes(places);
  const [holder, ...others] = tomesOfPlace(place).map((tome) => owned.get(tome));
  return holder === undefined || others.includes(undefined) ? null : (places[holder] ?? null);
}

/** Whether no book of the house is or holds the volume of a place (docs/rules.md § 19). */
export const isManquant = (place: Place, places: readonly Place[]): boolean =>
  !isOwned(place) && holderOf(place, places) === null;

/** The whole numbers that are missing, those without a place included, in the order of the series. */
export function missingNumeros(serie: Pick<Serie, 'places' | 'nombreTomes'>): string[] {
  const owned = ownedTomes(serie.places);
  const missing = new Set<string>();
  for (const slot of slotsOf(serie.places, gapsOf(serie))) {
    if ('gap' in slot) missing.add(slot.gap);
    else if (!isOwned(slot.place)) {
      const tomes = tomesOfPlace(slot.place);
      for (const tome of tomes) if (!owned.has(tome)) missing.add(String(tome));
      if (tomes.length === 0 && slot.place.numero !== null) missing.add(slot.place.numero);
    }
  }
  return [...missing];
}

/** The whole numbers of the volumes that the house has. */
export const tomesOwned = ({ places }: Pick<Serie, 'places'>): ReadonlySet<number> =>
  new Set(ownedTomes(places).keys());

/** The last known volume, owned or not; `null` where none has a number. */
export function lastTome({ places }: Pick<Serie, 'places'>): number | null {
  const tomes = tomesOf(places);
  return tomes.size === 0 ? null : Math.max(...tomes);
}

/** Numbers in words, three and more in a row as one: « 3 à 5, 7 et 9 ». */
export function formatTomes(numeros: readonly string[]): string {
  const runs: string[][] = [];
  for (const numero of numeros) {
    const run = runs.at(-1);
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(numero)) run.push(numero);
    else runs.push([numero]);
  }
  const parts = runs.flatMap((run) =>
    run.length < 3 ? run : [m.tomes_run({ first: run[0] ?? '', last: run.at(-1) ?? '' })],
  );
  return new Intl.ListFormat(m.intl_locale()).format(parts);
}
