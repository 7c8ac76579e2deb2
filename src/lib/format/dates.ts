import { createSubscriber } from 'svelte/reactivity';
import { DAY_MS, isIsoDate } from '#shared/days';
import { m } from '#messages';
import { inFrench, intlLocale as LOCALE } from './locale.ts';

/** Dates in words, in the reader's time zone. */

const inDays = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
/** Numeric: thirteen days ago is not « la semaine dernière ». */
const inNumbers = new Intl.RelativeTimeFormat(LOCALE);
const withYear = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const withoutYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long' });
const shortMonth = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const timestamp = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'short', timeStyle: 'medium' });

/** The date of a stored moment or day; `null` if invalid, as older rules allowed. */
export function dateOf(text: string): Date | null {
  const date = text.length === 10 ? noonOf(text) : new Date(text);
  return isIsoDate(text.slice(0, 10)) && !Number.isNaN(date.getTime()) ? date : null;
}

/** An invalid stored date is shown as it is. */
function inWords(moment: Date | string, format: (date: Date) => string): string {
  if (moment instanceof Date) return format(moment);
  const date = dateOf(moment);
  return date === null ? moment : format(date);
}

interface ElapsedTime {
  readonly unit: 'day' | 'week' | 'month' | 'year';
  readonly count: number;
}

export function elapsedSince(date: Date, now: Date): ElapsedTime {
  const days = Math.max(0, daysBetween(date, now));
  if (days < 7) return { unit: 'day', count: days };
  if (days < 31) return { unit: 'week', count: Math.floor(days / 7) };
  const months = monthsBetween(date, now);
  if (months < 12) return { unit: 'month', count: Math.max(1, months) };
  return { unit: 'year', count: Math.floor(months / 12) };
}

/** « il y a 3 semaines », « il y a un mois », « hier », « aujourd’hui ». */
export const timeAgo = (moment: Date | string, now: Date): string =>
  inWords(moment, (date) => {
    const { unit, count } = elapsedSince(date, now);
    if (unit === 'day') return inDays.format(-count, unit).replaceAll("'", '’');
    const one = unit === 'week' ? 'une' : 'un';
    const ago = inNumbers.format(-count, unit);
    return inFrench(ago, (text) => text.replace(/(?<=\s)1(?=\s)/u, one));
  });

/** « depuis hier », « depuis 3 semaines », « depuis un mois », by calendar days. */
export const since = (moment: Date | string, now: Date): string =>
  inWords(moment, (date) => {
    const elapsed = elapsedSince(date, now);
    // « since » before a day, but « for » before a duration in other languages.
    const format = isNamedDay(elapsed) ? m.since_day : m.since;
    return format({ span: spanInWords(elapsed) });
  });

/** A duration until now, up to a month in days: « aujourd’hui », « 16 jours », « 3 ans ». */
export const spanSince = (moment: Date | string, now: Date): string =>
  inWords(moment, (date) => {
    const days = Math.max(0, daysBetween(date, now));
    return spanInWords(days < 31 ? { unit: 'day', count: days } : elapsedSince(date, now));
  });

const isNamedDay = ({ unit, count }: ElapsedTime): boolean => unit === 'day' && count <= 1;

function spanInWords(elapsed: ElapsedTime): string {
  const { unit, count } = elapsed;
  if (isNamedDay(elapsed)) return inDays.format(-count, unit).replaceAll("'", '’');
  const span = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long' });
  const one = unit === 'week' ? 'une' : 'un';
  return inFrench(span.format(count), (text) => text.replace(/^1(?=\s)/u, one));
}

/** « 3 mars 2026 », « 1er mars 2026 ». */
export const formatDay = (moment: Date | string): string =>
  inWords(moment, (date) => withOrdinal(date, withYear.format(date)));

/** « 3 mars »; a day of another year has its year. */
export const formatShortDay = (moment: Date | string, now: Date): string =>
  inWords(moment, (date) =>
    date.getFullYear() === now.getFullYear() ? formatDayWithoutYear(date) : formatDay(date),
  );

/** « 3 mars », « 12 nov. », for large text. */
export const formatLargeDay = (date: Date): string => withOrdinal(date, shortMonth.format(date));

/** « 17 juillet »; a day twelve months back or more has its year. */
export const formatRecentDay = (moment: Date | string, now: Date): string =>
  inWords(moment, (date) =>
    monthsBetween(date, now) < 12 ? formatDayWithoutYear(date) : formatDay(date),
  );

/** The two ends of « du 3 mars au 28 avril 2026 »: a year that both share is written once. */
export function formatPeriod(from: string, to: string): { start: string; end: string } {
  const [start, end] = [dateOf(from), dateOf(to)];
  const isOneYear = start?.getFullYear() === end?.getFullYear();
  return {
    start: isOneYear && start !== null ? formatDayWithoutYear(start) : formatDay(from),
    end: formatDay(to),
  };
}

/** « 20/11/2026 14:32:05 », for a list of events. */
export const formatTimestamp = (date: Date): string => timestamp.format(date);

/** « aujourd’hui », « hier », « 3 mars »; a day of another year has its year. */
export const namedDay = (date: Date, now: Date): string =>
  daysBetween(date, now) <= 1 ? timeAgo(date, now) : formatShortDay(date, now);

/** « 14 h 32 », with no-break spaces. */
export const formatTime = (date: Date): string =>
  m.time_of_day({ hours: date.getHours(), minutes: pad(date.getMinutes()) });

/** A moment within a sentence: « hier à 14 h 32 », « le 3 mars à 14 h 32 »; on the same day formatted by `today`. */
export function formatMoment(
  date: Date,
  now: Date,
  today: (moment: { time: string }) => string = m.moment_today,
): string {
  const time = formatTime(date);
  const days = daysBetween(date, now);
  if (days <= 0) return today({ time });
  if (days === 1) return m.moment_yesterday({ time });
  return m.moment_on({ time, day: formatShortDay(date, now) });
}

const formatDayWithoutYear = (date: Date): string => withOrdinal(date, withoutYear.format(date));

/** French writes the first of a month as an ordinal, which some versions of Intl do not. */
const withOrdinal = (date: Date, text: string): string =>
  date.getDate() === 1 ? inFrench(text, (day) => day.replace(/^1(?=\s)/, '1er')) : text;

/** Calendar days. Counted from noon to noon, since days of 23 and 25 hours exist. */
function daysBetween(start: Date, end: Date): number {
  const noon = (date: Date) => new Date(date).setHours(12, 0, 0, 0);
  return Math.round((noon(end) - noon(start)) / DAY_MS);
}

function monthsBetween(start: Date, end: Date): number {
  const months = (end.getFullYear() - start.getFullYear()) * 12 + end.getMonth() - start.getMonth();
  return end.getDate() < start.getDate() ? months - 1 : months;
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** The local day of a moment (`2026-11-21`), as in a date field. */
export const dayOf = (date: Date): string =>
  `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** A moment of a day of the reader's calendar (`2026-11-21`), of which nothing more is known. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00`);

/** The noon of a day; the present moment if that is in the future. */
export function instantOf(day: string, now: Date): string {
  const noon = noonOf(day);
  return (noon < now ? noon : now).toISOString();
}

export const hasCome = (day: string, now: Date): boolean => day <= dayOf(now);

const INTERVAL_MS = 60_000;

const everyMinute = createSubscriber((update) => {
  const timer = setInterval(update, INTERVAL_MS);
  return () => clearInterval(timer);
});

/** The present time. Reactive, once a minute: « hier » appears at midnight without a reload. */
export function now(): Date {
  everyMinute();
  return new Date();
}
