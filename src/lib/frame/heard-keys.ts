export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The text and selection of a field before a key changes them. */
export interface FieldText {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A key, with the content of its field; `null` outside of fields. */
export interface RecentKey {
  readonly event: KeyboardEvent;
  readonly text: FieldText | null;
  /** True for an Enter withheld from its target. */
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

/** An Enter after so many characters may be a scanner's: after any within `FAST_MS`, after digits within `CODE_MS`. */
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

/** A scanner's Enter would submit a form: it is withheld until the loaded code knows whose it was. */
export function withKey(before: readonly RecentKey[], event: KeyboardEvent): readonly RecentKey[] {
  const isDelayed = mayEndScan(before, event);
  if (isDelayed) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return [...recentKeys(before, event.timeStamp), { event, text: textOf(event.target), isDelayed }];
}
