import type { ModificationDocument } from '#shared/modifications';
import { Action } from '$lib/ui/action.svelte';
import { annulerModification } from '$lib/records/modifications/operations';

/** Undoes acts on a screen, one at a time, and keeps why the last one was refused. */
export class Restoration {
  readonly action = new Action();
  /** The act that was to be undone last. */
  id = $state<number | null>(null);

  /**
   * For an act that is undone, its undoing is undone.
   *
   * @param query whether the acts in the way are undone with it
   */
  async restore(
    { id, annuleeParId }: ModificationDocument,
    query: { readonly avec?: 'obstacles' } = {},
  ): Promise<void> {
    if (this.action.pending) return;
    this.id = id;
    await this.action.run(() => annulerModification(annuleeParId ?? id, { query }));
  }
}
