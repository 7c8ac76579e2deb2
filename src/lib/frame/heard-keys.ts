export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The text of a field and what is selected of it, before a key changes them. */
export interface FieldText {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A key, and what stood in the field that it goes into; `null` where that is none. */
export interface HeardKey {
  readonly event: KeyboardEvent;
  readonly text: FieldText | null;
}

const NOT_TYPED = ['button', 'checkbox', 'radio', 'submit'];

export const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !NOT_TYPED.includes(target.type));

/** A number field tells no selection: its caret is taken to be at the end. */
export function textOf(target: EventTarget | null): FieldText | null {
  if (!isField(target)) return null;
  const { value } = target;
  const { length } = value;
  if (target instanceof HTMLSelectElement) return { value, start: length, end: length };
  return { value, start: target.selectionStart ?? length, end: target.selectionEnd ?? length };
}

/** What was pressed longer ago is nobody's any more, in milliseconds. */
const KEPT_MS = 30_000;

/** So many keys within this time, in milliseconds, are a code: the Enter behind them ends it. */
const MIN_CODE_LENGTH = 8;
const CODE_MS = 2000;

/**
 * The keys with one that is pressed before what they are for is there. The Enter behind a code, which would
 * send a form, goes no further.
 */
export function withKey(before: readonly HeardKey[], event: KeyboardEvent): readonly HeardKey[] {
  const isWithin = (key: HeardKey | undefined, ms: number): boolean =>
    key !== undefined && event.timeStamp - key.event.timeStamp < ms;
  if (event.key === 'Enter' && isWithin(before.at(-MIN_CODE_LENGTH), CODE_MS)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return [...before.filter((key) => isWithin(key, KEPT_MS)), { event, text: textOf(event.target) }];
}
