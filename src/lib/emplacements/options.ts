import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import type { Emplacement } from '#shared/emplacements';

/** Locations as a select takes them, by their paths: two shelves of one name do not read alike. */
export const optionsOf = (
  emplacements: readonly Emplacement[],
): readonly { readonly value: string; readonly label: string }[] =>
  emplacements.map(({ id }) => ({
    value: String(id),
    label: emplacementsView.tree.pathText(id),
  }));
