import { bareCode, ean13CheckDigit, modulo11CheckDigit } from './codes.ts';

/**
 * The bare ISBN-13 of an ISBN-10 or ISBN-13 with or without separators, `null` for anything else.
 * Valid by prefix and check digit, even in an unassigned range (docs/rules.md § 7). An ISBN-10
 * that begins with 977 is a book: only longer codes are a periodical's.
 */
export function parseIsbn(text: string): string | null {
  const code = bareCode(text);
  if (/^\d{9}[\dX]$/.test(code)) {
    const digits = code.slice(0, 9);
    if (!code.endsWith(modulo11CheckDigit(digits))) return null;
    return `978${digits}${ean13CheckDigit(`978${digits}`)}`;
  }
  if (!/^97(?:8\d|9[1-9])\d{9}$/.test(code)) return null;
  return code.endsWith(ean13CheckDigit(code)) ? code : null;
}

/** The ISBN-10 of a bare ISBN-13; `null` for the prefix 979, which has none. */
export function isbn10Of(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const digits = isbn13.slice(3, 12);
  return digits + modulo11CheckDigit(digits);
}
