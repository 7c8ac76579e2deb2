import { elapsedSince, formatShortDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';

/** « le 24 août, depuis deux mois »; « depuis hier » needs no date. */
export function lentSince(date: Date, now: Date): string {
  const { unit, count } = elapsedSince(date, now);
  const duration = since(date, now);
  if (unit === 'day' && count <= 1) return duration;
  return m.pret_on_since({ date: formatShortDay(date, now), duration });
}

/** « depuis hier », « depuis trois semaines », « depuis un mois », by calendar days. */
function since(date: Date, now: Date): string {
  const { unit, count } = elapsedSince(date, now);
  const text = { count, words: m.small_number({ count }) };
  switch (unit) {
    case 'day':
      if (count === 0) return m.since_today();
      return count === 1 ? m.since_yesterday() : m.since_days(text);
    case 'week':
      return m.since_weeks(text);
    case 'month':
      return m.since_months(text);
    case 'year':
      return m.since_years(text);
  }
}
