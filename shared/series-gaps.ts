import type { Serie } from './series.ts';
import { numeroOf, readRoman } from './series-titres.ts';
import { arrangeVolumes, type KnownPlace } from './series-fit.ts';

/** A larger number is a year or a collection's, and means no volumes before it. */
const MAX_TOME = 400;

/** « 3-4 », « 3 à 5 », « 3 et 4 », « 3/4 »: one book of several volumes. */
const SPAN = /^(\d+)\s*(?:[-–—/&+]|à|et)\s*(\d+)$/u;

/** The volumes that a number stands for: none for « hors-série » or « 1 bis », several for « 3-4 ». */
function tomesOf(numero: string | null): readonly number[] {
  const text = numeroOf(numero ?? '');
  const [, from, to] = SPAN.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const [first, last] = [Number(from), Number(to)];
    return last > MAX_TOME || last < first
      ? []
      : Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }
  const tome = /^\d+$/.test(text) ? Number(text) : /^[IVX]+$/i.test(text) ? readRoman(text) : null;
  return tome === null || tome > MAX_TOME ? [] : [tome];
}

/**
 * The volumes that a series must have and nobody has entered: the whole numbers up to the last known volume, or the
 * last of a finished series, without a place. None where no place has a number (docs/rules.md § 19).
 */
export function gapsOf({ places, nombreTomes }: Pick<Serie, 'places' | 'nombreTomes'>): string[] {
  const known = new Set(places.flatMap(({ numero }) => tomesOf(numero)));
  if (known.size === 0) return [];
  const last = Math.max(...known, nombreTomes ?? 0);
  return Array.from({ length: last }, (_, i) => i + 1)
    .filter((tome) => !known.has(tome))
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

/** How much of a series is owned, without the series inside it. */
export function holdingOf(serie: Pick<Serie, 'places' | 'nombreTomes'>): Holding {
  const owned = serie.places.filter(({ livreId }) => livreId !== null).length;
  const known = serie.places.length + gapsOf(serie).length;
  const total = Math.max(known, serie.nombreTomes ?? 0);
  return { owned, total, isComplete: serie.nombreTomes !== null && owned >= total };
}

/** The last known volume, owned or not; `null` where none has a number. */
export function lastTome({ places }: Pick<Serie, 'places'>): number | null {
  const known = new Set(places.flatMap(({ numero }) => tomesOf(numero)));
  return known.size === 0 ? null : Math.max(...known);
}

/** Numbers in words, three and more in a row as one: « 3 à 5, 7 et 9 ». */
export function tellTomes(numeros: readonly string[]): string {
  const runs: string[][] = [];
  for (const numero of numeros) {
    const run = runs.at(-1);
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(numero)) run.push(numero);
    else runs.push([numero]);
  }
  const parts = runs.flatMap((run) =>
    run.length < 3 ? run : [`${run[0] ?? ''} à ${run.at(-1) ?? ''}`],
  );
  return new Intl.ListFormat('fr').format(parts);
}
