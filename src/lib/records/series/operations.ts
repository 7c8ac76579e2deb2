import * as endpoints from '#shared/series';
import type { Element, Serie, SerieSaisie } from '#shared/series';
import type { Souhait } from '#shared/souhaits';
import { ApiError, refusalOf } from '$lib/api/error';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { write } from '$lib/sync/write';
import type { Batch } from '$lib/sync/feedback.svelte';
import { views } from '$lib/sync/views.svelte';
import type { PlaceInSerie } from './view.svelte.ts';

// `revision` is the one that the write was made from: another one by now is refused with
// `MODIFIE_ENTRETEMPS` (docs/rules.md § 29). With `null` the write is made whatever it is. `batch` is
// the act that the write is a part of, where it is one.

/** Adds a series with its places. */
export const ajouterSerie = (saisie: SerieSaisie): Promise<Serie> =>
  write(endpoints.ajouterSerie, { body: saisie });

/**
 * Rewrites a series and its places.
 *
 * @throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself
 */
export const modifierSerie = (
  id: number,
  saisie: SerieSaisie,
  revision: number | null,
): Promise<Serie> =>
  write(endpoints.modifierSerie, { params: { id }, body: saisie, ifMatch: revision });

/**
 * Puts a series into another one, at its end; all else of it stays.
 *
 * @throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself
 */
export const placerSerie = (
  { id, titre, places }: Serie,
  parentId: number,
  revision: number | null = views().revisionOf('series', id),
): Promise<Serie> => modifierSerie(id, { titre, parentId, places }, revision);

/**
 * Reorders the places and sub-series.
 *
 * @throws the refusal `LISTE_PERIMEE` unless `elements` is all of them
 */
export const ordonnerSerie = (
  id: number,
  elements: Element[],
  revision: number | null,
  batch?: Batch,
): Promise<Serie> =>
  write(
    endpoints.ordonnerSerie,
    { params: { id }, body: { elements }, ifMatch: revision },
    { batch },
  );

/**
 * Puts a book in a missing volume's place; all else of the series stays as the server has it.
 *
 * @throws the refusal `MODIFIE_ENTRETEMPS` where the place has been filled or deleted meanwhile
 */
export async function placerLivre(
  { serie, place }: PlaceInSerie,
  livreId: number,
  revision: number | null = views().revisionOf('series', serie.id),
): Promise<Serie> {
  const request = { params: { id: place.id }, body: { livreId }, ifMatch: revision };
  try {
    return await write(endpoints.placerLivre, request);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
    const current = unsafeCast<Serie | null>(refusal.actuel)?.places.find(
      ({ id }) => id === place.id,
    );
    if (current?.livreId !== null || error.revision === revision) throw error;
    return placerLivre({ serie, place }, livreId, error.revision);
  }
}

/**
 * Puts a missing volume on the reader's own list.
 *
 * @throws the refusals `SOUHAIT_EXISTANT` and `PLACE_OCCUPEE`
 */
export const souhaiterPlace = (placeId: number, batch?: Batch): Promise<Souhait> =>
  write(endpoints.souhaiterPlace, { params: { id: placeId } }, { batch });
