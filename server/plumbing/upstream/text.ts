import { nfc } from '#shared/text';

/**
 * A text of a catalogue without control characters, in NFC, each run of blanks made one. The BnF puts
 * U+0088, U+0089, U+0098 and U+009C around the words that a sort leaves out.
 */
export const cleanText = (text: string): string =>
  nfc(text.toWellFormed())
    .replace(/[\u0080-\u009f]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** The clean text cut to the length of a field, in code points; `null` when nothing is left. */
export function truncate(text: string, length: number): string | null {
  const points = Array.from(cleanText(text));
  return points.length === 0 ? null : points.slice(0, length).join('').trim();
}

/**
 * The first year that a date names: `2012`, `1919-1945`, `DL 2019`, `[1994]`, `April 22, 2008`,
 * `2022-02-09`. `null` for `[s.d.]` and for a year with unknown digits.
 */
export function parseAnnee(date: string): number | null {
  const annee = /(?<!\d)\d{4}(?!\d)/u.exec(date)?.[0];
  return annee === undefined || Number(annee) > 3000 ? null : Number(annee);
}
