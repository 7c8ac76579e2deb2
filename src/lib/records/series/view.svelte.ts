import type { PlaceInSerie } from '#shared/global-search';
import type { Place, Serie } from '#shared/series';
import {
  gapsOf,
  holderOf,
  holdingOf,
  isManquant,
  slotsOf,
  withoutBorrowed,
  type Holding,
} from '#shared/series-gaps';
import { compareText, normaliser, wordMatcher } from '#shared/text';
import { m } from '$lib/paraglide/messages';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

export type SerieElement = { readonly place: Place } | { readonly serie: Serie };

export type VolumeSlot = { readonly place: Place } | { readonly gap: string };

export type SerieSlot = SerieElement | VolumeSlot;

/** A volume with its place or without; `livreId` is `null` where the volume is missing. */
export const volumeOf = (
  serie: Serie,
  slot: VolumeSlot,
): Pick<Place, 'titre' | 'numero' | 'livreId'> =>
  'place' in slot
    ? slot.place
    : {
        titre: m.tome_titre({ serie: serie.titre, numero: slot.gap }),
        numero: slot.gap,
        livreId: null,
      };

const sortedSeries = derivedFromViews((): readonly Serie[] =>
  [...views().series.values()]
    .map((serie) => ({ serie, key: normaliser(serie.titre) }))
    .sort((a, b) => compareText(a.key, b.key) || a.serie.id - b.serie.id)
    .map(({ serie }) => serie),
);

const placesByLivre = derivedFromViews(() =>
  Map.groupBy(
    sortedSeries().flatMap((serie) => serie.places.map((place) => ({ serie, place }))),
    ({ place }) => place.livreId,
  ),
);

export const seriesView = {
  count: (): number => views().series.size,
  /** By title, nested series included. */
  all: sortedSeries,
  /** By title; all series for an empty text. */
  search(text: string): readonly Serie[] {
    const matches = wordMatcher(text);
    return sortedSeries().filter(({ titre }) => matches(normaliser(titre)));
  },
  /** The series without a parent, by title. */
  roots(): readonly Serie[] {
    const { series: known } = views();
    return sortedSeries().filter(({ parentId }) => parentId === null || !known.has(parentId));
  },
  get: (id: number): Serie | undefined => views().series.get(id),
  /** The places and sub-series of a series in reading order. */
  elements(serie: Serie): readonly SerieElement[] {
    const places = new Map(serie.places.map((place) => [place.id, place]));
    return serie.elements.flatMap((element): SerieElement[] => {
      if ('place' in element) {
        const place = places.get(element.place);
        return place ? [{ place }] : [];
      }
      const subSerie = views().series.get(element.serie);
      return subSerie ? [{ serie: subSerie }] : [];
    });
  },
  /** The elements of a series, with the volumes that its numbers leave out where they belong. */
  slots(serie: Serie): readonly SerieSlot[] {
    const before = new Map<number, SerieSlot[]>();
    let waiting: SerieSlot[] = [];
    for (const slot of slotsOf(serie.places, gapsOf(serie)))
      if ('gap' in slot) waiting.push(slot);
      else {
        before.set(slot.place.id, waiting);
        waiting = [];
      }
    const elements = this.elements(serie).flatMap((element): SerieSlot[] =>
      'place' in element ? [...(before.get(element.place.id) ?? []), element] : [element],
    );
    return [...elements, ...waiting];
  },
  /** Sub-series included. */
  holding: (serie: Serie): Holding => collectHolding(serie, new Set()),
  /** Every place of a series and of its sub-series, at any depth, in reading order. */
  places: (serie: Serie): readonly PlaceInSerie[] => collectPlaces(serie, new Set()),
  /** The missing volumes, as places without a book. */
  manquants: (serie: Serie): readonly PlaceInSerie[] =>
    collectPlaces(serie, new Set(), ownSerie).filter(({ serie: of, place }) =>
      isManquant(place, of.places),
    ),
  /** The ancestors of a series, the outermost first. */
  ancestors(serie: Serie): readonly Serie[] {
    const ancestors = new Set<Serie>();
    let parent = views().series.get(serie.parentId ?? 0);
    while (parent !== undefined && !ancestors.has(parent)) {
      ancestors.add(parent);
      parent = views().series.get(parent.parentId ?? 0);
    }
    return [...ancestors].toReversed();
  },
  /** The series that can be put into another one: neither inside it nor around it. */
  candidatesFor(cycle: Serie): readonly Serie[] {
    const around = new Set(this.ancestors(cycle).map(({ id }) => id));
    return sortedSeries().filter(
      ({ id, parentId }) => id !== cycle.id && parentId !== cycle.id && !around.has(id),
    );
  },
  /** By the title of the series. */
  placesOfLivre: (livreId: number): readonly PlaceInSerie[] => placesByLivre().get(livreId) ?? [],
};

/** The next volume of a series: a household's book, or a missing one. */
export interface NextVolume {
  readonly serie: Serie;
  readonly slot: VolumeSlot;
}

/** The next volumes after a book, one for each of its series unless it is the last. */
export const nextVolumes = (livreId: number): readonly NextVolume[] =>
  [...new Set(seriesView.placesOfLivre(livreId).map(({ serie }) => serie))].flatMap((serie) => {
    const own = ownSerie(serie);
    const volumes = seriesView
      .slots(serie)
      .filter(
        (slot): slot is VolumeSlot =>
          !('serie' in slot) && !('place' in slot && holderOf(slot.place, own.places) !== null),
      );
    // A box may fill several places.
    const last = volumes.findLastIndex((slot) => volumeOf(serie, slot).livreId === livreId);
    const slot = volumes[last + 1];
    return slot === undefined ? [] : [{ serie, slot }];
  });

/** A series without the books that are borrowed. */
export const ownSerie = (serie: Serie): Serie =>
  withoutBorrowed(serie, (livreId) => views().catalogue.isBorrowed(livreId));

/**
 * @param seen ends a cycle, which a replica between two pages may have
 * @param as maps each series; unchanged by default
 */
function collectPlaces(
  found: Serie,
  seen: Set<number>,
  as: (serie: Serie) => Serie = (serie) => serie,
): PlaceInSerie[] {
  if (seen.has(found.id)) return [];
  seen.add(found.id);
  const serie = as(found);
  return seriesView
    .elements(serie)
    .flatMap((element) =>
      'place' in element
        ? [{ serie, place: element.place }]
        : collectPlaces(element.serie, seen, as),
    );
}

/** A cycle is complete when each of its series is. */
function collectHolding(serie: Serie, seen: Set<number>): Holding {
  const own = holdingOf(ownSerie(serie));
  if (seen.has(serie.id) || serie.sousSeries.length === 0) return own;
  seen.add(serie.id);
  const inside = seriesView
    .elements(serie)
    .flatMap((element) => ('serie' in element ? [collectHolding(element.serie, seen)] : []));
  return inside.reduce(
    (sum, each) => ({
      owned: sum.owned + each.owned,
      total: sum.total + each.total,
      isComplete: sum.isComplete && each.isComplete,
    }),
    { ...own, isComplete: own.owned >= own.total },
  );
}
