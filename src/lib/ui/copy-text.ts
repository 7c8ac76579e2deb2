import { m } from '$lib/paraglide/messages';
import { browserPart } from '$lib/sync/this-device';

/**
 * Copies a text. Where the browser has no clipboard, as over plain HTTP, or refuses it, what shows the text is selected for
 * the person to copy.
 *
 * @returns the sentence to say
 */
export async function copyText(
  text: string,
  shown: HTMLElement | undefined,
  copied: string,
): Promise<string> {
  const clipboard = browserPart('clipboard');
  try {
    if (clipboard === null) throw new DOMException('no clipboard', 'NotSupportedError');
    await clipboard.writeText(text);
    return copied;
  } catch {
    if (shown instanceof HTMLTextAreaElement) shown.select();
    else if (shown !== undefined) getSelection()?.selectAllChildren(shown);
    return m.text_selected();
  }
}
