import { SvelteSet } from 'svelte/reactivity';
import type { RankedWish } from '$lib/records/souhaits/kinds';
import { chosenId } from '$lib/records/souhaits/lots';

/** The wishes for added books or issues: each is removed from its list, unless the reader keeps it. */
export class ArrivedSelection {
  readonly #staying = new SvelteSet<number>();
  readonly #wishes: () => readonly RankedWish[];

  /** @param wishes the reader's own */
  constructor(wishes: () => readonly RankedWish[]) {
    this.#wishes = wishes;
  }

  get wishes(): readonly RankedWish[] {
    return this.#wishes();
  }

  /** The wishes to be removed, as a batch names them. */
  get ids(): readonly number[] {
    return this.wishes.map(chosenId).filter((id) => !this.#staying.has(id));
  }

  leaves(wish: RankedWish): boolean {
    return !this.#staying.has(chosenId(wish));
  }

  say(wish: RankedWish, isLeaving: boolean): void {
    if (isLeaving) this.#staying.delete(chosenId(wish));
    else this.#staying.add(chosenId(wish));
  }
}
