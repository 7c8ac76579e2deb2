import { lireIsbn } from '#shared/isbn';
import { issnDuCode977 } from '#shared/issn';

/** What a typed or scanned code is: a book's ISBN-13, a periodical's ISSN, or neither. */
export type CodeLu =
  | { readonly genre: 'livre'; readonly isbn: string }
  | { readonly genre: 'revue'; readonly issn: string }
  | { readonly genre: 'inconnu' };

/** Reads a code as the server does: a periodical's before any check of an ISBN. */
export function lireCode(texte: string): CodeLu {
  const revue = issnDuCode977(texte);
  if (revue !== null)
    return revue.issn === null ? { genre: 'inconnu' } : { genre: 'revue', issn: revue.issn };
  const isbn = lireIsbn(texte);
  return isbn === null ? { genre: 'inconnu' } : { genre: 'livre', isbn };
}
