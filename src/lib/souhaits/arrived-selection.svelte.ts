import { SvelteSet } from 'svelte/reactivity';
import type { RankedWish } from '$lib/records/souhaits/kinds';
import { chosenId } from '$lib/records/souhaits/lots';

/** The wishes of what comes into the house: each leaves its list, unless its reader says no. */
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

  /** Those that leave, as a lot names them. */
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
