import type { RankedKind, Ranked } from '$lib/records/souhaits/kinds';
import { Action } from '$lib/ui/action.svelte';
import { Deletion } from '$lib/ui/conflict/deletion.svelte';
import type { RecordEntry } from '$lib/ui/kind';

/** What is done with a wish that is open: its form, its purchase and its deletion. */
export class Wish<R extends Ranked, E extends RecordEntry<R>> {
  readonly kind: RankedKind<R, E>;
  /** Of the purchase and the deletion; the form has one of its own. */
  readonly action = new Action();
  readonly deletion: Deletion<R>;
  isEditing = $state(false);
  /** True while it asks for what a purchase has to know. */
  isAsking = $state(false);
  /** Nothing is left to be done with it. */
  isOver = $state(false);
  #last: R;
  readonly #record = $derived.by(() => (this.#last = this.kind.get(this.#last.id) ?? this.#last));

  constructor(kind: RankedKind<R, E>, record: R) {
    this.kind = kind;
    this.#last = record;
    this.deletion = new Deletion(kind, () => this.#record, this.action);
  }

  /** As it was last where it is gone. */
  get record(): R {
    return this.#record;
  }

  /** Back to what can be done with it. */
  reset(): void {
    this.deletion.close();
    this.isAsking = false;
  }

  async acheter(buy: () => Promise<unknown>): Promise<void> {
    this.deletion.close();
    if (await this.action.run(buy)) this.isOver = true;
  }

  async supprimer(): Promise<void> {
    if (await this.deletion.confirm()) this.isOver = true;
  }
}
