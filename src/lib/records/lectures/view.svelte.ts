import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import { compareLectures, type Lecture, luParMoi, type LuParMoi } from '#shared/lectures';

const all = derivedFromViews((): readonly Lecture[] =>
  [...views().lectures.values()].sort(compareLectures),
);
const byLivre = derivedFromViews(() => Map.groupBy(all(), ({ livreId }) => livreId ?? 0));
const lus = derivedFromViews(
  () =>
    new Map(
      Array.from(byLivre()).flatMap(([livreId, lectures]): (readonly [number, LuParMoi])[] =>
        livreId === 0 ? [] : [[livreId, luParMoi(lectures)]],
      ),
    ),
);

export const lecturesView = {
  /** Open readings first, then by end, newest first; those without dates last. */
  all,
  count: (): number => views().lectures.size,
  get: (id: number): Lecture | undefined => views().lectures.get(id),
  ofLivre: (livreId: number): readonly Lecture[] => byLivre().get(livreId) ?? [],
  /** The best rating and the latest end, by the id of each read book. */
  lus,
};

/** « 4 étoiles et demie » of nine half stars. */
export function noteLabel(note: number): string {
  const count = Math.floor(note / 2);
  if (count === 0) return m.note_half();
  const stars = m.note_whole({ count });
  return note % 2 === 0 ? stars : m.note_and_half({ stars });
}

/** « p. 120 sur 340 », « 35 % »; `null` without a position. */
export function positionLabel(
  { page, pourcent }: Pick<Lecture, 'page' | 'pourcent'>,
  nombrePages: number | null,
): string | null {
  if (page !== null)
    return nombrePages === null ? m.page_alone({ page }) : m.page_of({ page, count: nombrePages });
  return pourcent === null ? null : m.page_percent({ percent: pourcent });
}

/** The position as a share from 0 to 1; 0 if unknown. */
export function positionShare(
  { page, pourcent }: Pick<Lecture, 'page' | 'pourcent'>,
  nombrePages: number | null,
): number {
  if (page !== null) return nombrePages === null ? 0 : Math.min(1, page / nombrePages);
  return (pourcent ?? 0) / 100;
}

/** When a reading was, in words: « le 12 mars 2026 », « en mars 2019 », « depuis le 3 mars 2026 ». */
export function whenRead({
  debut,
  fin,
  statut,
}: Pick<Lecture, 'debut' | 'fin' | 'statut'>): string {
  if (statut === 'EnCours' && debut !== null) {
    const since = debut.length === 10 ? m.lecture_since_day : m.lecture_since;
    return since({ date: formatPartialDate(debut) });
  }
  const date = fin ?? debut;
  if (date === null) return m.no_date();
  return date.length === 10
    ? m.lecture_on({ date: formatPartialDate(date) })
    : m.lecture_in({ date: formatPartialDate(date) });
}

/** A reading in words: « Déjà lu le 12 mars 2026 », « depuis le 3 mars 2026 », « Abandonné en 2019 ». */
export function wordsOf(lecture: Parameters<typeof whenRead>[0]): string {
  const when = whenRead(lecture);
  if (lecture.statut === 'Abandonnee') return m.lecture_given_up({ when });
  return lecture.statut === 'EnCours' ? when : m.lecture_already({ when });
}
