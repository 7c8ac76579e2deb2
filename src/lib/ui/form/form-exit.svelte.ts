import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import { afterNavigate, goto } from '$app/navigation';
import { m } from '$lib/paraglide/messages';
import type { Action } from '../action.svelte.ts';
import { announcer } from '../announcer.svelte.ts';
import { unawaited } from '$lib/sync/report';

/**
 * Leaves a form: back to the screen that it was opened from, so that the history keeps no form; after a reload or by a
 * shared link to the `fallback` address. Call while a component is set up.
 */
export function formExit(): (fallback: string) => void {
  let cameFromApp = false;
  afterNavigate(({ from, to, type }) => {
    if (type === 'enter') return;
    // A navigation within the form, such as to its scanner, does not come from another screen.
    if (from?.url.pathname !== to?.url.pathname) cameFromApp = from !== null;
  });
  return (fallback) => {
    if (cameFromApp) history.back();
    else unawaited(goto(fallback, { replaceState: true }), 'opening a screen');
  };
}

/** Escape leaves a form, unless one of its controls handles the key; typed values stay as a draft. */
export const leaveOnEscape =
  (leave: () => void): Attachment<HTMLElement> =>
  (form) =>
    on(form, 'keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      leave();
    });

/** Keys that leave a form or a field without a change. */
const LEAVING = new Set(['Tab', 'Escape', 'Shift']);

const EVENTS = ['beforeinput', 'click', 'drop', 'keydown', 'mousedown', 'paste', 'pointerdown'];

export const blockWhile =
  (isPending: () => boolean): Attachment<HTMLElement> =>
  (element) =>
    isPending() ? blockForm(element.closest('form') ?? element) : undefined;

/** Blocks changes while a form is being saved, which would be lost. The focus stays, and « Annuler » can be pressed. */
function blockForm(form: HTMLElement): () => void {
  const hold = (event: Event): void => {
    const { target } = event;
    if (target instanceof Element && target.closest('[data-leaves]') !== null) return;
    if (event instanceof KeyboardEvent && LEAVING.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The text that an input method composes cannot be refused where it arises.
  const fields = [...form.querySelectorAll<HTMLInputElement>('input, textarea')].filter(
    ({ readOnly }) => !readOnly,
  );
  for (const field of fields) field.readOnly = true;
  form.ariaBusy = 'true';
  for (const name of EVENTS) form.addEventListener(name, hold, { capture: true });
  return () => {
    for (const field of fields) field.readOnly = false;
    form.ariaBusy = null;
    for (const name of EVENTS) form.removeEventListener(name, hold, { capture: true });
  };
}

/**
 * Cancels a write that is not sent; a sent one can be undone by the bar.
 *
 * @param ondropped called if nothing was sent
 */
export function giveUp(action: Action, ondropped: () => void = () => undefined): void {
  if (!action.pending) {
    ondropped();
    return;
  }
  unawaited(
    action.giveUp().then((isUnsent) => {
      announcer.say(isUnsent ? m.cancel_unsent() : m.cancel_too_late());
      if (isUnsent) ondropped();
    }),
    'giving up a write',
  );
}
