import {
  dateOf,
  elapsedSince,
  formatDay,
  formatPeriod,
  formatShortDay,
  since,
} from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { isDue } from '#shared/days';

/** « le 24 août, depuis 2 mois »; « depuis hier » needs no date. */
export function lentSince(datePret: string, now: Date): string {
  const date = dateOf(datePret);
  if (date === null) return datePret;
  const { unit, count } = elapsedSince(date, now);
  const duration = since(date, now);
  if (unit === 'day' && count <= 1) return duration;
  return m.pret_on_since({ date: formatShortDay(date, now), duration });
}

/** The due day (`AAAA-MM-JJ`): « à rendre le 3 août », « à rendre depuis le 3 août » once it has come. */
export function untilDay(day: string, now: Date): string {
  const date = formatShortDay(day, now);
  return isDue(day, now) ? m.echeance_due({ date }) : m.echeance({ date });
}

/** Two moments: « du 3 mars au 28 avril 2026 », « le 3 mars 2026 » on one day. */
export function lentFromTo(datePret: string, dateRetour: string): string {
  const day = formatDay(dateRetour);
  return formatDay(datePret) === day
    ? m.pret_same_day({ date: day })
    : m.pret_from_to(formatPeriod(datePret, dateRetour));
}
