import { bareCode, ean13CheckDigit, modulo11CheckDigit, printedCode } from './codes.ts';

/**
 * The plain ISBN-13 of an ISBN-10 or ISBN-13 with or without separators, `null` for anything else. Valid by prefix
 * and check digit, even in an unassigned range (docs/rules.md § 7). An ISBN-10 that begins with 977 is a book: only
 * longer codes are a periodical's.
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

/** Like `parseIsbn`, of a code as people, scanners and shops write it. */
export const isbnAsWritten = (text: string): string | null =>
  parseIsbn(text) ?? parseIsbn(printedCode(text));

/** Printed music, a product of a shop, a French magazine. */
export const OTHER_CODES = ['musique', 'produit', 'magazine'] as const;
export type OtherCode = (typeof OTHER_CODES)[number];

/** A product's or magazine's code without the two or five digits of an add-on. */
const withoutAddOn = (code: string): string =>
  code.replace(/^(37[89]\d{10}|(?!97[789])\d{12})(?:\d{2}|\d{5})$/, '$1');

/** The kind of a complete code that is no book's; `null` for an incomplete or unknown one. */
export function otherCodeOf(text: string): OtherCode | null {
  const code = withoutAddOn(printedCode(text));
  if (/^\d{12}$/.test(code) && !/^97[789]/.test(code))
    return `0${code}`.endsWith(ean13CheckDigit(`0${code}`)) ? 'produit' : null;
  if (!/^\d{13}$/.test(code) || !code.endsWith(ean13CheckDigit(code))) return null;
  if (code.startsWith('9790')) return 'musique';
  return /^37[89]/.test(code) ? 'magazine' : null;
}

/**
 * The first ISBN in a longer text, such as the address of a bookshop's page; ISBN-13 before ISBN-10. Ten digits count
 * only as a part of an address or after « ISBN »: one in eleven random numbers is valid.
 */
export function findIsbn(text: string): string | null {
  const long = text.match(/(?<!\d)97[89](?:[\s\p{Pd}]?\d){10}(?!\d)/gu) ?? [];
  const short = text.match(
    /(?<=[/=]|isbn(?:-10)?[\s:\p{Pd}]{0,3})\d(?:\p{Pd}?\d){8}\p{Pd}?[\dX](?!\w)/giu,
  );
  return [...long, ...(short ?? [])].map(parseIsbn).find((isbn) => isbn !== null) ?? null;
}

/** `null` for the prefix 979, which has none. */
export function isbn10Of(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const digits = isbn13.slice(3, 12);
  return digits + modulo11CheckDigit(digits);
}
