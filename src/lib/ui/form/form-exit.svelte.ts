import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import { afterNavigate, goto } from '$app/navigation';

/**
 * Leaves a form: back to the screen that it was opened from, so that the history keeps no form;
 * after a reload or a shared link, to the `fallback` address. Call while a component is set up.
 */
export function formExit(): (fallback: string) => void {
  let cameFromApp = false;
  afterNavigate(({ from, to, type }) => {
    if (type === 'enter') return;
    // A navigation within the form, such as to its scanner, opens no other screen.
    if (from?.url.pathname !== to?.url.pathname) cameFromApp = from !== null;
  });
  return (fallback) => {
    if (cameFromApp) history.back();
    else void goto(fallback, { replaceState: true });
  };
}

/** Leaves a form by Escape, unless a control in it has a use for the key; what is typed stays a draft. */
export const leaveOnEscape =
  (leave: () => void): Attachment<HTMLElement> =>
  (form) =>
    on(form, 'keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      leave();
    });
