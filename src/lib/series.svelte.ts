import * as operations from '#shared/series';
import type { Element, Place, Serie, SerieSaisie } from '#shared/series';
import type { Souhait } from '#shared/souhaits';
import { comparerTextes, normaliser } from '#shared/text';
import { ecrire } from './ecriture.ts';
import { lesVues, parVersion } from './vues.svelte.ts';

/** A volume's place and the series whose place it is. */
export interface Volume {
  readonly serie: Serie;
  readonly place: Place;
}

/** What stands in a series: a volume's place, or another series. */
export type Contenu = { readonly place: Place } | { readonly serie: Serie };

const toutes = parVersion((): readonly Serie[] =>
  [...lesVues().series.values()]
    .map((serie) => ({ serie, cle: normaliser(serie.titre) }))
    .sort((a, b) => comparerTextes(a.cle, b.cle) || a.serie.id - b.serie.id)
    .map(({ serie }) => serie),
);

const parLivre = parVersion(() => {
  const places = new Map<number, Volume[]>();
  for (const serie of toutes())
    for (const place of serie.places) {
      if (place.livreId === null) continue;
      const siennes = places.get(place.livreId);
      if (siennes) siennes.push({ serie, place });
      else places.set(place.livreId, [{ serie, place }]);
    }
  return places;
});

/** The household's series and cycles as this device holds them, reactive. */
export const series = {
  get nombre(): number {
    return lesVues().series.size;
  },
  /** All of them by title, whatever they stand in. */
  get toutes(): readonly Serie[] {
    return toutes();
  },
  /** Those that stand in no other, by title. */
  get racines(): readonly Serie[] {
    const { series: connues } = lesVues();
    return toutes().filter(({ parentId }) => parentId === null || !connues.has(parentId));
  },
  serie(id: number): Serie | undefined {
    return lesVues().series.get(id);
  },
  /** The places and sub-series of a series in reading order. */
  contenu(serie: Serie): readonly Contenu[] {
    const places = new Map(serie.places.map((place) => [place.id, place]));
    return serie.elements.flatMap((element): Contenu[] => {
      if ('place' in element) {
        const place = places.get(element.place);
        return place ? [{ place }] : [];
      }
      const sousSerie = lesVues().series.get(element.serie);
      return sousSerie ? [{ serie: sousSerie }] : [];
    });
  },
  /** Every volume of a series and of those inside it, in any depth, in reading order. */
  volumes(serie: Serie): readonly Volume[] {
    return volumesDe(serie, new Set());
  },
  /** The series that one stands in, the outermost first. */
  chemin(serie: Serie): readonly Serie[] {
    const chemin: Serie[] = [];
    let parent = lesVues().series.get(serie.parentId ?? 0);
    while (parent !== undefined && !chemin.includes(parent)) {
      chemin.unshift(parent);
      parent = lesVues().series.get(parent.parentId ?? 0);
    }
    return chemin;
  },
  /** The places that a book holds, by the title of the series. */
  duLivre(livreId: number): readonly Volume[] {
    return parLivre().get(livreId) ?? [];
  },
};

/** The copy may be between two pages of changes: a circle that only seems one ends here. */
function volumesDe(serie: Serie, vues: Set<number>): Volume[] {
  if (vues.has(serie.id)) return [];
  vues.add(serie.id);
  return series
    .contenu(serie)
    .flatMap((contenu) =>
      'place' in contenu ? [{ serie, place: contenu.place }] : volumesDe(contenu.serie, vues),
    );
}

/** Adds a series with its places. */
export const ajouterSerie = (saisie: SerieSaisie): Promise<Serie> =>
  ecrire(operations.ajouterSerie, { body: saisie });

/** Rewrites a series and its places. Throws `CYCLE_IMPOSSIBLE` for one inside itself. */
export const modifierSerie = (id: number, saisie: SerieSaisie): Promise<Serie> =>
  ecrire(operations.modifierSerie, { params: { id }, body: saisie });

/** Deletes a series with its places; the series inside it move up. */
export const supprimerSerie = (id: number): Promise<undefined> =>
  ecrire(operations.supprimerSerie, { params: { id } });

/** Puts the places and sub-series in a new order. Throws `LISTE_PERIMEE` where they are others. */
export const ordonnerSerie = (id: number, elements: Element[]): Promise<Serie> =>
  ecrire(operations.ordonnerSerie, { params: { id }, body: { elements } });

/** Puts a missing volume on the reader's own list. Throws `SOUHAIT_EXISTANT`, `PLACE_OCCUPEE`. */
export const souhaiterPlace = (placeId: number): Promise<Souhait> =>
  ecrire(operations.souhaiterPlace, { params: { id: placeId } });

/** Puts a book in a place of a series; all else of the series stays as this device knows it. */
export function placerLivre({ serie, place }: Volume, livreId: number): Promise<Serie> {
  const { titre, parentId, places } = lesVues().series.get(serie.id) ?? serie;
  return modifierSerie(serie.id, {
    titre,
    parentId,
    places: places.map((une) => (une.id === place.id ? { ...une, livreId } : une)),
  });
}
