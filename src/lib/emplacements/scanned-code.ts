import { livresView } from '$lib/records/livres/view.svelte';
import { parseIsbn } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';

/** What a code stands for where books are put away: the copies of a book, or nothing that is known. */
interface ScannedCode {
  /** The ISBN-13 without hyphens; any other code as it was read. */
  readonly code: string;
  readonly copies: readonly LivreDocument[];
}

export function readCode(text: string): ScannedCode {
  const isbn = parseIsbn(text);
  return isbn === null
    ? { code: text, copies: [] }
    : { code: isbn, copies: livresView.byIsbn(isbn) };
}
