import { ApiError } from '$lib/api/call';
import { feedback, type Batch } from '$lib/api/feedback.svelte';

/** What a list arranges: an id that stays, and a title to say what was moved. */
export interface Orderable {
  readonly id: number | string;
  readonly titre: string;
}

export interface Position {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly moveUp: () => void;
  readonly moveDown: () => void;
  readonly moveToTop: () => void;
  /** False where the list is not shown in its own order: no row is above or below then. */
  readonly canStep: boolean;
  /** False where only a part of a long list is on the page. */
  readonly canDrag: boolean;
}

/**
 * The order of one list. The order that the reader asks for is shown while it is being sent; after that the list shows
 * what this device holds, whether the server took the order or not. The bar announces a refusal, since the list may be
 * scrolled anywhere.
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

  /** The list in the order asked for, while one is being sent; records that the order does not name come last. */
  apply<T extends { readonly id: Id }>(items: readonly T[]): readonly T[] {
    if (this.#wanted === null) return items;
    const indices = new Map(this.#wanted.map((id, index) => [id, index]));
    const indexOf = ({ id }: T) => indices.get(id) ?? Number.MAX_SAFE_INTEGER;
    return items.toSorted((a, b) => indexOf(a) - indexOf(b));
  }

  /** Sends an order; of those that come meanwhile only the latest is sent afterwards. */
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
