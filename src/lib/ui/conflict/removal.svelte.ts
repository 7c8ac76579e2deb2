import { views } from '$lib/sync/views.svelte';
import type { DeletableKind } from '../kind.ts';
import { Action } from '../action.svelte.ts';
import { Deletion } from './deletion.svelte.ts';

/** How a screen deletes a record: at once, but one that another person has just edited is shown first. */
export class Removal<R extends { readonly id: number }> {
  readonly kind: DeletableKind<R>;
  readonly submission: Action;
  /** Under way, or stopped by another person's edit. */
  deletion = $state.raw<Deletion<R> | null>(null);
  readonly #record: () => R;

  /**
   * @param record the record as the device has it by now, reactive
   * @param submission where the record has other writes beside its deletion
   */
  constructor(kind: DeletableKind<R>, record: () => R, submission = new Action()) {
    this.kind = kind;
    this.#record = record;
    this.submission = submission;
  }

  get record(): R {
    return this.#record();
  }

  get revision(): number | null {
    return views().revisionOf(this.kind.collection, this.record.id);
  }

  /** True while the record is to be looked at before it is deleted. */
  get isAsking(): boolean {
    return this.deletion?.isChanged === true;
  }

  /** True once the record is deleted. */
  async confirm(): Promise<boolean> {
    const { kind, record } = this;
    const deletion = (this.deletion ??= new Deletion(kind.fields, record, this.revision));
    const isDone = await this.submission.run(() =>
      deletion.send((ifMatch) => kind.supprimer(record, ifMatch)),
    );
    if (!deletion.isChanged) this.deletion = null;
    return isDone;
  }

  close(): void {
    this.deletion = null;
    this.submission.reset();
  }
}
