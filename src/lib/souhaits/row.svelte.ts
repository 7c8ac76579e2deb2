import { Deletion } from '../ui/conflict/deletion.svelte.ts';
import type { RecordEntry } from '$lib/ui/kind';
import { Action } from '$lib/ui/action.svelte';
import type { RankedKind } from '$lib/records/souhaits/kinds';
import type { Ranked } from '$lib/records/souhaits/view.svelte';

/** A row of a list of wishes: what is open below it, its purchase and its deletion. */
export class RowState<R extends Ranked, E extends RecordEntry<R>> {
  readonly kind: RankedKind<R, E>;
  /** Of the purchase and the deletion; the form has one of its own. */
  readonly action = new Action();
  /** True while the row's form is open. */
  isEditing = $state(false);
  /** True while the row asks for what a purchase has to know. */
  isAsking = $state(false);
  readonly deletion: Deletion<R>;

  /** @param wish the wish, reactive; as it was last where it is gone */
  constructor(kind: RankedKind<R, E>, wish: () => R) {
    this.kind = kind;
    this.deletion = new Deletion(kind, wish, this.action);
  }

  get wish(): R {
    return this.deletion.record;
  }

  toggleForm(): void {
    const isOpening = !this.isEditing;
    this.close();
    this.isEditing = isOpening;
  }

  /** Closes whatever is open below the row. */
  close(): void {
    this.deletion.close();
    this.isEditing = false;
    this.isAsking = false;
  }

  /** Runs a purchase. */
  async acheter(buy: () => Promise<unknown>): Promise<void> {
    this.isEditing = false;
    this.deletion.close();
    await this.action.run(buy);
  }
}
