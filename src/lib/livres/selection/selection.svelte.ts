import { SvelteSet } from 'svelte/reactivity';
import { pushState, replaceState } from '$app/navigation';
import { page } from '$app/state';

/** The books that are selected, by id, so that a search, a filter or another order keeps them. */
class Selection {
  readonly #ids = new SvelteSet<number>();
  /** The start of a range, and the selection before it. */
  #anchor: { readonly id: number; readonly base: readonly number[] } | null = null;
  #href = '';

  /** An entry of the history, so that Back leaves the selection and not the screen. */
  get isOn(): boolean {
    return page.state.selection === true;
  }

  /** In the order in which they were selected. */
  get ids(): readonly number[] {
    return [...this.#ids];
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  start(): void {
    if (this.isOn) return;
    this.clear();
    this.#href = page.url.href;
    pushState('', { ...page.state, selection: true });
  }

  /** Leaves the selection; where the address has changed meanwhile its entry stays. */
  end(): void {
    if (!this.isOn) return;
    if (page.url.href === this.#href) history.back();
    else replaceState('', { ...page.state, selection: false });
  }

  clear(): void {
    this.#ids.clear();
    this.#anchor = null;
  }

  toggle(id: number): void {
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.anchorAt(id);
  }

  addAll(ids: readonly number[]): void {
    for (const id of ids) this.#ids.add(id);
  }

  anchorAt(id: number): void {
    this.#anchor = { id, base: this.ids };
  }

  /** Selects from the anchor to a book, in the order shown; another end of the range replaces it. */
  extendTo(id: number, shown: readonly number[]): void {
    if (this.#anchor === null) this.anchorAt(id);
    const { id: from, base } = this.#anchor ?? { id, base: [] };
    const [start = 0, end = 0] = [shown.indexOf(from), shown.indexOf(id)].toSorted((a, b) => a - b);
    this.#ids.clear();
    this.addAll(base);
    this.addAll(start < 0 ? [id] : shown.slice(start, end + 1));
  }
}

export const selection = new Selection();
