import { m } from '#messages';

/**
 * « 3 mars 2026 », « 1er mars 2026 », “3 March 2026”: a day in the local time zone. Some versions of Intl write no
 * ordinal in French.
 */
export function formatLongDay(date: Date): string {
  const text = date.toLocaleDateString(m.intl_locale(), { dateStyle: 'long' });
  return m.locale() === 'fr' ? text.replace(/^1(?=\s)/, '1er') : text;
}
