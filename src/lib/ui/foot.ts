import type { Attachment } from 'svelte/attachments';

/** The height of what stands above a bar at the foot, in rem; the end of a page keeps as much below its last bar. */
const ROOM_REM = 3;

/**
 * For a bar at the foot of the window: sets `--foot` to how far up it reaches, for what floats above it. A bar in the
 * flow of the page, or above the scrolled end of a page, has nothing floating above it.
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
