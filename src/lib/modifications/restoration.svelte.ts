import type { ModificationDocument } from '#shared/modifications';
import { Submission } from '$lib/ui/submission.svelte';
import { annulerModification } from '$lib/records/modifications/operations';

/** Takes acts back on a screen, one at a time, and remembers why the last one was refused. */
export class Restoration {
  readonly #submission = new Submission();
  #id = $state<number | null>(null);

  get pending(): boolean {
    return this.#submission.pending;
  }

  /** Why an act was not taken back, in a sentence. */
  errorOf({ id }: Pick<ModificationDocument, 'id'>): string | null {
    return this.#id === id ? this.#submission.error : null;
  }

  /** Takes an act back; one that is undone is put in force again by undoing what undid it. */
  async restore({ id, annuleeParId }: ModificationDocument): Promise<void> {
    if (this.pending) return;
    this.#id = id;
    await this.#submission.run(() => annulerModification(annuleeParId ?? id));
  }
}
