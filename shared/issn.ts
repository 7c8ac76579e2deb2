import { bareCode, ean13CheckDigit, modulo11CheckDigit } from './codes.ts';

/** The hyphenated form (`0988-2480`) of a text with blanks and hyphens anywhere (docs/rules.md § 8). */
export function parseIssn(text: string): string | null {
  const code = bareCode(text);
  if (!/^\d{7}[\dX]$/.test(code)) return null;
  return code.endsWith(modulo11CheckDigit(code.slice(0, 7))) ? withDash(code) : null;
}

/**
 * The ISSN of a periodical's EAN: 13 digits that begin with 977, then an optional add-on of 2 or 5 digits, which is
 * ignored (docs/rules.md § 8). `null` for any other code; `issn` is null if the EAN's check digit is wrong, since its
 * ISSN cannot be trusted.
 */
export function issnOfCode977(text: string): { readonly issn: string | null } | null {
  const code = /^(977\d{10})(?:\d{2}|\d{5})?$/.exec(bareCode(text))?.[1];
  if (code === undefined) return null;
  if (!code.endsWith(ean13CheckDigit(code))) return { issn: null };
  const digits = code.slice(3, 10);
  return { issn: withDash(digits + modulo11CheckDigit(digits)) };
}

/** The thirteen digits of a 977 code, without its add-on. */
export const digitsOfCode977 = (text: string): string => bareCode(text).slice(0, 13);

const withDash = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;
