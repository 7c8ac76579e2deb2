/**
 * Items in an order without equals. Changes wait until the items are asked for: those of many pages of a copy then
 * share one sort.
 */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #added = new Set<T>();
  readonly #removed = new Set<T>();
  #items: readonly T[] = [];

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

  /** In order; another array after each change. */
  get items(): readonly T[] {
    if (this.#added.size + this.#removed.size === 0) return this.#items;
    const kept = this.#items.filter((item) => !this.#removed.has(item));
    const added = [...this.#added].sort(this.#compare);
    // The engine's sort merges two sorted runs.
    this.#items = [...kept, ...added].sort(this.#compare);
    this.#added.clear();
    this.#removed.clear();
    return this.#items;
  }
}
