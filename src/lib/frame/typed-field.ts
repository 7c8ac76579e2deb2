/** A field that is typed into, as it was before a scanner began to. */
export interface TypedField {
  readonly element: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  readonly value: string;
  /** What stands before and after what is typed. */
  readonly head: string;
  readonly tail: string;
  /** Nothing would have stayed of it beside what is typed, or a code that was scanned before. */
  readonly isFree: boolean;
  /** It is meant for a code. */
  readonly isForCode: boolean;
}

const NOT_TYPED = ['button', 'checkbox', 'radio', 'submit'];

/** The field that has the focus before a key is typed into it; `null` for anything else. */
export function typedField(target: EventTarget | null): TypedField | null {
  if (target instanceof HTMLSelectElement)
    return {
      element: target,
      value: target.value,
      head: '',
      tail: '',
      isFree: true,
      isForCode: false,
    };
  const isText =
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !NOT_TYPED.includes(target.type));
  if (!isText) return null;
  const { value, selectionStart, selectionEnd } = target;
  const head = value.slice(0, selectionStart ?? value.length);
  const tail = value.slice(selectionEnd ?? value.length);
  return {
    element: target,
    value,
    head,
    tail,
    isFree: /^[\d\s-]{9,}[\dX]$/i.test(value.trim()) || (head + tail).trim() === '',
    isForCode: target.classList.contains('code'),
  };
}

/** Takes what a scanner has typed out of a field, which may have got another text meanwhile. */
export function takeOut(field: TypedField, typed: string): void {
  const { element, head, tail } = field;
  if (element instanceof HTMLSelectElement || element.value === head + typed + tail) {
    setValue(field, field.value);
    return;
  }
  const end = element.selectionEnd ?? element.value.length;
  const before = element.value.slice(0, end);
  for (let start = 0; start < typed.length; start++) {
    if (!before.endsWith(typed.slice(start))) continue;
    const kept = before.slice(0, before.length - (typed.length - start));
    setValue(field, kept + element.value.slice(end));
    return;
  }
}

/** Has a field hold another text, as if it had been typed. */
export function setValue({ element }: TypedField, value: string): void {
  element.value = value;
  element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  if (element instanceof HTMLSelectElement)
    element.dispatchEvent(new Event('change', { bubbles: true }));
}
