import type { ModificationDocument } from '#shared/modifications';
import { m } from '$lib/paraglide/messages';
import { Submission } from '$lib/ui/submission.svelte';
import { undoneSentence } from '$lib/records/modifications/labels';
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

  /**
   * Takes an act back; one that is undone is put in force again by undoing what undid it.
   *
   * @param inTrash true where a deletion is taken back from among what was deleted
   */
  async restore(modification: ModificationDocument, inTrash: boolean): Promise<void> {
    if (this.pending) return;
    const { id, annuleeParId } = modification;
    this.#id = id;
    const undone = inTrash ? m.modification_restored() : undoneSentence(modification);
    const text = annuleeParId === null ? undone : m.modification_redone();
    await this.#submission.run(() => annulerModification(annuleeParId ?? id, text));
  }
}
