import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import type { Emplacement } from '#shared/emplacements';

/** In front of a name, for each location around it. */
const INDENT = '\u2003';

/** Locations as a select takes them, each behind those around it. */
export const optionsOf = (
  emplacements: readonly Emplacement[],
): readonly { readonly value: string; readonly label: string }[] =>
  emplacements.map(({ id, nom }) => ({
    value: String(id),
    label: INDENT.repeat(emplacementsView.tree.path(id).length - 1) + nom,
  }));
