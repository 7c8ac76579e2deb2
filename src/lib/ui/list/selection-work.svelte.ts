import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { Action } from '../action.svelte.ts';
import type { DisableProps } from '../controls/reasons.svelte.ts';
import { pointed } from '../media.ts';
import type { Selection } from './selection.svelte.ts';

/** The id of the reason why the selection's actions are disabled. */
export const SELECTION_REASON_ID = 'selection-reason';

/** The sentences about a list's records, and the limit of a batch request. */
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
    /** The hint for starting a selection by touch, and by mouse. */
    readonly empty: () => string;
    readonly emptyDesk: () => string;
    /** The warning beyond `max`. */
    readonly tooMany: (inputs: { readonly count: string }) => string;
  };
}

/** The actions on a selection: pending state, error and reason. */
export class SelectionWork {
  /** Shared by tiles and panels: one action at a time. */
  readonly action = new Action();
  readonly of: Selected;

  /** The selected records that still exist, in the shown order; those hidden by a search come last. */
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

  /** The reason of the selection itself, other than that nothing can be written; `null` without one. */
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
