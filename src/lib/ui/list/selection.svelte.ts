import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import { SvelteSet } from 'svelte/reactivity';
import { pushState, replaceState } from '$app/navigation';
import { page } from '$app/state';
import { connection } from '$lib/sync/connection.svelte';

/** The ids of the selected records of one list: a search, a filter or another order keeps the selection. */
export class Selection {
  readonly #name: string;
  readonly #ids = new SvelteSet<number>();
  /** The start of a range, and what was selected before it. */
  #anchor: { readonly id: number; readonly base: readonly number[] } | null = null;
  #href = '';
  /** `connection.moves` at the start: in another household the ids are other records'. */
  #moves = 0;

  /** @param name of the list, as the entry of the history has it; each list has its own */
  constructor(name: string) {
    this.#name = name;
  }

  /** The selection is an entry of the history: Back leaves the selection and not the screen. */
  get isOn(): boolean {
    return page.state.selection === this.#name && this.#moves === connection.moves;
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
    this.#moves = connection.moves;
    pushState('', { ...page.state, selection: this.#name });
  }

  /** Leaves the selection. Where the address has changed meanwhile, the entry of the history stays. */
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

/** The selection of the list that a row stands in, if one can select from it. Call while a component is initialised. */
export const selectionAround = (): Selection | undefined =>
  getContext<Selection | undefined>(AROUND);

/** How long a finger rests on a row to select it, and how far it may slip. */
const LONG_PRESS_MS = 500;
const MAX_SLIP_PX = 10;

const rowOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('[role=listitem]') : null;

/**
 * Begins and extends a selection on the items of a virtual list: a long press, Ctrl or Shift with a click, Shift with
 * the arrow keys, Ctrl A.
 */
export function selectable(
  selection: Selection,
  shown: () => readonly number[],
): Attachment<HTMLElement> {
  return (element) => {
    let isExtending = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let start = { x: 0, y: 0 };
    let isTouch = false;
    /** The click that ends a long press is no click. */
    let wasLong = false;

    const idOf = (target: EventTarget | null): number | undefined => {
      const row = rowOf(target);
      return row === null ? undefined : shown()[Number(row.ariaPosInSet) - 1];
    };

    const cancel = () => clearTimeout(timer);

    function press({ target, pointerType, clientX, clientY }: PointerEvent) {
      cancel();
      wasLong = false;
      isTouch = pointerType !== 'mouse';
      start = { x: clientX, y: clientY };
      if (!isTouch || selection.isOn) return;
      timer = setTimeout(() => {
        wasLong = true;
        const id = idOf(target);
        if (id === undefined) return;
        selection.start();
        selection.toggle(id);
      }, LONG_PRESS_MS);
    }

    function click(event: MouseEvent) {
      const id = idOf(event.target);
      const isPressed = wasLong;
      wasLong = false;
      const hasKey = event.shiftKey || event.ctrlKey || event.metaKey;
      if (id === undefined || (!isPressed && !hasKey)) return;
      event.preventDefault();
      event.stopPropagation();
      if (isPressed) return;
      selection.start();
      if (event.shiftKey) selection.extendTo(id, shown());
      else selection.toggle(id);
    }

    function keydown(event: KeyboardEvent) {
      const id = idOf(event.target);
      if (id === undefined) return;
      if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
        event.preventDefault();
        selection.start();
        selection.addAll(shown());
      } else if (event.shiftKey && event.key.startsWith('Arrow')) {
        selection.start();
        if (!selection.has(id)) selection.toggle(id);
        isExtending = true;
      } else isExtending = false;
    }

    /** The list moves the focus; the selection follows the focus. */
    function focusin({ target }: FocusEvent) {
      const id = idOf(target);
      if (isExtending && id !== undefined) selection.extendTo(id, shown());
      isExtending = false;
    }

    // Without it a long press previews the link or selects its text.
    element.style.setProperty('-webkit-touch-callout', 'none');
    if (matchMedia('(pointer: coarse)').matches) {
      element.style.setProperty('-webkit-user-select', 'none');
      element.style.setProperty('user-select', 'none');
    }

    const offs = [
      on(element, 'click', click, { capture: true }),
      on(element, 'keydown', keydown, { capture: true }),
      on(element, 'focusin', focusin),
      // Shift with a click would select text.
      on(element, 'mousedown', (event) => event.shiftKey && event.preventDefault()),
      on(element, 'pointerdown', press),
      on(element, 'pointermove', ({ clientX, clientY }) => {
        if (Math.hypot(clientX - start.x, clientY - start.y) > MAX_SLIP_PX) cancel();
      }),
      on(element, 'pointerup', cancel),
      on(element, 'pointercancel', cancel),
      on(element, 'contextmenu', (event) => {
        if (isTouch && rowOf(event.target) !== null) event.preventDefault();
      }),
      cancel,
    ];
    return () => {
      for (const off of offs) off();
    };
  };
}
