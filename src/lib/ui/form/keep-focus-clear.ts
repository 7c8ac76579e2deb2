import type { Attachment } from 'svelte/attachments';

/** Between a field and the bar below it, in pixels. */
const ROOM_PX = 12;

/** For a bar at the foot of a form: where it grows over the field that is being typed in, the page moves up. */
export const keepFocusClear: Attachment<HTMLElement> = (bar) => {
  let height = bar.offsetHeight;
  const observer = new ResizeObserver(() => {
    const isGrown = bar.offsetHeight > height;
    height = bar.offsetHeight;
    const field = document.activeElement;
    if (!isGrown || field === null || !bar.closest('form')?.contains(field)) return;
    if (bar.contains(field)) return;
    const covered =
      field.getBoundingClientRect().bottom + ROOM_PX - bar.getBoundingClientRect().top;
    if (covered > 0) scrollBy({ top: covered, behavior: 'instant' });
  });
  observer.observe(bar);
  return () => observer.disconnect();
};
