/** Which records of a tree show what is in them. */
export class ExpandedIds {
  #ids = $state.raw<ReadonlySet<number>>(new Set());

  get all(): readonly number[] {
    return [...this.#ids];
  }

  set all(ids: readonly number[]) {
    this.#ids = new Set(ids);
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  unfold(ids: readonly number[]): void {
    this.all = [...this.#ids, ...ids];
  }

  toggle(id: number): void {
    const ids = new Set(this.#ids);
    if (!ids.delete(id)) ids.add(id);
    this.#ids = ids;
  }
}
