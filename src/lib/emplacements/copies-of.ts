import { livresView } from '$lib/records/livres/view.svelte';
import { isbnAsWritten } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';

interface Copies {
  /** The ISBN-13 without hyphens; any other code as it was read. */
  readonly code: string;
  readonly copies: readonly LivreDocument[];
}

/** The copies of a book that a code stands for; none where it is not known. */
export function copiesOf(text: string): Copies {
  const isbn = isbnAsWritten(text);
  return isbn === null
    ? { code: text, copies: [] }
    : { code: isbn, copies: livresView.byIsbn(isbn) };
}
