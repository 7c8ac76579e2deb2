import type { Attachment } from 'svelte/attachments';

/** A shorter movement is still a press. */
const THRESHOLD_PX = 4;
/** How far the page scrolls in one frame at its very edge. */
const MAX_SCROLL_PX = 18;

interface Options<T> {
  readonly items: () => readonly T[];
  readonly disabled: () => boolean;
  /** Called with the elements in their new order and the index of the dropped one. */
  readonly ondrop: (items: readonly T[], index: number) => void;
}

interface DraggedRow<T> {
  readonly items: readonly T[];
  readonly from: number;
  readonly to: number;
  /** The row's distance from its place, in pixels. */
  readonly offset: number;
  readonly height: number;
}

/**
 * Drags a row within its list. The list element has `list` attached, its children are the rows, and each has a handle
 * with `data-handle`. Rows stay in the document's order: `shift` is the displacement of each, so that the gap is the
 * drop position. Near the window's edges the page scrolls; Escape cancels.
 */
export class Drag<T> {
  readonly #options: Options<T>;
  #dragged = $state.raw<DraggedRow<T> | null>(null);
  #controller = new AbortController();

  constructor(options: Options<T>) {
    this.#options = options;
  }

  get items(): readonly T[] {
    return this.#dragged?.items ?? this.#options.items();
  }

  get isActive(): boolean {
    return this.#dragged !== null;
  }

  isHeld(index: number): boolean {
    return this.#dragged?.from === index;
  }

  shift(index: number): number {
    if (this.#dragged === null) return 0;
    const { from, to, offset, height } = this.#dragged;
    if (index === from) return offset;
    if (index > from && index <= to) return -height;
    return index < from && index >= to ? height : 0;
  }

  readonly list: Attachment<HTMLElement> = (list) => {
    const start = (event: PointerEvent) => {
      const { target, isPrimary, button } = event;
      const handle = target instanceof Element ? target.closest('[data-handle]') : null;
      if (handle !== null && isPrimary && button === 0 && !this.#options.disabled())
        this.#start(event, list, handle);
    };
    list.addEventListener('pointerdown', start);
    return () => {
      list.removeEventListener('pointerdown', start);
      this.#end();
    };
  };

  #start({ pointerId, clientY: startY }: PointerEvent, list: HTMLElement, handle: Element): void {
    this.#end();
    const items = this.#options.items();
    const rows = [...list.children];
    let slots = slotsOf(list, rows);
    const from = rows.findIndex((row) => row.contains(handle));
    const grip = startY - list.getBoundingClientRect().top - (slots[from]?.top ?? 0);
    let pointerY = startY;

    /** Puts the row under the pointer, and the gap where its edge has passed the middle of another. */
    const follow = () => {
      const [first, own, last] = [slots[0], slots[from], slots.at(-1)];
      if (first === undefined || own === undefined || last === undefined) return;
      const lowest = last.top + last.height - own.height;
      const wanted = pointerY - list.getBoundingClientRect().top - grip;
      const top = Math.min(Math.max(wanted, first.top), lowest);
      const middleOf = (slot: typeof own) => slot.top + slot.height / 2;
      const below = slots.slice(from + 1).filter((slot) => middleOf(slot) < top + own.height);
      const above = slots.slice(0, from).filter((slot) => middleOf(slot) > top);
      const to = from + below.length - above.length;
      this.#dragged = { items, from, to, offset: top - own.top, height: own.height };
    };
    const { signal } = (this.#controller = new AbortController());
    const scrollOn = () => {
      if (signal.aborted) return;
      const step = scrollStep(pointerY);
      if (step !== 0) {
        scrollBy({ top: step, behavior: 'instant' });
        // Rows near the window are rendered completely, and may become higher.
        slots = slotsOf(list, rows);
        follow();
      }
      requestAnimationFrame(scrollOn);
    };
    const onPointer = (type: 'pointermove' | 'pointerup' | 'pointercancel', handler: () => void) =>
      addEventListener(
        type,
        (event) => {
          if (event.pointerId !== pointerId) return;
          pointerY = event.clientY;
          handler();
        },
        { signal },
      );
    onPointer('pointermove', () => {
      if (this.#dragged === null) {
        if (Math.abs(pointerY - startY) < THRESHOLD_PX) return;
        requestAnimationFrame(scrollOn);
      }
      follow();
    });
    onPointer('pointerup', () => this.#drop());
    onPointer('pointercancel', () => this.#end());
    addEventListener('keydown', ({ key }) => key === 'Escape' && this.#end(), {
      capture: true,
      signal,
    });
  }

  #drop(): void {
    const dragged = this.#dragged;
    this.#end();
    if (dragged === null || dragged.from === dragged.to) return;
    const { items, from, to } = dragged;
    const moved = items.slice(from, from + 1);
    this.#options.ondrop(items.toSpliced(from, 1).toSpliced(to, 0, ...moved), to);
  }

  #end(): void {
    this.#controller.abort();
    this.#dragged = null;
  }
}

interface Slot {
  readonly top: number;
  readonly height: number;
}

/** The slots of a list's rows, independent of their displacement. */
const slotsOf = (list: HTMLElement, rows: readonly Element[]): readonly Slot[] =>
  rows
    .filter((row) => row instanceof HTMLElement)
    .map(({ offsetTop, offsetHeight: height, offsetParent }) => ({
      top: offsetParent === list ? offsetTop : offsetTop - list.offsetTop,
      height,
    }));

/** The scroll distance of a frame: faster near an edge. */
function scrollStep(pointerY: number): number {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const [top, bottom] = [parseFloat(scrollPaddingTop) || 0, parseFloat(scrollPaddingBottom) || 0];
  const depth = (distance: number, zone: number) =>
    zone <= 0 ? 0 : Math.min(1, Math.max(0, (zone - distance) / zone));
  const down = depth(innerHeight - pointerY, bottom);
  return Math.round(MAX_SCROLL_PX * (down - (down > 0 ? 0 : depth(pointerY, top))));
}
