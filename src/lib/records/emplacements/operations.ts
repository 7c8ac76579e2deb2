import * as endpoints from '#shared/emplacements';
import type { Emplacement } from '#shared/emplacements';
import type { Batch } from '$lib/api/feedback.svelte';
import { operation } from '$lib/api/write.svelte';
import { views } from '$lib/sync/views.svelte';

/** Adds a location, the last in its parent. */
export const ajouterEmplacement = operation(endpoints.ajouterEmplacement);
/** Rewrites a location, and moves it where its parent is another. */
export const modifierEmplacement = operation(endpoints.modifierEmplacement);
/** Deletes a location; what stands there goes to its parent, or to nowhere. */
export const supprimerEmplacement = operation(endpoints.supprimerEmplacement);

/** Says that a box is packed from now on, or that it is open. */
export const fermerEmplacement = (
  { id, nom, parentId, note }: Emplacement,
  ferme: boolean,
): Promise<Emplacement> =>
  modifierEmplacement(
    id,
    { nom, parentId, note, fermeLe: ferme ? new Date().toISOString() : null },
    { ifMatch: views().revisionOf('emplacements', id) },
  );

const ordonnerFirstLevel = operation(endpoints.ordonnerEmplacements);
const ordonnerParent = operation(endpoints.ordonnerEmplacement);

/**
 * Arranges the locations of a parent, `null` being the first level. Throws the refusal `LISTE_PERIMEE`
 * unless `ids` is all of them.
 */
export const ordonnerEmplacements = (
  parentId: number | null,
  ids: number[],
  batch: Batch,
): Promise<Emplacement[]> =>
  parentId === null
    ? ordonnerFirstLevel({ ids }, { batch })
    : ordonnerParent(parentId, { ids }, { batch });
