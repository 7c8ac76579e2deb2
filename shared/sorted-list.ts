/** From this many changes on, one sort is faster than a search for each. */
const SORT_THRESHOLD = 100;

/** From this many changes on, `settle` sorts: fewer are quickly sorted by who asks. */
const SETTLE_THRESHOLD = 1_000;

/**
 * Items in an order without equals. Changes are kept until the items are asked for: all changes of the many
 * pages of a copy then share one sort, and one change moves one item.
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

  /** Removes an item that is in the list. */
  remove(item: T): void {
    if (!this.#added.delete(item)) this.#removed.add(item);
  }

  /** Sorts what has been added so far where that is much, so that who asks after many portions waits for the last alone. */
  settle(): void {
    if (this.#added.size >= Math.max(SETTLE_THRESHOLD, this.#items.length / 8)) void this.items;
  }

  /** All items in order; the array is the list's own, and changes with it. */
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

  /** Two runs that are in order each are merged by the engine's sort. */
  #merge(): void {
    const kept = this.#items.filter((item) => !this.#removed.has(item));
    const added = [...this.#added].sort(this.#compare);
    this.#items = [...kept, ...added].sort(this.#compare);
  }

  #positionOf(item: T): number {
    return positionIn(this.#items, item, this.#compare);
  }
}

/** The index of an item in a list in this order, or the index at which it is to be inserted. */
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
