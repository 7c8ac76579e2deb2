import { firstCharacters } from '#shared/text';

/**
 * Makes every `maxlength` count code points, like the server: browsers count surrogate pairs twice. A focused field
 * allows twice as many units, and inserted text is cut here: WebKit cuts by `maxlength` before its event, so that a
 * temporary limit would block the following text.
 */
export function countCharacters(): void {
  const limits = new WeakMap<Field, number>();
  const limitOf = (field: Field): number => {
    const known = limits.get(field) ?? -1;
    if (field.maxLength < 0 || field.maxLength === 2 * known) return known;
    const most = field.maxLength;
    limits.set(field, most);
    field.maxLength = 2 * most;
    return most;
  };
  const insert = (event: InputEvent) => {
    const { target, inputType } = event;
    if (!isField(target) || !inputType.startsWith('insert')) return;
    const most = limitOf(target);
    const { value, selectionStart, selectionEnd } = target;
    const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    const rest = value.slice(0, start) + value.slice(end);
    // A line break has no data.
    const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '\n';
    const room = Math.max(0, most - Array.from(rest).length);
    const fitting = firstCharacters(text, room);
    if (most < 0 || fitting === text) return;
    event.preventDefault();
    if (fitting === '') return;
    target.setRangeText(fitting, start, end, 'end');
    target.dispatchEvent(new InputEvent('input', { inputType, data: fitting, bubbles: true }));
  };
  const enter = ({ target }: FocusEvent) => {
    if (isField(target)) limitOf(target);
  };
  document.addEventListener('focusin', enter, { capture: true });
  document.addEventListener('beforeinput', insert, { capture: true });
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
