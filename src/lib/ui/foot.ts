import type { Attachment } from 'svelte/attachments';

/** What floats above a bar needs this much room, in rem; the end of a page has it below its last bar. */
const ROOM_REM = 4.5;

/**
 * For a bar that stands at the foot of the window: what floats above it finds how far it reaches in
 * `--foot`. Where the bar takes part in the page's flow, or a page is scrolled so far that there is
 * room below it, there is nothing to float above.
 */
export const atFoot: Attachment<HTMLElement> = (element) => {
  const root = document.documentElement;
  const measure = () => {
    const { position, bottom: restsAt } = getComputedStyle(element);
    const { top, bottom } = element.getBoundingClientRect();
    const room = root.clientHeight - bottom - Number.parseFloat(restsAt);
    const hasRoom = room >= ROOM_REM * Number.parseFloat(getComputedStyle(root).fontSize);
    if (position === 'static' || hasRoom) root.style.removeProperty('--foot');
    else root.style.setProperty('--foot', `${root.clientHeight - top}px`);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  observer.observe(root);
  window.addEventListener('scroll', measure, { passive: true });
  return () => {
    observer.disconnect();
    window.removeEventListener('scroll', measure);
    root.style.removeProperty('--foot');
  };
};
