import { on } from 'svelte/events';
import type { Attachment } from 'svelte/attachments';

const SETTLE = { duration: 240, easing: 'cubic-bezier(0.2, 0.9, 0.3, 1)' } as const;

/**
 * A sheet that can be dragged down by its `.sheet-grip`, if the style allows it: beyond a third of its height it
 * closes, otherwise it returns. Without movement under reduced motion.
 */
export const draggedDown =
  (close: () => void): Attachment<HTMLElement> =>
  (sheet) =>
    on(sheet, 'pointerdown', (event) => {
      const { target, pointerId, isPrimary, button, clientY: startY } = event;
      const grip = target instanceof Element ? target.closest<HTMLElement>('.sheet-grip') : null;
      if (grip === null || !isPrimary || button !== 0) return;
      if (getComputedStyle(grip).touchAction !== 'none' || event.composedPath().some(isButton))
        return;
      let offset = 0;
      grip.setPointerCapture(pointerId);
      const offs = [
        on(grip, 'pointermove', ({ clientY }) => {
          offset = Math.max(0, clientY - startY);
          sheet.style.translate = `0 ${offset}px`;
        }),
        on(grip, 'pointercancel', () => (offset = 0)),
        on(grip, 'lostpointercapture', () => {
          for (const off of offs) off();
          sheet.style.translate = '';
          finishDrag(sheet, offset, close);
        }),
      ];
    });

const isButton = (element: EventTarget) => element instanceof HTMLButtonElement;

function finishDrag(sheet: HTMLElement, offset: number, close: () => void): void {
  const height = sheet.offsetHeight;
  const isClosing = offset > height / 3;
  const translate = [`0 ${offset}px`, `0 ${isClosing ? height : 0}px`];
  const animation = sheet.animate({ translate }, { ...SETTLE, fill: 'forwards' });
  animation.onfinish = () => {
    if (isClosing) close();
    animation.cancel();
  };
}
