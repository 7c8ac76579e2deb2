import { isIsoDate } from '#shared/days';
import { normaliser } from '#shared/text';
import { dayOf } from './dates.ts';
import { toDay, toMonth } from './typed-date.ts';

/** Two days of 29 February are at most this many years apart. */
const LEAP_YEARS_APART = 8;

/** Words without meaning in a date: « vers 2009 », « le 12 mars », « en été 2009 », « about 2009 ». */
const JOINTS = new Set(
  'le la en vers environ au du de l an annee mois the in on of about around year month'.split(' '),
);
const DAYS_AGO: ReadonlyMap<string, number> = new Map([
  ['aujourd hui', 0],
  ['ce jour', 0],
  ['hier', 1],
  ['avant hier', 2],
  ['today', 0],
  ['yesterday', 1],
  ['day before yesterday', 2],
]);

/**
 * Parses a typed day, month or year into ISO 8601: « mars 2019 », « 12/3/19 », « vers 2009 », « yesterday », « 12
 * mars » (the last one). `null` for a blank text, `undefined` for an invalid one.
 */
export function parseReadingDate(text: string, now: Date): string | null | undefined {
  const words = normaliser(text)
    .split(' ')
    .filter((word) => word !== '' && !JOINTS.has(word));
  if (words.length === 0) return text.trim() === '' ? null : undefined;
  const daysAgo = DAYS_AGO.get(words.join(' '));
  if (daysAgo !== undefined)
    return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo));
  const date = composed(words, dayOf(now));
  return date !== undefined && isIsoDate(date) ? date : undefined;
}

function composed(words: readonly string[], today: string): string | undefined {
  if (words.length > 3) return undefined;
  const isIso = /^\d{4}$/.test(words[0] ?? '');
  const [last = '', ...others] = isIso ? words : words.toReversed();
  const year = yearOf(last, others, today);
  if (year !== undefined) return joined(year, others);
  // Without a year, the last such day or month is meant.
  if (others.length > 1) return undefined;
  const thisYear = Number(today.slice(0, 4));
  return Array.from({ length: LEAP_YEARS_APART + 1 }, (_, ago) =>
    joined(String(thisYear - ago), [last, ...others]),
  ).find((date) => date !== undefined && isIsoDate(date) && date <= today.slice(0, date.length));
}

/** A year of four digits, or two after a month; `undefined` for any other word. */
function yearOf(word: string, others: readonly string[], today: string): string | undefined {
  if (/^\d{4}$/.test(word)) return word;
  if (!/^\d{2}$/.test(word) || others.length === 0) return undefined;
  // « 5/12 » is a day and its month, « mai 12 » a month and its year.
  const isDayAndMonth = others.length === 1 && /^\d/.test(others[0] ?? '');
  if (isDayAndMonth && Number(word) >= 1 && Number(word) <= 12) return undefined;
  const century = today.slice(0, 2);
  const year = `${century}${word}`;
  return year > today.slice(0, 4) ? `${Number(century) - 1}${word}` : year;
}

function joined(year: string, [month, day]: readonly string[]): string | undefined {
  const parts = [
    ...(month === undefined ? [] : [toMonth(month)]),
    ...(day === undefined ? [] : [toDay(day)]),
  ];
  return parts.includes(undefined) ? undefined : [year, ...parts].join('-');
}
