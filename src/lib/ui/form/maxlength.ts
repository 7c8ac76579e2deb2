import { firstCharacters } from '#shared/text';

/**
 * Has every `maxlength` count characters, as the server does: a browser counts a pair of surrogates twice. Before a text
 * is inserted, its field's limit becomes that of the units which it may have with it.
 */
export function countCharacters(): void {
  const limits = new WeakMap<Element, number>();
  const setLimit = ({ target, data }: InputEvent) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (!isField) return;
    const most = limits.get(target) ?? target.maxLength;
    if (most < 0) return;
    limits.set(target, most);
    const { value, selectionStart, selectionEnd } = target;
    const rest =
      value.slice(0, selectionStart ?? value.length) + value.slice(selectionEnd ?? value.length);
    const room = Math.max(0, most - Array.from(rest).length);
    // A line break has no data.
    const units = data === null ? room : firstCharacters(data, room).length;
    target.maxLength = rest.length + units;
  };
  document.addEventListener('beforeinput', setLimit, { capture: true });
}
