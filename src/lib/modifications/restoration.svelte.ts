import type { Modification, ModificationDocument } from '#shared/modifications';
import { Action } from '$lib/ui/action.svelte';
import { annulerModification } from '$lib/records/modifications/operations';

/** Takes acts back on a screen, one at a time, and keeps why the last one was refused. */
export class Restoration {
  readonly #action = new Action();
  #id = $state<number | null>(null);

  get pending(): boolean {
    return this.#action.pending;
  }

  errorOf({ id }: Pick<ModificationDocument, 'id'>): string | null {
    return this.#id === id ? this.#action.error : null;
  }

  /** The acts that must be taken back with it, the newest first. */
  obstaclesTo({
    id,
  }: Pick<ModificationDocument, 'id'>): readonly Pick<Modification, 'id' | 'resume'>[] {
    const { refusal } = this.#action;
    return this.#id === id && refusal?.code === 'ANNULATION_IMPOSSIBLE'
      ? (refusal.obstacles ?? [])
      : [];
  }

  /** For an act that is undone, its undoing is taken back. */
  async restore({ id, annuleeParId }: ModificationDocument): Promise<void> {
    await this.#run(id, () => annulerModification(annuleeParId ?? id));
  }

  async restoreWithObstacles({ id, annuleeParId }: ModificationDocument): Promise<void> {
    await this.#run(id, () =>
      annulerModification(annuleeParId ?? id, { query: { avec: 'obstacles' } }),
    );
  }

  async #run(id: number, work: () => Promise<unknown>): Promise<void> {
    if (this.pending) return;
    this.#id = id;
    await this.#action.run(work);
  }
}
