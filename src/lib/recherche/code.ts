import { printedCode } from '#shared/codes';
import { findIsbn, isbnAsWritten } from '#shared/isbn';
import { issnOfCode977 } from '#shared/issn';

export type ParsedCode =
  | { readonly kind: 'livre'; readonly isbn: string }
  | { readonly kind: 'revue'; readonly issn: string }
  | { readonly kind: 'unknown' };

/** Reads a code as the server does: a 977 code is a periodical's (docs/rules.md § 8). */
export function parseCode(text: string): ParsedCode {
  const revue = issnOfCode977(printedCode(text));
  if (revue !== null)
    return revue.issn === null ? { kind: 'unknown' } : { kind: 'revue', issn: revue.issn };
  const isbn = isbnAsWritten(text);
  return isbn === null ? { kind: 'unknown' } : { kind: 'livre', isbn };
}

/** The key of a code in a list: of a book's, its 13 digits. */
export function codeKey(text: string): string {
  const code = parseCode(text);
  return code.kind === 'livre' ? code.isbn : text.trim();
}

/** The parameters of a page shared with the application (`share_target` of the manifest). */
const SHARED = ['url', 'text', 'title'] as const;

/**
 * The parameters of the form of a new book for a shared page: the ISBN in the page's text, or else its title. `null`
 * for an address that shares nothing.
 */
export function givenByPage(query: URLSearchParams): URLSearchParams | null {
  const texts = SHARED.flatMap((name) => query.get(name)?.trim() || []);
  if (texts.length === 0) return null;
  const isbn = findIsbn(texts.join('\n'));
  if (isbn !== null) return new URLSearchParams({ isbn });
  const shared = query.get('title') || query.get('text') || '';
  const titre = shared.replace(/https?:\S+/g, '').trim();
  return new URLSearchParams(titre === '' ? {} : { titre });
}
