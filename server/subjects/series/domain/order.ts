import type { Element } from '#shared/series';

/**
 * The order of a series after its places were rewritten: the places as given, and each sub-series
 * behind the place that it followed; where that one is gone, behind the nearest one before it that
 * stays, else first (docs/rules.md § 19).
 *
 * @param elements the previous order
 * @param places the ids of the places in their new order
 */
export function orderAfterRewrite(
  elements: readonly Element[],
  places: readonly number[],
): Element[] {
  const kept = new Set(places);
  const followers = new Map<number | null, Element[]>();
  let anchor: number | null = null;
  for (const element of elements) {
    if ('serie' in element) followers.set(anchor, [...(followers.get(anchor) ?? []), element]);
    else if (kept.has(element.place)) anchor = element.place;
  }
  return [
    ...(followers.get(null) ?? []),
    ...places.flatMap((place) => [{ place }, ...(followers.get(place) ?? [])]),
  ];
}

/** The order of a series in which other elements take the place of a sub-series. */
export const orderWithout = (
  elements: readonly Element[],
  serieId: number,
  replacements: readonly Element[],
): Element[] =>
  elements.flatMap((element) =>
    'serie' in element && element.serie === serieId ? replacements : [element],
  );

/** An element as a text that identifies it. */
export const elementKey = (element: Element): string =>
  'place' in element ? `place ${element.place}` : `serie ${element.serie}`;
