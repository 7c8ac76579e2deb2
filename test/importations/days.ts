/** A day as it is stored: the instant of its noon, local time. */
export function noon(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 12).toISOString();
}
