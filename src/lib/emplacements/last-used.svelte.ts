import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { notes } from '$lib/sync/browser';
import type { Emplacement } from '#shared/emplacements';

const NOTE = 'emplacements.last';
const MAX_KEPT = 5;

const parse = (kept: unknown): number[] =>
  Array.isArray(kept) ? kept.filter((id) => typeof id === 'number') : [];

let ids = $state.raw<readonly number[]>(parse(notes.get(NOTE)));

/** Where books were put last on this device. */
export const lastUsed = {
  /** The latest first; those that are gone are left out. */
  get all(): readonly Emplacement[] {
    return ids.flatMap((id) => emplacementsView.get(id) ?? []);
  },
  note(id: number): void {
    ids = [id, ...ids.filter((other) => other !== id)].slice(0, MAX_KEPT);
    notes.set(NOTE, ids);
  },
};
