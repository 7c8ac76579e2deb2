import type { Serie } from '#shared/series';

/** From so many volumes on the books of a series read as a set. */
const MIN_SET = 3;

const ALONE: readonly string[] = [];
const sets = new WeakMap<Serie, readonly string[]>();

/** The titles of the volumes whose jackets have one size of letters. */
export function setOf(serie: Serie): readonly string[] {
  if (serie.places.length < MIN_SET) return ALONE;
  let set = sets.get(serie);
  if (set === undefined) sets.set(serie, (set = serie.places.map(({ titre }) => titre)));
  return set;
}
