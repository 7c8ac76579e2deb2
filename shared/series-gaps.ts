import { m } from '#messages';
import type { Place, Serie } from './series.ts';
import { tomesOfPlace } from './tomes.ts';
import { arrangeVolumes, type KnownPlace } from './series-fit.ts';

const tomesOf = (places: readonly KnownPlace[]): Set<number> =>
  new Set(places.flatMap(tomesOfPlace));

/** The data that tells which volumes a place has, and whether they are owned. */
type VolumePlace = Pick<Place, 'titre' | 'numero' | 'livreId'> & Partial<Pick<Place, 'tomes'>>;

const isOwned = ({ livreId }: VolumePlace): boolean => livreId !== null;

/**
 * A series without its borrowed books, whose places count as missing (docs/rules.md § 57). The same object if there
 * is none.
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
 * The volumes without a place: the integers up to the last known volume, or the last of a finished series. Empty if
 * no place has a number (docs/rules.md § 19).
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
  /** The known volumes: places, gaps, and the volumes of a finished series. */
  readonly total: number;
  /** True if a person has marked the series as finished and nothing is missing. */
  readonly isComplete: boolean;
}

/**
 * How much of a series is owned, without its sub-series. A book with several volumes counts for each, and a volume
 * with two places once.
 */
export function holdingOf(serie: Pick<Serie, 'places' | 'nombreTomes'>): Holding {
  const volumesOf = (places: readonly Place[]): number =>
    tomesOf(places).size + places.filter((place) => tomesOfPlace(place).length === 0).length;
  const owned = volumesOf(serie.places.filter(isOwned));
  const total = Math.max(volumesOf(serie.places) + gapsOf(serie).length, serie.nombreTomes ?? 0);
  return { owned, total, isComplete: serie.nombreTomes !== null && owned >= total };
}

const holders = new WeakMap<readonly VolumePlace[], ReadonlyMap<number, number>>();

/** The place's index of each owned volume. */
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
 * The place of the book that contains the volume of a place without a book, such as an « intégrale »; `null` if not
 * all of its volumes are owned.
 *
 * @param places all places of the series
 */
export function holderOf<P extends VolumePlace>(place: P, places: readonly P[]): P | null {
  if (isOwned(place)) return null;
  const owned = ownedTomes(places);
  const [holder, ...others] = tomesOfPlace(place).map((tome) => owned.get(tome));
  return holder === undefined || others.includes(undefined) ? null : (places[holder] ?? null);
}

/** Whether no book of the household is or contains the volume of a place (docs/rules.md § 19). */
export const isManquant = (place: Place, places: readonly Place[]): boolean =>
  !isOwned(place) && holderOf(place, places) === null;

/** The missing integers, those without a place included, in the order of the series. */
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

/** The owned volumes with integer numbers. */
export const tomesOwned = ({ places }: Pick<Serie, 'places'>): ReadonlySet<number> =>
  new Set(ownedTomes(places).keys());

/** The last known volume, owned or not; `null` where none has a number. */
export function lastTome({ places }: Pick<Serie, 'places'>): number | null {
  const tomes = tomesOf(places);
  return tomes.size === 0 ? null : Math.max(...tomes);
}

/** Numbers in words, three and more in a row as a range: « 3 à 5, 7 et 9 ». */
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
