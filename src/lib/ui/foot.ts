import type { Attachment } from 'svelte/attachments';

/**
 * For a bar that stands at the foot of the window: what floats above it finds how far it reaches in
 * `--foot`. Where the bar takes part in the page's flow there is nothing to float above.
 */
export const atFoot: Attachment<HTMLElement> = (element) => {
  const { style } = document.documentElement;
  const measure = () => {
    const { position, bottom } = getComputedStyle(element);
    if (position === 'static') style.removeProperty('--foot');
    else style.setProperty('--foot', `${Number.parseFloat(bottom) + element.offsetHeight}px`);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty('--foot');
  };
};
