import { m } from '$lib/paraglide/messages';

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Replaces the browser's sentence about an empty required field, which is in the browser's language. */
export function sayRequired({ target }: Event): void {
  if (isField(target) && target.validity.valueMissing) target.setCustomValidity(m.field_required());
}

/** Lets the browser check a field again once somebody types into it. */
export function unsayRequired({ target }: Event): void {
  if (isField(target) && target.validity.customError) target.setCustomValidity('');
}
