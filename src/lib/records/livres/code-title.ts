import { parseIsbn } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';

/** Whether nobody knows a book's title yet: it bears its code (docs/rules.md § 44). */
export const isCodeTitled = ({ titre, isbn }: LivreDocument): boolean =>
  isbn !== null && parseIsbn(titre) === isbn;
