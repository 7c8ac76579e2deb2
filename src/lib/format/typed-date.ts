import { monthOf, numeroDateKey } from '#shared/numero-date';
import { normaliser } from '#shared/text';

/**
 * Parses a date into ISO 8601: in words as by `formatPartialDate`, in digits (`20/11/2026`, `11.2026`), or ISO. The
 * server checks whether the day exists.
 *
 * @returns `null` for a blank text, `undefined` for an invalid one
 */
export function parsePartialDate(text: string): string | null | undefined {
  if (text.trim() === '') return null;
  const words = normaliser(text).split(' ');
  const isIso = /^\s*\d{4}-/.test(text);
  const [year, month, day] = isIso ? words : words.reverse();
  if (words.length > 3 || year === undefined || !/^\d{4}$/.test(year)) return printedDate(text);
  const parts = [month === undefined ? '' : toMonth(month), day === undefined ? '' : toDay(day)];
  if (parts.includes(undefined)) return printedDate(text);
  return [year, ...parts.filter((part) => part !== '')].join('-');
}

/** The date printed on an issue may be free text: « printemps 2026 ». */
const printedDate = (text: string): string | undefined =>
  numeroDateKey(text) === null ? undefined : text.trim();

/** Two figures. */
export const toMonth = (word: string): string | undefined =>
  toTwoFigures(String(monthOf(word) ?? word));

export const toDay = (word: string) =>
  toTwoFigures(word.replace(/^(\d{1,2})(?:er|st|nd|rd|th)$/, '$1'));

const toTwoFigures = (word: string): string | undefined =>
  /^\d{1,2}$/.test(word) ? word.padStart(2, '0') : undefined;
