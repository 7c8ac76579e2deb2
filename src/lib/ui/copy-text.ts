import { m } from '$lib/paraglide/messages';
import { browserPart } from '$lib/sync/this-device';

/**
 * Copies a text. If the clipboard is missing, as over plain HTTP, or refused, the shown text is selected for a manual
 * copy.
 *
 * @returns the sentence to announce
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
