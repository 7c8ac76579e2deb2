import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import type { Lecture } from '#shared/lectures';

/** « 4 étoiles et demie » of nine half stars. */
export function noteLabel(note: number): string {
  const count = Math.floor(note / 2);
  if (count === 0) return m.note_half();
  return note % 2 === 0 ? m.note_whole({ count }) : m.note_and_half({ count });
}

/** When a reading was, in words: « le 12 mars 2026 », « en mars 2019 », « depuis le 3 mars 2026 ». */
export function whenRead({
  debut,
  fin,
  statut,
}: Pick<Lecture, 'debut' | 'fin' | 'statut'>): string {
  if (statut === 'EnCours' && debut !== null) return m.lecture_since({ date: withArticle(debut) });
  const date = fin ?? debut;
  if (date === null) return m.lecture_undated();
  return date.length === 10
    ? m.lecture_on({ date: formatPartialDate(date) })
    : m.lecture_in({ date: formatPartialDate(date) });
}

const withArticle = (date: string): string =>
  date.length === 10 ? m.lecture_on({ date: formatPartialDate(date) }) : formatPartialDate(date);
