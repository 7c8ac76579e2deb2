import { Deletion } from '$lib/ui/conflict/deletion.svelte';
import type { RecordEntry } from '$lib/ui/kind';
import { Submission } from '$lib/ui/submission.svelte';
import { views } from '$lib/sync/views.svelte';
import type { RankedKind } from '$lib/records/souhaits/kinds';
import type { Ranked } from '$lib/records/souhaits/view.svelte';

/** A row of a list of wishes: what is open below it, its purchase and its removal. */
export class RowState<R extends Ranked, E extends RecordEntry<R>> {
  readonly kind: RankedKind<R, E>;
  /** Of the purchase and the removal; the form has one of its own. */
  readonly submission = new Submission();
  /** True while the row's form is open. */
  isEditing = $state(false);
  /** True while the row asks for what a purchase has to know. */
  isAsking = $state(false);
  /** A removal that is under way, or that another person's edit has stopped. */
  deletion = $state.raw<Deletion<R> | null>(null);
  readonly #wish: () => R;

  /** @param wish the wish, reactive; as it was last where it is gone */
  constructor(kind: RankedKind<R, E>, wish: () => R) {
    this.kind = kind;
    this.#wish = wish;
  }

  get wish(): R {
    return this.#wish();
  }

  toggleForm(): void {
    const isOpening = !this.isEditing;
    this.close();
    this.isEditing = isOpening;
  }

  /** Closes whatever is open below the row. */
  close(): void {
    this.submission.reset();
    this.isEditing = false;
    this.isAsking = false;
    this.deletion = null;
  }

  /** Removes the wish; one that another person has just edited is to be looked at first. */
  async supprimer(): Promise<void> {
    const { kind, wish } = this;
    const revision = views().revisionOf(kind.collection, wish.id);
    const deletion = (this.deletion ??= new Deletion(kind.fields, wish, revision));
    const isDone = await this.submission.run(() =>
      deletion.send((ifMatch) => kind.supprimer(wish, ifMatch)),
    );
    if (!isDone && deletion.isChanged) this.submission.reset();
    if (!deletion.isChanged) this.deletion = null;
  }

  /** Runs a purchase. */
  async acheter(buy: () => Promise<unknown>): Promise<void> {
    this.isEditing = false;
    this.deletion = null;
    await this.submission.run(buy);
  }
}
