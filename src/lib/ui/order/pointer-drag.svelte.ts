/** A movement below this is still a press, in px. */
const THRESHOLD_PX = 4;
/** How far the page scrolls in one frame at its very edge, in px. */
const MAX_SCROLL_PX = 18;

interface Slot {
  /** From the top of the list, in px. */
  readonly top: number;
  readonly height: number;
}

interface Listeners {
  readonly onstart: () => void;
  /** Told where the row was and where it was dropped, from 0: the same where it was cancelled. */
  readonly onend: (from: number, to: number) => void;
}

interface Drag {
  readonly pointerId: number;
  readonly list: HTMLElement;
  /** Of all rows, as they stood at the start. */
  readonly slots: readonly Slot[];
  readonly from: number;
  readonly startY: number;
  /** Where the pointer holds the row, from its top, in px. */
  readonly grip: number;
}

/**
 * A row that the pointer moves within its list. The rows stay in the document where they are: `shift`
 * says how far each one stands from its place, so that the gap is where the row will be dropped.
 * Near the edges of the window the page scrolls along.
 */
export class PointerDrag {
  #drag: Drag | null = null;
  #pointerY = 0;
  #isActive = $state(false);
  #from = $state(-1);
  #to = $state(-1);
  #offset = $state(0);
  #heldHeight = $state(0);
  #frame = 0;
  readonly #listeners: Listeners;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  isHeld(index: number): boolean {
    return this.#isActive && index === this.#from;
  }

  /** How far the row at `index` stands from its place, in px. */
  shift(index: number): number {
    if (!this.#isActive) return 0;
    if (index === this.#from) return this.#offset;
    if (index > this.#from && index <= this.#to) return -this.#heldHeight;
    return index < this.#from && index >= this.#to ? this.#heldHeight : 0;
  }

  /** Begins with a press of the main button on the handle of a row. */
  start(event: PointerEvent, list: HTMLElement, handle: HTMLElement): void {
    const rows = [...list.children];
    const from = rows.findIndex((row) => row.contains(handle));
    if (!event.isPrimary || event.button !== 0 || from < 0) return;
    this.cancel();
    const origin = list.getBoundingClientRect().top;
    const slots = rows.map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { top: top - origin, height };
    });
    const grip = event.clientY - origin - (slots[from]?.top ?? 0);
    this.#pointerY = event.clientY;
    const { pointerId, clientY: startY } = event;
    this.#drag = { pointerId, list, slots, from, startY, grip };
    addEventListener('pointermove', this.#handleMove);
    addEventListener('pointerup', this.#handleUp);
    addEventListener('pointercancel', this.#handleCancel);
    addEventListener('keydown', this.#handleKey, { capture: true });
  }

  /** Ends the drag where it began. */
  cancel(): void {
    this.#end(this.#from);
  }

  #end(to: number): void {
    cancelAnimationFrame(this.#frame);
    removeEventListener('pointermove', this.#handleMove);
    removeEventListener('pointerup', this.#handleUp);
    removeEventListener('pointercancel', this.#handleCancel);
    removeEventListener('keydown', this.#handleKey, { capture: true });
    this.#drag = null;
    if (!this.#isActive) return;
    this.#isActive = false;
    this.#listeners.onend(this.#from, to);
  }

  readonly #handleMove = (event: PointerEvent): void => {
    const drag = this.#drag;
    if (event.pointerId !== drag?.pointerId) return;
    this.#pointerY = event.clientY;
    if (!this.#isActive) {
      if (Math.abs(event.clientY - drag.startY) < THRESHOLD_PX) return;
      this.#activate(drag);
    }
    this.#follow(drag);
  };

  readonly #handleUp = (event: PointerEvent): void => {
    if (event.pointerId === this.#drag?.pointerId) this.#end(this.#to);
  };

  readonly #handleCancel = (event: PointerEvent): void => {
    if (event.pointerId === this.#drag?.pointerId) this.cancel();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.cancel();
  };

  #activate({ from, slots }: Drag): void {
    this.#from = from;
    this.#to = from;
    this.#offset = 0;
    this.#heldHeight = slots[from]?.height ?? 0;
    this.#isActive = true;
    this.#listeners.onstart();
    const scrollOn = () => {
      const drag = this.#drag;
      if (drag === null) return;
      const step = scrollStep(this.#pointerY);
      if (step !== 0) {
        scrollBy({ top: step, behavior: 'instant' });
        this.#follow(drag);
      }
      this.#frame = requestAnimationFrame(scrollOn);
    };
    this.#frame = requestAnimationFrame(scrollOn);
  }

  /** Puts the row under the pointer, and the gap where its edge has passed the middle of another. */
  #follow({ list, slots, from, grip }: Drag): void {
    const last = slots.at(-1);
    const own = slots[from];
    if (last === undefined || own === undefined) return;
    const listTop = list.getBoundingClientRect().top;
    const lowest = last.top + last.height - own.height;
    const top = Math.min(Math.max(this.#pointerY - listTop - grip, slots[0]?.top ?? 0), lowest);
    const middleOf = ({ top: slotTop, height }: Slot) => slotTop + height / 2;
    const below = slots.slice(from + 1).filter((slot) => middleOf(slot) < top + own.height);
    const above = slots.slice(0, from).filter((slot) => middleOf(slot) > top);
    this.#offset = top - own.top;
    this.#to = from + below.length - above.length;
  }
}

/** How far to scroll in this frame: the nearer the pointer is to an edge, the faster. */
function scrollStep(pointerY: number): number {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const [top, bottom] = [parseFloat(scrollPaddingTop) || 0, parseFloat(scrollPaddingBottom) || 0];
  const depth = (distance: number, zone: number) =>
    zone <= 0 ? 0 : Math.min(1, Math.max(0, (zone - distance) / zone));
  const down = depth(innerHeight - pointerY, bottom);
  return Math.round(MAX_SCROLL_PX * (down - (down > 0 ? 0 : depth(pointerY, top))));
}
