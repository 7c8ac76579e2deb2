// The default import only: the named ones pass the type check and fail at run time.
import isbn3 from 'isbn3';
import { cleEan13, cleModulo11, codeNu } from './codes.ts';

/**
 * The bare ISBN-13 that a text says as ISBN-10 or ISBN-13, `null` when it says none. Valid by its
 * prefix and its check digit, even in a range that is not assigned (contract.md « ISBN »).
 * An ISBN-10 of the group 977 is a book: only longer codes are a periodical's.
 */
export function lireIsbn(texte: string): string | null {
  const code = codeNu(texte);
  if (/^\d{9}[\dX]$/.test(code)) {
    const racine = code.slice(0, 9);
    return code.endsWith(cleModulo11(racine)) ? `978${racine}${cleEan13(`978${racine}`)}` : null;
  }
  if (!/^97(?:8\d|9[1-9])\d{9}$/.test(code)) return null;
  return code.endsWith(cleEan13(code)) ? code : null;
}

/**
 * An ISBN-13 with its hyphens: split entirely in the French-language group (978-2, 979-10), at
 * group and check digit elsewhere, and not at all in a range that is not assigned
 * (contract.md « ISBN »). Expects what `lireIsbn` returned; some 2 µs.
 */
export function afficherIsbn(isbn13: string): string {
  const parties = isbn3.parse(isbn13);
  if (parties === null) return isbn13;
  const { prefix, group, publisher, article, check } = parties;
  const francophone = `${prefix}-${group}` === '978-2' || `${prefix}-${group}` === '979-10';
  const milieu = francophone ? `${publisher}-${article}` : `${publisher}${article}`;
  return `${prefix}-${group}-${milieu}-${check}`;
}

/** The ISBN-10 of a bare ISBN-13; `null` for the prefix 979, which has none. */
export function isbn10De(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const racine = isbn13.slice(3, 12);
  return racine + cleModulo11(racine);
}
