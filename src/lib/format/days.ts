const pad = (value: number, length: number): string => String(value).padStart(length, '0');

/** The reader's calendar day of a moment (`2026-11-21`), as a date field holds it. */
export const dayOf = (date: Date): string =>
  `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;

/** The noon of a day, for a moment of which only the day is known; the present moment where noon is still to come. */
export function instantOf(day: string, now: Date): string {
  const noon = new Date(`${day}T12:00`);
  return (noon < now ? noon : now).toISOString();
}

export const hasCome = (day: string, now: Date): boolean => day <= dayOf(now);
