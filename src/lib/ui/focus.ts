import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { goto } from '$app/navigation';

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

/** Opens the record of a row that an arrow key has reached, in place of the one open beside the list. */
export function openBeside(link: HTMLElement): void {
  const open = document.querySelector('main [data-shortcut="row"][aria-current="true"]');
  if (open === null || open === link || !(link instanceof HTMLAnchorElement)) return;
  void goto(link.href, { replaceState: true, keepFocus: true, noScroll: true });
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

/** Where the focus was: on a control that may be disabled or gone by now, and in what. */
interface FocusPlace {
  readonly control: HTMLElement;
  /** What the control stood in, from the inside out, as far as the screen. */
  readonly around: readonly HTMLElement[];
}

/** The place of a control that was disabled while it had the focus, until something has it again. */
let disabledPlace: FocusPlace | null = null;

/** The place that the focus was last given back to. */
let returnedPlace: FocusPlace | null = null;

function placeOf(control: HTMLElement): FocusPlace {
  const around: HTMLElement[] = [];
  for (let box = control.parentElement; box?.closest('main > *'); box = box.parentElement)
    around.push(box);
  return { control, around };
}

/** Where the focus is before a sheet opens: also on a control that its own press has disabled. */
export function focusPlace(): FocusPlace | null {
  const { activeElement: control } = document;
  if (control === null || control === document.body) return disabledPlace;
  return control instanceof HTMLElement ? placeOf(control) : null;
}

/**
 * For a control that its own press disables for a while. A browser gives keys to it until the next frame, which would
 * be lost, a scan's too; the focus comes back with the end of the work, unless it is elsewhere by then.
 */
export const holdFocus: Attachment<HTMLElement> = (control) => {
  if (control !== document.activeElement) return undefined;
  const place = (disabledPlace = placeOf(control));
  control.blur();
  return () => void giveFocusBack(place);
};

/** For a control that may go once its work is done: what it stood in takes the focus that it had been given back. */
export const followFocus: Attachment<HTMLElement> = (control) => () => {
  if (returnedPlace?.control === control && !control.isConnected) void giveFocusBack(returnedPlace);
};

/** For a control that has nothing more to do, such as « Monter » on the first: the one beside it takes the focus. */
export const passFocus: Attachment<HTMLElement> = (control) => {
  if (control !== document.activeElement && control !== disabledPlace?.control) return;
  disabledPlace = placeOf(control);
  control.blur();
  void tick().then(() => {
    takeLostFocus(besideOf(control));
    if (document.activeElement !== document.body) disabledPlace = null;
  });
};

/** Gives the focus back to a place, unless something else has it by now. */
export async function giveFocusBack(place: FocusPlace | null): Promise<void> {
  await tick();
  if (place === null) return;
  if (document.activeElement !== document.body) {
    if (disabledPlace === place) disabledPlace = null;
    return;
  }
  const { control, around } = place;
  if (control.isConnected) {
    takeLostFocus(control);
    // A disabled one gets it at the end of its work.
    const isDisabled = control.matches(':disabled');
    disabledPlace = isDisabled ? place : null;
    returnedPlace = isDisabled ? null : place;
    return;
  }
  if (disabledPlace === place) disabledPlace = null;
  // What stood in its place, such as the next row of a list, goes before what it stood in.
  await new Promise(requestAnimationFrame);
  const box = around.find(({ isConnected }) => isConnected);
  if (box === undefined || document.activeElement !== document.body) return;
  if (!box.hasAttribute('tabindex')) {
    box.tabIndex = -1;
    box.addEventListener('blur', () => box.removeAttribute('tabindex'), { once: true });
  }
  takeLostFocus(box);
}

/** The nearest control around one, in the order of the page: the next one, or else the last before it. */
function besideOf(control: HTMLElement): HTMLElement | undefined {
  const isBehind = (other: HTMLElement) =>
    (control.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  for (let around = control.parentElement; around !== null; around = around.parentElement) {
    const others = [...around.querySelectorAll<HTMLElement>(CONTROLS)].filter((other) =>
      other.checkVisibility(),
    );
    const beside = others.find(isBehind) ?? others.at(-1);
    if (beside !== undefined) return beside;
  }
  return undefined;
}

const CONTROLS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';

/** Where what had the focus has gone, this element takes it. */
export function takeLostFocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

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
