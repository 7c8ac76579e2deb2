import * as endpoints from '#shared/series';
import type { Element, Place, Serie, SerieSaisie } from '#shared/series';
import { slotsOf } from '#shared/series-gaps';
import { joinAuteurs } from '#shared/souhaits';
import { livresView } from '../livres/view.svelte.ts';
import type { Souhait } from '#shared/souhaits';
import { ApiError, refusalOf } from '$lib/api/error';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { write } from '$lib/sync/write';
import type { Batch } from '$lib/sync/feedback.svelte';
import { views } from '$lib/sync/views.svelte';
import type { PlaceInSerie } from './view.svelte.ts';

export const ajouterSerie = (saisie: SerieSaisie, unsent?: AbortSignal): Promise<Serie> =>
  write(endpoints.ajouterSerie, { body: saisie, unsent });

/**
 * Rewrites a series and its places.
 *
 * @throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself
 */
export const modifierSerie = (
  id: number,
  saisie: SerieSaisie,
  ifMatch: number | null,
  unsent?: AbortSignal,
): Promise<Serie> =>
  write(endpoints.modifierSerie, { params: { id }, body: saisie, ifMatch, unsent });

/** Changes some fields of a series as this device holds it; all else of it stays. */
const changerSerie = (
  { id, titre, parentId, nombreTomes, places }: Serie,
  change: Partial<SerieSaisie>,
): Promise<Serie> =>
  modifierSerie(
    id,
    { titre, parentId, nombreTomes, places, ...change },
    views().revisionOf('series', id),
  );

/**
 * Puts a series into another one, at its end.
 *
 * @throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself
 */
export const placerSerie = (serie: Serie, parentId: number): Promise<Serie> =>
  changerSerie(serie, { parentId });

/** Says how many volumes a series has, being finished; `null` where it goes on. */
export const finirSerie = (serie: Serie, nombreTomes: number | null): Promise<Serie> =>
  changerSerie(serie, { nombreTomes });

/**
 * Adds the volumes that the numbers of a series leave out as missing ones, each where its number
 * belongs, by the author that all its volumes have.
 *
 * @param titreOf the title of the volume of a number
 */
export function ajouterManquants(
  serie: Serie,
  gaps: readonly string[],
  titreOf: (numero: string) => string,
): Promise<Serie> {
  const [auteur, ...others] = new Set(serie.places.map((place) => auteurOfPlace(place)));
  const places = slotsOf(serie.places, gaps).map((slot) =>
    'place' in slot
      ? slot.place
      : {
          titre: titreOf(slot.gap),
          numero: slot.gap,
          auteur: others.length === 0 ? (auteur ?? null) : null,
        },
  );
  return changerSerie(serie, { places });
}

/** What a volume says of its author: the place, or else its book. */
function auteurOfPlace({ auteur, livreId }: Place): string | null {
  const livre = livreId === null ? undefined : livresView.get(livreId);
  return joinAuteurs(livre?.auteurs.map(({ nom }) => nom) ?? []) ?? auteur;
}

/**
 * Reorders the places and sub-series.
 *
 * @throws the refusal `LISTE_PERIMEE` unless `elements` is all of them
 */
export const ordonnerSerie = (
  id: number,
  elements: Element[],
  ifMatch: number | null,
  batch?: Batch,
): Promise<Serie> =>
  write(endpoints.ordonnerSerie, { params: { id }, body: { elements }, ifMatch }, { batch });

/**
 * Puts a book in a missing volume's place; all else of the series stays as the server has it.
 *
 * @throws the refusal `MODIFIE_ENTRETEMPS` where the place has been filled or deleted meanwhile
 */
export async function placerLivre(
  { serie, place }: PlaceInSerie,
  livreId: number,
  ifMatch: number | null = views().revisionOf('series', serie.id),
): Promise<Serie> {
  const request = { params: { id: place.id }, body: { livreId }, ifMatch };
  try {
    return await write(endpoints.placerLivre, request);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) throw error;
    const current = unsafeCast<Serie | null>(refusal.actuel)?.places.find(
      ({ id }) => id === place.id,
    );
    if (current?.livreId !== null || error.revision === ifMatch) throw error;
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
