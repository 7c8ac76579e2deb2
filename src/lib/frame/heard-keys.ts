export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The text of a field and what is selected of it, before a key changes them. */
export interface FieldText {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A key, and what stood in the field that it goes into; `null` where that is none. */
export interface RecentKey {
  readonly event: KeyboardEvent;
  readonly text: FieldText | null;
  /** True for an Enter that was kept from its target. */
  readonly isDelayed: boolean;
}

const NOT_TYPED = ['button', 'checkbox', 'radio', 'submit'];

export const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !NOT_TYPED.includes(target.type));

/** A number field reports no selection: its caret is taken to be at the end. */
export function textOf(target: EventTarget | null): FieldText | null {
  if (!isField(target)) return null;
  const { value } = target;
  const { length } = value;
  if (target instanceof HTMLSelectElement) return { value, start: length, end: length };
  return { value, start: target.selectionStart ?? length, end: target.selectionEnd ?? length };
}

/** Keys that were pressed longer ago are dropped, in milliseconds. */
const KEPT_MS = 30_000;

export const recentKeys = (keys: readonly RecentKey[], nowMs: number): readonly RecentKey[] =>
  keys.filter(({ event }) => nowMs - event.timeStamp < KEPT_MS);

/** An Enter behind so many characters may be a scanner's: behind any within `FAST_MS`, behind digits within `CODE_MS`. */
const MIN_CODE_LENGTH = 8;
const FAST_MS = 400;
const CODE_MS = 2000;

const isDigit = ({ event: { key, code } }: RecentKey): boolean =>
  /^Digit\d$/.test(code) || /^[\dX]$/i.test(key);

function mayEndScan(before: readonly RecentKey[], { key, timeStamp }: KeyboardEvent): boolean {
  const typed = before.filter(({ event }) => event.key !== 'Shift').slice(-MIN_CODE_LENGTH);
  const [first] = typed;
  if (key !== 'Enter' || first === undefined || typed.length < MIN_CODE_LENGTH) return false;
  const ms = timeStamp - first.event.timeStamp;
  return (
    typed.every(({ event }) => event.key.length === 1 && !event.repeat) &&
    (ms < FAST_MS || (ms < CODE_MS && typed.every(isDigit)))
  );
}

/** An Enter that may be a scanner's would send a form: it is held back until the code for the keys knows whose it was. */
export function withKey(before: readonly RecentKey[], event: KeyboardEvent): readonly RecentKey[] {
  const isDelayed = mayEndScan(before, event);
  if (isDelayed) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return [...recentKeys(before, event.timeStamp), { event, text: textOf(event.target), isDelayed }];
}
