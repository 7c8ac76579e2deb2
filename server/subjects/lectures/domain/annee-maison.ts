import { MIN_LECTEURS, type AnneeMaison, type CompteMaison } from '#shared/annee-maison';
import { dateOfLecture, statutOfLecture } from '#shared/lectures';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import * as store from '../store/annee-maison.ts';

/**
 * The household's year as a caller may see it: only who is counted themselves, and only where others are too
 * (docs/rules.md § 56).
 */
export function lireAnneeMaison(database: Reader, utilisateur: string, annee: number): AnneeMaison {
  const accord = store.hasAgreed(database, utilisateur);
  const lecteurs = store.countAgreed(database);
  const isShown = accord && lecteurs >= MIN_LECTEURS;
  return {
    accord,
    compte: isShown ? countYear(store.agreedLectures(database), annee, lecteurs) : null,
  };
}

/** What some readers have read to its end in a year, all together. */
export function countYear(
  lectures: readonly store.CountedLecture[],
  annee: number,
  lecteurs: number,
): CompteMaison {
  const year = String(annee).padStart(4, '0');
  const mois = Array.from({ length: 12 }, () => 0);
  let [livres, pages] = [0, 0];
  for (const lecture of lectures) {
    const date = dateOfLecture(lecture);
    if (statutOfLecture(lecture) !== 'Lue' || date?.startsWith(year) !== true) continue;
    livres++;
    pages += lecture.nombrePages ?? 0;
    const month = Number(date.slice(5, 7)) - 1;
    if (month >= 0) mois[month] = (mois[month] ?? 0) + 1;
  }
  return { lecteurs, livres, pages, mois };
}

/** Has a reader counted in the household's year from now on, or not any more: of earlier years too. */
export const modifierAccord = (database: Transaction, utilisateur: string, accord: boolean): void =>
  store.setAgreed(database, utilisateur, accord);
