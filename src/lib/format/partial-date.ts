import { isIsoDate } from '#shared/days';
import { inFrench, intlLocale } from './locale.ts';

/** Dates of issues, known to the day, the month or the year (docs/rules.md § 20). */

function monthNames(month: 'long' | 'short'): string[] {
  const names = new Intl.DateTimeFormat(intlLocale, { month, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => names.format(new Date(Date.UTC(2000, index))));
}
export const MONTHS = monthNames('long');

/** « 20 novembre 2026 », « novembre 2026 » or « 2026 » from an ISO 8601 date of that precision. */
export function formatPartialDate(date: string): string {
  if (!isIsoDate(date)) return date;
  const [year = '', month, day] = date.split('-');
  const name = month === undefined ? undefined : MONTHS[Number(month) - 1];
  if (name === undefined) return year;
  if (day === undefined) return `${name} ${year}`;
  const nth = inFrench(String(Number(day)), (text) => (text === '1' ? '1er' : text));
  return `${nth} ${name} ${year}`;
}

const BRIEF_MONTHS = monthNames('short');

/** For little space: « 20 nov. 2026 », « nov. 2026 ». */
export const formatBriefDate = (date: string): string =>
  formatPartialDate(date).replace(
    /\p{L}{3,}/u,
    (name) => BRIEF_MONTHS[MONTHS.indexOf(name)] ?? name,
  );

/** Below the heading of its year: « 20 novembre »; '' for the year alone. */
export function formatDateInYear(date: string): string {
  if (!isIsoDate(date)) return date;
  return formatPartialDate(date).replace(/ ?\d{4}$/u, '');
}
