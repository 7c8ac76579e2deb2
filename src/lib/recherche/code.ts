import { printedCode } from '#shared/codes';
import { isbnAsWritten } from '#shared/isbn';
import { issnOfCode977 } from '#shared/issn';

/** What a typed or scanned code stands for. */
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

/** A code as lists tell codes apart: a book's with its 13 digits. */
export function codeKey(text: string): string {
  const code = parseCode(text);
  return code.kind === 'livre' ? code.isbn : text.trim();
}
