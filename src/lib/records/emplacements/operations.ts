import * as endpoints from '#shared/emplacements';
import type { Emplacement, EmplacementSaisi } from '#shared/emplacements';
import { rangerLivre as rangerLivreEndpoint, type Livre } from '#shared/livres';
import type { Batch } from '$lib/sync/feedback.svelte';
import { views } from '$lib/sync/views.svelte';
import { write } from '$lib/sync/write';

/**
 * Adds a location, the last in its parent.
 *
 * @throws the refusals `EMPLACEMENT_EXISTANT` and `EMPLACEMENT_PROFOND`
 */
export const ajouterEmplacement = (
  saisi: EmplacementSaisi,
  batch?: Batch,
  unsent?: AbortSignal,
): Promise<Emplacement> => write(endpoints.ajouterEmplacement, { body: saisi, unsent }, { batch });

/**
 * Rewrites a location, and moves it where `saisi` says.
 *
 * @throws the refusals `EMPLACEMENT_EXISTANT`, `EMPLACEMENT_DEDANS` and `EMPLACEMENT_PROFOND`
 */
export const modifierEmplacement = (
  id: number,
  saisi: EmplacementSaisi,
  ifMatch: number | null,
  unsent?: AbortSignal,
): Promise<Emplacement> =>
  write(endpoints.modifierEmplacement, { params: { id }, body: saisi, ifMatch, unsent });

/** Changes some fields of a location as this device holds it; all else of it stays. */
const changerEmplacement = (
  { id, nom, parentId, note, fermeLe }: Emplacement,
  change: Partial<EmplacementSaisi>,
): Promise<Emplacement> =>
  modifierEmplacement(
    id,
    { nom, parentId, note, fermeLe, ...change },
    views().revisionOf('emplacements', id),
  );

/** Says that a box is packed from now on, or that it is open. */
export const fermerEmplacement = (emplacement: Emplacement, ferme: boolean): Promise<Emplacement> =>
  changerEmplacement(emplacement, { fermeLe: ferme ? new Date().toISOString() : null });

/** Deletes a location; what stands there goes to its parent, or to nowhere. */
export const supprimerEmplacement = (id: number, ifMatch: number | null): Promise<undefined> =>
  write(endpoints.supprimerEmplacement, { params: { id }, ifMatch });

/**
 * Arranges the locations of a parent, `null` being the first level.
 *
 * @throws the refusal `LISTE_PERIMEE` unless `ids` is all of them
 */
export const ordonnerEmplacements = (
  parentId: number | null,
  ids: number[],
  batch?: Batch,
): Promise<Emplacement[]> =>
  parentId === null
    ? write(endpoints.ordonnerEmplacements, { body: { ids } }, { batch })
    : write(endpoints.ordonnerEmplacement, { params: { id: parentId }, body: { ids } }, { batch });

/** Puts a book into a location, or takes it out of where it stands (`null`). */
export const rangerLivre = (
  livreId: number,
  emplacementId: number | null,
  batch?: Batch,
): Promise<Livre> =>
  write(rangerLivreEndpoint, { params: { id: livreId }, body: { emplacementId } }, { batch });
