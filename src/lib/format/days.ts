const pad = (value: number, length: number): string => String(value).padStart(length, '0');

/** The reader's calendar day of a moment, `2026-11-21`, as a field for days holds it. */
export const dayOf = (date: Date): string =>
  `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;

/** The noon of a day, for a moment of which only the day is known; now where that is still to come. */
export function instantOf(day: string, now: Date): string {
  const noon = new Date(`${day}T12:00`);
  return (noon < now ? noon : now).toISOString();
}

/** The days of a loan as they are typed: since when, '' for today, and until when, '' where none is agreed. */
export interface PretDays {
  readonly from: string;
  readonly until: string;
}

export const NO_DAYS: PretDays = { from: '', until: '' };

/** What they are in a request: nothing is said of today, and of a field without a day. */
export const pretDatesOf = ({ from, until }: PretDays, now: Date) => ({
  ...(from !== '' && from !== dayOf(now) && { datePret: instantOf(from, now) }),
  ...(until !== '' && { dateRetourPrevue: until }),
});

/** Whether a book can be lent on these days. */
export const areDays = (days: PretDays, now: Date): boolean =>
  isPast(days.from, now) && !isBackwards(days, now);

/** Whether a book would be given back before it is lent. */
export const isBackwards = ({ from, until }: PretDays, now: Date): boolean =>
  until !== '' && until < (from || dayOf(now));

/** Whether a loan can begin on a day. */
export const isPast = (day: string, now: Date): boolean => day <= dayOf(now);
