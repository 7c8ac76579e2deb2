import { numeroDateKey } from '#shared/numero-date';
import { normaliser } from '#shared/text';
import { MONTHS } from './partial-date.ts';

/**
 * The ISO 8601 date in a text: in words as `formatPartialDate` writes it, in figures (`20/11/2026`, `11.2026`), or ISO.
 * The server checks whether the day exists.
 *
 * @returns `null` for a blank text, `undefined` for one that is no date
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

/** Two figures. A name may be cut (« nov »), but not to the letters that June and July share. */
export function toMonth(word: string): string | undefined {
  const index = MONTHS.map(normaliser).findIndex(
    (name) => name === word || (word.length >= 3 && word !== 'jui' && name.startsWith(word)),
  );
  return index >= 0 ? String(index + 1).padStart(2, '0') : toTwoFigures(word);
}

export const toDay = (word: string) => toTwoFigures(word === '1er' ? '1' : word);

const toTwoFigures = (word: string): string | undefined =>
  /^\d{1,2}$/.test(word) ? word.padStart(2, '0') : undefined;
