export const DAY_MS = 86_400_000;

/** The day of a moment in the local time zone, as « 2026-03-01 », the Swedish format. */
export const localDay = (moment: Date): string => moment.toLocaleDateString('sv');

/** Whether a day has come in the local time zone. */
export const isDue = (day: string, now: Date): boolean => day <= localDay(now);

/** Whether a text is a day, a month or a year of the calendar in ISO 8601. */
export function isIsoDate(text: string): boolean {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  // `Date.UTC` reads years below 100 as 19xx; the calendar repeats every 400 years.
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= days;
}
