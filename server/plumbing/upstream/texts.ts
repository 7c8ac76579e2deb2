import { MAX_NOMBRE_PAGES } from '#shared/livres';
import { nfc } from '#shared/text';

// Texts of catalogues in the household's form (docs/rules.md § 24, 25).

/**
 * A text in NFC, without control characters, with single blanks. The BnF puts U+0088, U+0089, U+0098 and U+009C
 * around words that sorting ignores.
 */
export const cleanText = (text: string): string =>
  nfc(
    text
      .toWellFormed()
      .replace(/[\u0088\u0089\u0098\u009c]/gu, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  );

/** Length in code points; `null` when nothing is left. */
export function truncate(text: string, length: number): string | null {
  const points = Array.from(cleanText(text));
  return points.length === 0 ? null : points.slice(0, length).join('').trim();
}

/**
 * The first year in a date: `2012`, `1919-1945`, `DL 2019`, `[1994]`, `April 22, 2008`, `2022-02-09`. `null` for
 * `[s.d.]`, and for a year with unknown digits.
 */
export function parseAnnee(date: string): number | null {
  const annee = /(?<!\d)\d{4}(?!\d)/u.exec(date)?.[0];
  return annee === undefined || Number(annee) > 3000 ? null : Number(annee);
}

const RANGE = /\d\s*[-\u2010-\u2015]\s*\d/u;
const BRACKETS = /[([]([^()[\]]*)[)\]]/gu;

/** Bounds the work on a hostile description; page counts come earlier. */
const MAX_LENGTH_READ = 500;

/** Replaces a removed bracket: neither a digit nor a blank. */
const EDGE = '|';

/**
 * The page count of a description: the largest integer directly before `p.`, `page` or `pages`, outside brackets with
 * a range and before any ` + ` (accompanying material) (docs/rules.md § 25). `null` without one: leaves (`f.`),
 * volumes and centimetres do not count. If there are as many counts before one `p.` as volumes, as in « 2 vol. (518,
 * 477 p.) », they are added up.
 */
export function parseNombrePages(description: string): number | null {
  const book = withoutRanges(description.slice(0, MAX_LENGTH_READ).split(/\s\+\s/u)[0] ?? '');
  const counts = Array.from(
    book.matchAll(/(?<!\d|\d[.,])(\d+)\s*(?:p\.|pages?\b)/giu),
    ([, digits]) => Number(digits),
  );
  const nombrePages = pagesOfVolumes(book) ?? Math.max(0, ...counts);
  return nombrePages >= 1 && nombrePages <= MAX_NOMBRE_PAGES ? nombrePages : null;
}

function pagesOfVolumes(book: string): number | null {
  const [, volumes, list = ''] =
    /(?<!\d)(\d{1,2})\s*vol\.[^\d]*(\d+(?:\s*,\s*\d+)+)\s*(?:p\.|pages?\b)/iu.exec(book) ?? [];
  const counts = list.split(',').map(Number);
  return Number(volumes) > 1 && counts.length === Number(volumes)
    ? counts.reduce((sum, count) => sum + count, 0)
    : null;
}

function withoutRanges(text: string): string {
  const next = text.replace(BRACKETS, (_, content: string) =>
    RANGE.test(content) ? EDGE : EDGE + content + EDGE,
  );
  return next === text ? text : withoutRanges(next);
}
