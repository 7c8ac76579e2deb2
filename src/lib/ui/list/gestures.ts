import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import type { Selection } from './selection.svelte.ts';

/** The duration of a long press, and its allowed movement. */
const LONG_PRESS_MS = 500;
const MAX_SLIP_PX = 10;

const rowOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(':is(li, [role=listitem])[aria-posinset]') : null;

/**
 * Starts and extends a selection in a list: by long press, Ctrl or Shift with a click, Shift with the arrow keys,
 * Ctrl A.
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
      // A handle is for dragging.
      const isHandle = target instanceof Element && target.closest('[data-handle]') !== null;
      if (!isTouch || isHandle || selection.isOn) return;
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

    // Otherwise a long press previews the link or selects its text.
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
