import { type Field, type FieldText, isField } from './heard-keys.ts';

/** Follows the keys that are typed into one field, as long as nothing else changes its text. */
export class TypedField {
  readonly #element: Field;
  /** The text before the first key, and its parts before and after the caret. */
  readonly #value: string;
  readonly #head: string;
  readonly #tail: string;
  #typed = '';

  private constructor(element: Field, { value, start, end }: FieldText) {
    this.#element = element;
    this.#value = value;
    this.#head = value.slice(0, start);
    this.#tail = value.slice(end);
  }

  /** The field that has the focus, with its text before a key is typed into it; `null` for anything else. */
  static of(target: EventTarget | null, text: FieldText | null): TypedField | null {
    return isField(target) && text !== null ? new TypedField(target, text) : null;
  }

  get takesText(): boolean {
    return !(this.#element instanceof HTMLSelectElement);
  }

  /** Whether a code may take the place of what stood in the field: nothing, or a code that was scanned before. */
  get isFree(): boolean {
    if (!this.takesText || /^[\d\s-]{9,}[\dX]$/i.test(this.#value.trim())) return true;
    return (this.#head + this.#tail).trim() === '';
  }

  get isForCode(): boolean {
    return this.#element.classList.contains('code');
  }

  /** False where the key goes into another field, or something else has changed the text or the selection since. */
  add(target: EventTarget | null, key: string, text: FieldText | null): boolean {
    if (target !== this.#element || text === null || !this.#isAsTyped(text.value)) return false;
    const caret = this.#head.length + this.#typed.length;
    const { start, end } = text;
    if (this.takesText && (start !== caret || end !== caret) && this.#typed !== '') return false;
    this.#typed += key;
    return true;
  }

  /** Removes the typed keys, unless the text has changed since; what was selected before is again. */
  takeOut(): void {
    if (!this.#isAsTyped(this.#element.value)) return;
    this.set(this.#value);
    // A number field has no selection to set.
    if (this.#element instanceof HTMLSelectElement || this.#element.selectionStart === null) return;
    const end = this.#value.length - this.#tail.length;
    this.#element.setSelectionRange(this.#head.length, end);
  }

  set(value: string): void {
    this.#element.value = value;
    this.#element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    if (!this.takesText) this.#element.dispatchEvent(new Event('change', { bubbles: true }));
  }

  #isAsTyped(value: string): boolean {
    if (!this.takesText) return true;
    return value === (this.#typed === '' ? this.#value : this.#head + this.#typed + this.#tail);
  }
}
