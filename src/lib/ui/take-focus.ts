import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { goto } from '$app/navigation';
import { thisScreen } from './this-screen.ts';
import { unawaited } from '$lib/sync/report';

// Focuses parts that open; keeping the focus is in `focus.ts`, in the first load.

const MAX_FRAMES = 10;

/**
 * Focuses an element that is about to be rendered. A virtual list takes some frames to create a row and make it
 * visible, before which the row cannot be focused. Does nothing if a person moves the focus meanwhile.
 */
export async function focusWhenRendered(find: () => HTMLElement | null | undefined): Promise<void> {
  const before = document.activeElement;
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    const current = document.activeElement;
    if (current !== before && current !== document.body) return;
    const element = find();
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
    await new Promise(requestAnimationFrame);
  }
}

/** Focuses the target of a press once it is rendered, unless the person has left the screen. */
export async function moveFocus(
  find: () => Element | null | undefined,
  options?: FocusOptions,
): Promise<void> {
  const screen = thisScreen();
  await tick();
  const element = screen.aborted ? null : find();
  if (element instanceof HTMLElement) element.focus(options);
}

/** Opens the record of a row reached by an arrow key, instead of the one open beside the list. */
export function openBeside(link: HTMLElement): void {
  const open = document.querySelector('main [data-shortcut="row"][aria-current="true"]');
  if (open === null || open === link || !(link instanceof HTMLAnchorElement)) return;
  unawaited(
    goto(link.href, { replaceState: true, keepFocus: true, noScroll: true }),
    'opening a screen',
  );
}

/** Focuses an element at once, without scrolling. */
export const takeFocus = (element: HTMLElement): void => element.focus({ preventScroll: true });

/** Focuses a field and scrolls to it. Not `autofocus`, which leaves the focus on a button that stays. */
export const takeFocusInSight = (field: HTMLElement): void => field.focus();

/** Focuses the next content to read, and scrolls to it. */
export const takeFocusAt =
  (block: ScrollLogicalPosition): Attachment<HTMLElement> =>
  (element) => {
    takeFocus(element);
    element.scrollIntoView({ block });
  };

/** Focuses the first field or button of an opened part. */
export const takeFocusInside = (element: HTMLElement): void =>
  element.querySelector<HTMLElement>('input, button:enabled')?.focus();

/**
 * Focuses the first invalid field, whose error is read aloud.
 *
 * @returns the error if the field was focused already, as after Enter, so that nothing would read it
 */
export async function focusError(form: HTMLElement): Promise<string> {
  await tick();
  const field = form.querySelector<HTMLElement>('[aria-invalid]');
  const wasThere = field !== null && field === document.activeElement;
  field?.focus();
  const sentence = field?.getAttribute('aria-describedby') ?? '';
  return wasThere ? (document.getElementById(sentence)?.textContent.trim() ?? '') : '';
}

/** The least distance between a field and the bar below it. */
const ROOM_PX = 12;

/** For a bar at the foot of a form: scrolls if it covers the focused field. */
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
