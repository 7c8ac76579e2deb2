import type { Element } from '#shared/series';

/**
 * The order of a series whose places are written anew: the places in the order given, and each
 * sub-series behind the place that it stood behind; where that one is gone, behind the nearest one
 * before it that stays, else first.
 *
 * @param elements the order so far
 * @param places the ids of the places from here on
 */
export function ordreReecrit(elements: readonly Element[], places: readonly number[]): Element[] {
  const restent = new Set(places);
  const derriere = new Map<number | null, Element[]>();
  let ancre: number | null = null;
  for (const element of elements) {
    if ('serie' in element) derriere.set(ancre, [...(derriere.get(ancre) ?? []), element]);
    else if (restent.has(element.place)) ancre = element.place;
  }
  return [
    ...(derriere.get(null) ?? []),
    ...places.flatMap((place) => [{ place }, ...(derriere.get(place) ?? [])]),
  ];
}

/** The order of a series in which the elements of one that goes stand where it stood. */
export const ordreSans = (
  elements: readonly Element[],
  id: number,
  heritage: readonly Element[],
): Element[] =>
  elements.flatMap((element) =>
    'serie' in element && element.serie === id ? heritage : [element],
  );

/** An element as one word, for comparing orders. */
export const motDe = (element: Element): string =>
  'place' in element ? `place ${element.place}` : `serie ${element.serie}`;
