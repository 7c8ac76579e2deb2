import { nfc } from './text.ts';

/** Separators in codes, as people and scanners write them: blanks and hyphens of all kinds. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212]+/gu;

/** Without separators, in upper case. */
export const bareCode = (text: string): string => text.replace(SEPARATORS, '').toUpperCase();

/** The digit keys from 0 on: unshifted on French keyboards and a Mac's, shifted on American and British ones. */
const DIGIT_ROWS = ['à&é"\'(-è_ç', 'à&é"\'(§è!ç', ')!@#$%^&*(', ')!"£$%^&*('];

/** Longer than any code. */
const MAX_KEYS = 60;

/** A code typed by a scanner for another keyboard layout, if all of it is one; else unchanged. */
function digitsOf(text: string): string {
  const keys = Array.from(nfc(text.trim()));
  if (keys.length < 8 || keys.length > MAX_KEYS) return text;
  const codes = DIGIT_ROWS.map((row) =>
    keys.map((key, at) => (at === keys.length - 1 && /x/i.test(key) ? 'X' : row.indexOf(key))),
  );
  return codes.find((code) => !code.includes(-1))?.join('') ?? text;
}

/** « ISBN », « ISBN-13 : », « EAN » before a code. */
const LABEL = /^\P{L}*?(?:isbn|ean|issn)(?:[\s\p{Pd}]?1[03](?!\d))?\s*[:=]?/iu;
/** The symbology that a scanner may send before the digits: `]E0`. */
const SYMBOL = /^\s*\][A-Z]\d/i;

/**
 * Strips what people, scanners and shops add to a code: a label, points, a note in brackets, `]E0`, a link or GS1
 * text, fourteen digits for thirteen, an add-on, or another keyboard layout.
 */
export function printedCode(written: string): string {
  const text = digitsOf(written);
  const [, gtin] =
    /\/01\/(\d{14})(?!\d)/.exec(text) ?? /^\(?01\)?(\d{14})(?!\d)/.exec(bareCode(text)) ?? [];
  const code = bareCode(
    gtin ?? withoutNote(text.replace(SYMBOL, '').replace(LABEL, '')).replaceAll('.', ''),
  );
  return code.replace(/^0(?=97[789]\d{10}$)/, '').replace(/^(97[789]\d{10})(?:\d{2}|\d{5})$/, '$1');
}

/** A text up to a bracket that is not at its beginning. */
function withoutNote(text: string): string {
  const behindFirst = text.search(/\S/) + 1;
  const note = text.slice(behindFirst).search(/[([]/);
  return note === -1 ? text : text.slice(0, behindFirst + note);
}

/** The check character of an ISBN-10 or an ISSN: weights down to 2, modulo 11, X for 10. */
export function modulo11CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (digits.length + 1 - i);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

/** The check digit of an EAN-13, from its first twelve digits: weights 1 and 3, modulo 10. */
export function ean13CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}
