import type { Attachment } from 'svelte/attachments';

/** Keys that leave a form or a field, and change none. */
const LEAVING = new Set(['Tab', 'Escape', 'Shift']);

const EVENTS = ['beforeinput', 'click', 'drop', 'keydown', 'mousedown', 'paste', 'pointerdown'];

/** Keeps the form of an element, or the element itself, as it is while `isPending`. */
export const holdWhile =
  (isPending: () => boolean): Attachment<HTMLElement> =>
  (element) =>
    isPending() ? holdForm(element.closest('form') ?? element) : undefined;

/**
 * Keeps a form as it is while it is being saved: what is changed meanwhile would go with it. The focus stays
 * where it is, and « Annuler » can be pressed.
 *
 * @returns takes up changes again
 */
function holdForm(form: HTMLElement): () => void {
  const hold = (event: Event): void => {
    const { target } = event;
    if (target instanceof Element && target.closest('[data-leaves]') !== null) return;
    if (event instanceof KeyboardEvent && LEAVING.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // A text that an input method composes cannot be refused where it arises.
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
