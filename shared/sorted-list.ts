/** Beyond so many changes one sort is faster than single insertions. */
const SORT_THRESHOLD = 100;

/** How many are sorted per slice; fewer are sorted when read. */
const PORTION = 1_000;

/**
 * Sorted items without equals. Changes are applied lazily, when items are read, so that many pages of a replica share
 * one sort, and one change moves one item. Large changes can be sorted in advance, in slices.
 */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #added = new Set<T>();
  readonly #removed = new Set<T>();
  /** Each sorted; the later ones are still to be merged into the first. */
  #runs: T[][] = [[]];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    const sorted = this.#runs.reduce((sum, { length }) => sum + length, 0);
    return sorted + this.#added.size - this.#removed.size;
  }

  add(item: T): void {
    if (!this.#removed.delete(item)) this.#added.add(item);
  }

  /** The item has to be in the list. */
  remove(item: T): void {
    if (!this.#added.delete(item)) this.#removed.add(item);
  }

  /** Sorts large batches of added items early, so that the next read only has to merge the last portion. */
  sortPending(): void {
    while (this.#added.size >= PORTION || this.#hasAlike) this.sortNextChunk();
  }

  /** Sorts a portion or merges two runs after large changes; returns whether it did. */
  sortNextChunk(): boolean {
    if (this.#added.size >= PORTION && !this.#hasAlike) {
      this.#runs.push(this.#takePortion().sort(this.#compare));
      return true;
    }
    if (this.#runs.length === 1) return false;
    const [longer = [], last = []] = this.#runs.splice(-2);
    // An item that replaces an equal one remains.
    const kept = [...longer, ...last].filter((item) => !this.#removed.delete(item));
    // The engine's sort merges two sorted runs.
    this.#runs.push(kept.sort(this.#compare));
    return true;
  }

  /** Sorted; the list's own array, which changes later. */
  get items(): readonly T[] {
    const [items = []] = this.#runs;
    const isMuch = this.#added.size + this.#removed.size >= SORT_THRESHOLD;
    if (isMuch || this.#runs.length > 1) this.#runs = [this.#merged()];
    else this.#move(items);
    this.#added.clear();
    this.#removed.clear();
    return this.#runs[0] ?? [];
  }

  /** Whether the last two runs have similar lengths: merging only those moves each item few times. */
  get #hasAlike(): boolean {
    const [longer, last] = this.#runs.slice(-2);
    return longer !== undefined && last !== undefined && longer.length < 2 * last.length;
  }

  #takePortion(): T[] {
    const portion: T[] = [];
    for (const item of this.#added) {
      portion.push(item);
      this.#added.delete(item);
      if (portion.length === PORTION) break;
    }
    return portion;
  }

  #move(items: T[]): void {
    for (const item of this.#removed) items.splice(this.#positionOf(items, item), 1);
    for (const item of this.#added) items.splice(this.#positionOf(items, item), 0, item);
  }

  #merged(): T[] {
    const kept = this.#runs.flatMap((run) => run).filter((item) => !this.#removed.has(item));
    const added = [...this.#added].sort(this.#compare);
    return [...kept, ...added].sort(this.#compare);
  }

  #positionOf(items: readonly T[], item: T): number {
    return positionIn(items, item, this.#compare);
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
