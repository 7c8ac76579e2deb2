import { getContext, setContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { pushState, replaceState } from '$app/navigation';
import { page } from '$app/state';
import { identity } from '$lib/sync/identity.svelte';

/** The ids of a list's selected records; searching, filtering and sorting keep them. */
export class Selection {
  readonly #name: string;
  readonly #ids = new SvelteSet<number>();
  /** The start of a range, and the selection before it. */
  #anchor: { readonly id: number; readonly base: readonly number[] } | null = null;
  #href = '';
  /** The identity at the start: in another household the ids mean other records. */
  #identity = identity.current;

  /** @param name of the list, used in the browser's history; unique per list */
  constructor(name: string) {
    this.#name = name;
  }

  /** The selection is an entry of the history: Back leaves the selection and not the screen. */
  get isOn(): boolean {
    return page.state.selection === this.#name && this.#identity === identity.current;
  }

  /** In the order of selection. */
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
    this.#identity = identity.current;
    pushState('', { ...page.state, selection: this.#name });
  }

  /** Ends the selection. If the address has changed meanwhile, the history entry stays. */
  end(): void {
    if (!this.isOn) return;
    if (page.url.href === this.#href) history.back();
    else replaceState('', { ...page.state, selection: '' });
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

  /** Selects from the anchor to a record, in the order shown; another end replaces the range. */
  extendTo(id: number, shown: readonly number[]): void {
    if (this.#anchor === null) this.anchorAt(id);
    const { id: from, base } = this.#anchor ?? { id, base: [] };
    const [start = 0, end = 0] = [shown.indexOf(from), shown.indexOf(id)].toSorted((a, b) => a - b);
    this.#ids.clear();
    this.addAll(base);
    this.addAll(start < 0 ? [id] : shown.slice(start, end + 1));
  }
}

const AROUND = Symbol('selection');

export const provideSelection = (selection: Selection): Selection => setContext(AROUND, selection);

/** The selection of the surrounding list, if any. Call during a component's setup. */
export const selectionAround = (): Selection | undefined =>
  getContext<Selection | undefined>(AROUND);
