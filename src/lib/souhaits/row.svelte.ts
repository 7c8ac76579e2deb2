import { Deletion } from '$lib/ui/conflict/deletion.svelte';
import type { TextEntry } from '$lib/ui/form/text-entry.svelte';
import { Submission } from '$lib/ui/submission.svelte';
import type { RankedOperations } from '$lib/records/souhaits/operations';
import type { Ranked, RankedView } from '$lib/records/souhaits/view.svelte';

/** What is typed into the form of a wish, which is entered as `Saisie`. */
export type RankedEntry<T, Saisie> = TextEntry<T, Saisie> & { toSaisie(): Saisie };

interface Description<T extends Ranked, Saisie> {
  /** The wish, reactive; as it was last where it is gone. */
  readonly wish: () => T;
  readonly view: RankedView<T, never>;
  readonly operations: RankedOperations<T, Saisie>;
  readonly entryOf: (wish: T) => RankedEntry<T, Saisie>;
}

/** A row of a list of wishes: what is open below it, its purchase and its removal. */
export class RowState<T extends Ranked, Saisie> {
  readonly view: RankedView<T, never>;
  readonly operations: RankedOperations<T, Saisie>;
  /** Of the purchase and the removal; the form has one of its own. */
  readonly submission = new Submission();
  /** What is typed into the row's form; `null` while it is closed. */
  entry = $state.raw<RankedEntry<T, Saisie> | null>(null);
  /** True while the row asks for what a purchase has to know. */
  isAsking = $state(false);
  /** A removal that is under way, or that another person's edit has stopped. */
  deletion = $state.raw<Deletion<T> | null>(null);
  readonly #wish: () => T;
  readonly #entryOf: (wish: T) => RankedEntry<T, Saisie>;

  constructor({ wish, view, operations, entryOf }: Description<T, Saisie>) {
    this.view = view;
    this.operations = operations;
    this.#wish = wish;
    this.#entryOf = entryOf;
  }

  get wish(): T {
    return this.#wish();
  }

  toggleForm(): void {
    const isOpening = this.entry === null;
    this.close();
    if (isOpening) this.entry = this.#entryOf(this.wish);
  }

  /** Closes whatever is open below the row. */
  close(): void {
    this.submission.reset();
    this.entry = null;
    this.isAsking = false;
    this.deletion = null;
  }

  /** Removes the wish; one that another person has just edited is to be looked at first. */
  async supprimer(): Promise<void> {
    const { operations, view } = this;
    const removed = this.wish;
    const { id } = removed;
    const deletion =
      this.deletion ?? new Deletion(this.#entryOf(removed).fields, removed, view.revisionOf(id));
    this.deletion = deletion;
    const isDone = await this.submission.run(() =>
      deletion.send((ifMatch) => operations.supprimer(id, ifMatch)),
    );
    if (!isDone && deletion.isChanged) this.submission.reset();
    if (!deletion.isChanged) this.deletion = null;
  }

  /** Runs a purchase. */
  async acheter(buy: () => Promise<unknown>): Promise<void> {
    this.entry = null;
    this.deletion = null;
    await this.submission.run(buy);
  }
}
