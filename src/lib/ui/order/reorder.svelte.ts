import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { m } from '$lib/paraglide/messages';
import type { Orderable } from './list-order.svelte.ts';
import { PointerDrag } from './pointer-drag.svelte.ts';

interface Options<T> {
  /** The list as it is, reactive. */
  readonly items: () => readonly T[];
  /** True where nothing can be moved. */
  readonly disabled: () => boolean;
  /** Told the elements in their new order, where a move has changed it. */
  readonly ondrop: (items: readonly T[]) => void;
}

/**
 * Moves the elements of a list by pointer or keyboard. The list element carries `list`; each row is a
 * child of it with `data-id` and holds a handle with `data-handle`. Space grabs and drops, the arrows
 * move, Escape cancels.
 */
export class Reorder<T extends Orderable> {
  readonly #options: Options<T>;
  /** The list as it was when the move began, with the keyboard's steps; `null` while none is made. */
  #moved = $state.raw<readonly T[] | null>(null);
  #grabbedId = $state.raw<T['id'] | null>(null);
  #announcement = $state('');
  #list: HTMLElement | null = null;
  readonly #pointer: PointerDrag;

  constructor(options: Options<T>) {
    this.#options = options;
    this.#pointer = new PointerDrag({
      onstart: () => (this.#moved = options.items()),
      onend: (from, to) => this.#endDrag(from, to),
    });
  }

  #endDrag(from: number, to: number): void {
    const items = this.items;
    const item = items[from];
    this.#moved = null;
    if (item === undefined || from === to) return;
    this.#options.ondrop(items.toSpliced(from, 1).toSpliced(to, 0, item));
    this.announce(item, to);
  }

  /** The elements as they are to be shown. */
  get items(): readonly T[] {
    return this.#moved ?? this.#options.items();
  }

  /** What a screen reader is to be told. */
  get announcement(): string {
    return this.#announcement;
  }

  /** True while an element is held: the list does not change under it. */
  get isMoving(): boolean {
    return this.#moved !== null;
  }

  get isDragging(): boolean {
    return this.#pointer.isActive;
  }

  isHeld(id: T['id'], index: number): boolean {
    return this.#grabbedId === id || this.#pointer.isHeld(index);
  }

  /** How far the row at `index` stands from its place, in px. */
  shift(index: number): number {
    return this.#pointer.shift(index);
  }

  /** Tells the rank that an element has come to, from 0. */
  announce({ titre }: T, index: number): void {
    this.#announcement = m.move_rang({ titre, rang: index + 1, count: this.items.length });
  }

  readonly list: Attachment<HTMLElement> = (list) => {
    this.#list = list;
    const startDrag = (event: PointerEvent) => {
      const handle = this.#handleOf(event);
      if (handle === null || this.#options.disabled()) return;
      this.#cancel();
      this.#pointer.start(event, list, handle);
    };
    const handleKey = (event: KeyboardEvent) => {
      const handle = this.#handleOf(event);
      if (handle !== null && !this.#options.disabled() && this.#useKey(event.key, handle))
        event.preventDefault();
    };
    list.addEventListener('pointerdown', startDrag);
    list.addEventListener('keydown', handleKey);
    return () => {
      list.removeEventListener('pointerdown', startDrag);
      list.removeEventListener('keydown', handleKey);
      this.#pointer.cancel();
    };
  };

  #handleOf({ target }: Event): HTMLElement | null {
    return target instanceof Element ? target.closest<HTMLElement>('[data-handle]') : null;
  }

  /** Returns true when the key was used. */
  #useKey(key: string, handle: HTMLElement): boolean {
    const rowId = handle.closest<HTMLElement>('[data-id]')?.dataset['id'];
    const item = this.items.find(({ id }) => String(id) === rowId);
    if (item === undefined) return false;
    if (this.#grabbedId !== item.id) {
      if (key !== ' ' && key !== 'Enter') return false;
      this.#grab(item);
    } else if (key === ' ' || key === 'Enter') this.#drop(item);
    else if (key === 'ArrowUp') this.#step(item, -1);
    else if (key === 'ArrowDown') this.#step(item, 1);
    else if (key === 'Escape') this.#cancel(item);
    else {
      if (key === 'Tab') this.#drop(item);
      return false;
    }
    return true;
  }

  #grab(item: T): void {
    this.#moved = this.#options.items();
    this.#grabbedId = item.id;
    this.#announcement = m.move_grabbed(this.#place(item));
  }

  #step(item: T, step: -1 | 1): void {
    const items = this.items;
    const index = items.indexOf(item);
    if (items[index + step] === undefined) return;
    this.#moved = items.toSpliced(index, 1).toSpliced(index + step, 0, item);
    this.announce(item, index + step);
    void this.focusHandle(item.id);
  }

  #drop(item: T): void {
    const { items } = this;
    this.#announcement = m.move_dropped(this.#place(item));
    const before = this.#options.items();
    this.#moved = null;
    this.#grabbedId = null;
    if (items.some(({ id }, i) => id !== before[i]?.id)) this.#options.ondrop(items);
    void this.focusHandle(item.id);
  }

  #cancel(item?: T): void {
    this.#moved = null;
    this.#grabbedId = null;
    if (item === undefined) return;
    this.#announcement = m.move_rang(this.#place(item));
    void this.focusHandle(item.id);
  }

  #place(item: T): { titre: string; rang: number; count: number } {
    const { items } = this;
    const rang = items.findIndex(({ id }) => id === item.id) + 1;
    return { titre: item.titre, rang, count: items.length };
  }

  /** A row that moves in the document loses the focus. */
  async focusHandle(id: T['id']): Promise<void> {
    await tick();
    this.rowOf(id)?.querySelector<HTMLElement>('[data-handle]')?.focus();
  }

  rowOf(id: T['id']): HTMLElement | null {
    return this.#list?.querySelector<HTMLElement>(`[data-id="${id}"]`) ?? null;
  }
}
