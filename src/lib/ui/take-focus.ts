import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { goto } from '$app/navigation';
import { thisScreen } from './this-screen.ts';
import { unawaited } from '$lib/sync/report';

// What gives the focus to a part that opens; what keeps it is in `focus.ts`, which the first load has.

const MAX_FRAMES = 10;

/**
 * Focuses an element that is about to be rendered. A virtual list takes some frames to create a row, and some more to
 * make it visible, before which the row refuses the focus. A person who moves the focus meanwhile keeps it.
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

/** Gives the focus to what a press leads to, once it is drawn, unless the person has left the screen by then. */
export async function moveFocus(
  find: () => Element | null | undefined,
  options?: FocusOptions,
): Promise<void> {
  const screen = thisScreen();
  await tick();
  const element = screen.aborted ? null : find();
  if (element instanceof HTMLElement) element.focus(options);
}

/** Opens the record of a row that an arrow key has reached, in place of the one open beside the list. */
export function openBeside(link: HTMLElement): void {
  const open = document.querySelector('main [data-shortcut="row"][aria-current="true"]');
  if (open === null || open === link || !(link instanceof HTMLAnchorElement)) return;
  unawaited(
    goto(link.href, { replaceState: true, keepFocus: true, noScroll: true }),
    'opening a screen',
  );
}

/** For what takes the focus as soon as it is there; the page does not move. */
export const takeFocus = (element: HTMLElement): void => element.focus({ preventScroll: true });

/**
 * For a field that opens where it may be out of sight: the page moves to it. Not `autofocus`, which leaves the focus to
 * a button that stays.
 */
export const takeFocusInSight = (field: HTMLElement): void => field.focus();

/** For what is to be read next: the page moves until it stands there. */
export const takeFocusAt =
  (block: ScrollLogicalPosition): Attachment<HTMLElement> =>
  (element) => {
    takeFocus(element);
    element.scrollIntoView({ block });
  };

/** For what opens with fields or buttons: the first one takes the focus. */
export const takeFocusInside = (element: HTMLElement): void =>
  element.querySelector<HTMLElement>('input, button:enabled')?.focus();

/**
 * Leads to what is wrong in a form: the first wrong field gets the focus, and its sentence is read aloud.
 *
 * @returns the sentence where the focus was there already, as after Enter, so that nothing would read it
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
