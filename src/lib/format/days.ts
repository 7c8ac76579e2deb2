const pad = (value: number, length: number): string => String(value).padStart(length, '0');

/** The reader's calendar day of a moment, `2026-11-21`, as a field for days holds it. */
export const dayOf = (date: Date): string =>
  `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;

/** The noon of a day, for a moment of which only the day is known; now where that is still to come. */
export function instantOf(day: string, now: Date): string {
  const noon = new Date(`${day}T12:00`);
  return (noon < now ? noon : now).toISOString();
}

/** When a loan begins, for a request: nothing is said of today, and of a field without a day. */
export const datePretOf = (day: string, now: Date): { datePret?: string } =>
  day === '' || day === dayOf(now) ? {} : { datePret: instantOf(day, now) };

/** Whether a loan can begin on a day. */
export const isPast = (day: string, now: Date): boolean => day <= dayOf(now);
