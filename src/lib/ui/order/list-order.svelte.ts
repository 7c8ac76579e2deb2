import { ApiError } from '$lib/api/call';
import { feedback, type Batch } from '$lib/api/feedback.svelte';

/** What a list can be put in order of: an id that stays, and a title to say what was moved. */
export interface Orderable {
  readonly id: number | string;
  readonly titre: string;
}

/** Where a row stands in its list, and what it can ask of the list. */
export interface Position {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly moveUp: () => void;
  readonly moveDown: () => void;
  readonly moveToTop: () => void;
  /** False where the list is not shown in its own order: then there is no row above and below. */
  readonly canStep: boolean;
  /** False where a row cannot be dragged: of a long list only a part is on the page. */
  readonly canDrag: boolean;
}

/**
 * The order of one list. The order that the reader asks for is shown while it is being sent; after
 * that the list shows what this device holds, whether the server took the order or not. Why not is
 * told by the bar: the list may be scrolled anywhere.
 */
export class ListOrder<Id> {
  #wanted = $state.raw<readonly Id[] | null>(null);
  readonly #send: (ids: readonly Id[], batch: Batch) => Promise<unknown>;

  constructor(send: (ids: readonly Id[], batch: Batch) => Promise<unknown>) {
    this.#send = send;
  }

  get isSending(): boolean {
    return this.#wanted !== null;
  }

  /** The list in the order asked for, where one is being sent; records it does not name come last. */
  apply<T extends { readonly id: Id }>(items: readonly T[]): readonly T[] {
    if (this.#wanted === null) return items;
    const indices = new Map(this.#wanted.map((id, index) => [id, index]));
    const indexOf = ({ id }: T) => indices.get(id) ?? Number.MAX_SAFE_INTEGER;
    return items.toSorted((a, b) => indexOf(a) - indexOf(b));
  }

  /** Sends an order. While one is being sent only the latest of those that follow is kept. */
  async request(ids: readonly Id[]): Promise<void> {
    const { isSending } = this;
    this.#wanted = ids;
    if (isSending) return;
    try {
      await feedback.batch(async (batch) => {
        for (let sent: readonly Id[] | null = null; sent !== this.#wanted;) {
          const wanted: readonly Id[] = this.#wanted ?? ids;
          await this.#send(wanted, batch);
          sent = wanted;
        }
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      feedback.fail(error.message);
    } finally {
      this.#wanted = null;
    }
  }
}
