import { ean13CheckDigit, modulo11CheckDigit, printedCode } from './codes.ts';
import { otherCodeOf, parseIsbn, type OtherCode } from './isbn.ts';
import { formatIsbn } from './isbn-format.ts';
import { digitsOfCode977, issnOfCode977 } from './issn.ts';

/** The diagnosis of a code typed as an ISBN (docs/rules.md § 7). */
type IsbnDiagnosis =
  | { readonly kind: 'empty' }
  | { readonly kind: 'valid'; readonly isbn: string }
  | { readonly kind: 'revue'; readonly issn: string }
  /** A periodical's code of thirteen digits, of which the last is wrong. */
  | { readonly kind: 'revueCheck'; readonly code: string }
  /** A complete code of something other than a book. */
  | { readonly kind: 'other'; readonly sorte: OtherCode }
  /** The first character other than digits, hyphens, blanks and a last X. */
  | { readonly kind: 'character'; readonly character: string }
  /** The number of missing digits for an ISBN of `length` digits. */
  | { readonly kind: 'missing'; readonly count: number; readonly length: 10 | 13 }
  | { readonly kind: 'extra'; readonly count: number; readonly length: 10 | 13 }
  /** Thirteen digits that begin like no book's: not with 978 or 979, or with 979-0, which is printed music. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** A wrong check digit: `shown` is the code, hyphenated, « ? » for that digit. */
  | { readonly kind: 'check'; readonly shown: string };

export function diagnoseIsbn(text: string): IsbnDiagnosis {
  const code = printedCode(text);
  if (code === '') return { kind: 'empty' };
  const isbn = parseIsbn(code);
  if (isbn !== null) return { kind: 'valid', isbn };
  const revue = issnOfCode977(code);
  if (revue?.issn === null) return { kind: 'revueCheck', code: digitsOfCode977(code) };
  if (revue !== null) return { kind: 'revue', issn: revue.issn };
  const sorte = otherCodeOf(code);
  if (sorte !== null) return { kind: 'other', sorte };
  const wrong = /[^\dX]|X(?!$)/u.exec(code)?.[0];
  if (wrong !== undefined) return { kind: 'character', character: wrong };
  return diagnoseDigits(code);
}

function diagnoseDigits(code: string): IsbnDiagnosis {
  const { length } = code;
  const isLong = length > 11 || /^97[89]/.test(code);
  if (!isLong) {
    if (length < 10) return { kind: 'missing', count: 10 - length, length: 10 };
    if (length > 10) return { kind: 'extra', count: length - 10, length: 10 };
    return { kind: 'check', shown: shown10(code) };
  }
  if (length < 13) return { kind: 'missing', count: 13 - length, length: 13 };
  if (length > 13) return { kind: 'extra', count: length - 13, length: 13 };
  if (!/^97(?:8|9[1-9])/.test(code))
    return { kind: 'prefix', prefix: code.startsWith('9790') ? '979-0' : code.slice(0, 3) };
  return { kind: 'check', shown: shown13(code) };
}

const shown13 = (code: string): string =>
  hideLast(formatIsbn(code.slice(0, 12) + ean13CheckDigit(code)));

/** An ISBN-10 with the hyphens of its ISBN-13. */
function shown10(code: string): string {
  const digits = code.slice(0, 9);
  const isbn13 = parseIsbn(digits + modulo11CheckDigit(digits));
  const formatted = isbn13 === null ? code : formatIsbn(isbn13);
  return hideLast(formatted.replace(/^978-?/, ''));
}

const hideLast = (code: string): string => `${code.slice(0, -1)}?`;
