import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { Action } from '../action.svelte.ts';
import type { DisableProps } from '../controls/reasons.svelte.ts';
import { pointed } from '../media.ts';
import type { Selection } from './selection.svelte.ts';

/** The id of the sentence that says why nothing can be done with what is selected. */
export const SELECTION_REASON_ID = 'selection-reason';

/** What a list is selected from calls its records, and how many the one request for many takes. */
export interface Selected {
  readonly selection: Selection;
  /** The ids of the records shown, in the order of the list. */
  readonly shown: () => readonly number[];
  /** Whether a record still exists: another device may have deleted it. */
  readonly exists: (id: number) => boolean;
  readonly max: number;
  readonly words: {
    /** The name of the bar: « Que faire des livres choisis ». */
    readonly actions: () => string;
    readonly count: (inputs: { readonly count: number }) => string;
    /** What to touch, and with a mouse to click on. */
    readonly empty: () => string;
    readonly emptyDesk: () => string;
    /** How many there are beyond `max`. */
    readonly tooMany: (inputs: { readonly count: string }) => string;
  };
}

/** What can be done with what is selected, whether it is under way, and why it cannot be done. */
export class SelectionWork {
  /** One at a time: what the tiles and their panels do. */
  readonly action = new Action();
  readonly of: Selected;

  /** The selected records that still exist, in the order shown; those that a search hides stand at the end. */
  readonly ids: readonly number[] = $derived.by(() => {
    const { selection, shown, exists } = this.of;
    const positions = new Map(shown().map((id, index) => [id, index]));
    const positionOf = (id: number) => positions.get(id) ?? positions.size;
    return selection.ids.filter(exists).toSorted((a, b) => positionOf(a) - positionOf(b));
  });

  /** Why not, but for the network: too few, or too many. */
  readonly #ownReason = $derived.by(() => {
    const { max, words } = this.of;
    const count = this.ids.length;
    if (count === 0) return pointed.current ? words.emptyDesk() : words.empty();
    return count > max ? words.tooMany({ count: m.number({ count: count - max }) }) : null;
  });

  /** Call while a component is initialised. */
  constructor(of: Selected) {
    this.of = of;
  }

  /** What stands in the way, which is not that nothing can be written; `null` for nothing. */
  get ownReason(): string | null {
    return this.#ownReason;
  }

  get canStart(): boolean {
    return this.#ownReason === null && connection.canWrite && !this.action.pending;
  }

  /** The props of a button that does something with the selection. */
  get buttonProps(): DisableProps {
    return {
      action: this.action,
      disabledReasonId: this.#ownReason === null ? undefined : SELECTION_REASON_ID,
    };
  }

  /** Does something with the selected records, or with some of them, and ends the selection when it is done. */
  async perform(
    work: (ids: number[], givenUp: AbortSignal) => Promise<unknown>,
    some: readonly number[] = this.ids,
  ): Promise<void> {
    if (!this.canStart) return;
    if (await this.action.run((givenUp) => work([...some], givenUp))) this.of.selection.end();
  }
}
