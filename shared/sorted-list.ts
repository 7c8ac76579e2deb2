/** From so many changes on, one sort is faster than a search for each. */
const SORT_THRESHOLD = 100;

/** From so many changes on `settle` sorts; fewer are quickly sorted by whoever asks. */
const SETTLE_THRESHOLD = 1_000;

/**
 * Items in an order without equals. Changes wait until the items are asked for: those of many pages of a copy then
 * share one sort, and one change moves one item.
 */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #added = new Set<T>();
  readonly #removed = new Set<T>();
  #items: T[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length + this.#added.size - this.#removed.size;
  }

  add(item: T): void {
    if (!this.#removed.delete(item)) this.#added.add(item);
  }

  /** The item has to be in the list. */
  remove(item: T): void {
    if (!this.#added.delete(item)) this.#removed.add(item);
  }

  /** Sorts now if much has been added: whoever asks after many portions then waits only for the last. */
  settle(): void {
    if (this.#added.size >= Math.max(SETTLE_THRESHOLD, this.#items.length / 8)) void this.items;
  }

  /** In order; the array is the list's own, and changes with it. */
  get items(): readonly T[] {
    if (this.#added.size + this.#removed.size < SORT_THRESHOLD) this.#move();
    else this.#merge();
    this.#added.clear();
    this.#removed.clear();
    return this.#items;
  }

  #move(): void {
    for (const item of this.#removed) this.#items.splice(this.#positionOf(item), 1);
    for (const item of this.#added) this.#items.splice(this.#positionOf(item), 0, item);
  }

  /** The engine's sort merges two sorted runs. */
  #merge(): void {
    const kept = this.#items.filter((item) => !this.#removed.has(item));
    const added = [...this.#added].sort(this.#compare);
    this.#items = [...kept, ...added].sort(this.#compare);
  }

  #positionOf(item: T): number {
    return positionIn(this.#items, item, this.#compare);
  }
}

/** The index of an item in a sorted list, or the index at which to insert it. */
export function positionIn<T>(
  list: readonly T[],
  item: T,
  compare: (a: T, b: T) => number,
): number {
  let start = 0;
  let end = list.length;
  while (start < end) {
    const middle = (start + end) >>> 1;
    const other = list[middle];
    if (other !== undefined && compare(other, item) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}
