import {
  compareLectures,
  dateOfLecture,
  isAfter,
  lectureDateError,
  LectureSaisie,
  type Lecture,
  type Notation,
} from '#shared/lectures';
import { champRefusal, found } from '#shared/refusals';
import { STATUTS, type StatutOrNull } from '#shared/statuts';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { enteredFields, enteredIsbn } from '#server/plumbing/common/entry';
import { readLivre } from '#server/subjects/livres/store/document';
import { modifierStatut } from '#server/subjects/statuts/domain';
import { deleteStatut, readStatut, writeStatut } from '#server/subjects/statuts/store';
import * as store from '../store/lectures.ts';

/** Which of the readings are wanted; all of them by default. */
interface Selection {
  readonly livre?: number;
  readonly annee?: number;
  readonly limite?: number;
}

/** One of a reader's own readings. Throws `INTROUVABLE`, for another's too. */
export const lireLecture = (database: Reader, utilisateur: string, id: number): Lecture =>
  found(store.readLecture(database, utilisateur, id));

/** A reader's readings in their order (docs/rules.md § 55). */
export function listerLectures(
  database: Reader,
  utilisateur: string,
  { livre, annee, limite = Infinity }: Selection,
): Lecture[] {
  const year = annee?.toString().padStart(4, '0');
  const all =
    livre === undefined
      ? store.listLectures(database, utilisateur)
      : store.lecturesOfLivre(database, utilisateur, livre);
  // Those of a book that has gone are its own no more.
  return all
    .filter(({ livreId }) => livre === undefined || livreId === livre)
    .filter((lecture) => year === undefined || dateOfLecture(lecture)?.startsWith(year))
    .sort(compareLectures)
    .slice(0, limite);
}

/**
 * Notes a reading, of a book of the house or of another one. Throws `REQUETE_INVALIDE` for dates that cannot be, an
 * unknown book and a missing title, `ISBN_INVALIDE`.
 */
export function ajouterLecture(
  database: Transaction,
  utilisateur: string,
  saisie: LectureSaisie,
): Lecture {
  const lecture = { ...enteredOeuvre(database, saisie), ...enteredNotation(saisie) };
  return lireLecture(database, utilisateur, store.insertLecture(database, utilisateur, lecture));
}

/**
 * Rewrites a reading. One whose book is gone stays its own as long as it keeps its name, and is the book's again where
 * that comes back. Throws as `ajouterLecture` does, and `INTROUVABLE`.
 */
export function modifierLecture(
  database: Transaction,
  { utilisateur, id }: { readonly utilisateur: string; readonly id: number },
  saisie: LectureSaisie,
): Lecture {
  const present = lireLecture(database, utilisateur, id);
  const oeuvre = enteredOeuvre(database, saisie);
  const isSame =
    JSON.stringify(oeuvre) ===
    JSON.stringify({
      livreId: present.livreId,
      titre: present.titre,
      auteurs: present.auteurs,
      isbn: present.isbn,
    });
  const notation = enteredNotation(saisie);
  const hasOtherDates = notation.debut !== present.debut || notation.fin !== present.fin;
  store.updateLecture(database, id, {
    ...(isSame ? {} : oeuvre),
    ...notation,
    ...(hasOtherDates && { debutParStatut: null, finParStatut: null }),
  });
  const lecture = lireLecture(database, utilisateur, id);
  if (present.statut === 'EnCours' && lecture.livreId === present.livreId)
    endStatut(database, utilisateur, lecture);
  return lecture;
}

/** An open reading that ends or is given up takes « En cours » along: to « Lu », or off the book. */
function endStatut(database: Transaction, utilisateur: string, { livreId, statut }: Lecture): void {
  if (livreId === null || readStatut(database, utilisateur, livreId) !== STATUTS.enCours) return;
  if (statut === 'Lue') writeStatut(database, utilisateur, livreId, STATUTS.lu);
  if (statut === 'Abandonnee') deleteStatut(database, utilisateur, livreId);
}

/** Takes a reading away. Throws `INTROUVABLE`. */
export function supprimerLecture(database: Transaction, utilisateur: string, id: number): void {
  lireLecture(database, utilisateur, id);
  store.deleteLecture(database, id);
}

/**
 * Sets one reader's status of a book and notes what it says of a reading, as one act (docs/rules.md § 55). Throws
 * `INTROUVABLE`, `REQUETE_INVALIDE` for a day before the reading began.
 *
 * @param jour the reader's day, `2026-03-01`
 */
export function statuer(
  database: Transaction,
  { utilisateur, livreId }: { readonly utilisateur: string; readonly livreId: number },
  statut: StatutOrNull,
  jour: string,
): void {
  modifierStatut(database, utilisateur, livreId, statut);
  takeMistakeBack(database, { utilisateur, livreId }, statut, jour);
  if (statut === STATUTS.enCours || statut === STATUTS.lu)
    noter(database, { utilisateur, livreId }, statut, jour);
}

/** What a status of the same day has noted, and of which nothing more was said, goes with it. */
function takeMistakeBack(
  database: Transaction,
  { utilisateur, livreId }: { readonly utilisateur: string; readonly livreId: number },
  statut: StatutOrNull,
  jour: string,
): void {
  for (const lecture of store.lecturesOfLivre(database, utilisateur, livreId)) {
    const { id, debut, fin, abandon, note, avis } = lecture;
    const by = store.readParStatut(database, id);
    if (by === undefined || abandon || note !== null || avis !== null) continue;
    const isBegun = by.debutParStatut === jour;
    const goesOn = statut === STATUTS.enCours ? debut !== null : debut !== null && !isBegun;
    if (by.finParStatut === jour && statut !== STATUTS.lu) {
      if (goesOn) store.updateLecture(database, id, { fin: null, finParStatut: null });
      else store.deleteLecture(database, id);
    } else if (isBegun && fin === null && statut !== STATUTS.enCours && statut !== STATUTS.lu)
      store.deleteLecture(database, id);
  }
}

/** « En cours » opens a reading where none is open; « Lu » ends the open one, or notes one where none is done. */
function noter(
  database: Transaction,
  { utilisateur, livreId }: { readonly utilisateur: string; readonly livreId: number },
  statut: 1 | 2,
  jour: string,
): void {
  const lectures = store.lecturesOfLivre(database, utilisateur, livreId);
  const open = lectures.find((lecture) => lecture.statut === 'EnCours');
  if (statut === STATUTS.lu && open !== undefined) {
    requireOrder(open.debut, jour, 'jour');
    store.updateLecture(database, open.id, { fin: jour, finParStatut: jour });
    return;
  }
  const isNoted = statut === STATUTS.enCours ? open !== undefined : lectures.some(isRead);
  if (isNoted) return;
  const dates =
    statut === STATUTS.enCours
      ? { debut: jour, debutParStatut: jour, fin: null }
      : { debut: null, fin: jour, finParStatut: jour };
  const oeuvre = oeuvreOf(database, livreId);
  const notation = { ...dates, abandon: false, note: null, avis: null };
  store.insertLecture(database, utilisateur, { ...oeuvre, ...notation });
}

const isRead = ({ statut }: Lecture): boolean => statut === 'Lue';

/** The day of a device, or of the service in its own zone. Throws `REQUETE_INVALIDE` for what is no day, or one to come. */
export function jourOf(typed: string | null | undefined): string {
  const jour = typed ?? new Date().toLocaleDateString('sv');
  if (jour.length !== 10) throw champRefusal('jour', 'est un jour (2026-03-12)');
  return enteredDate(jour, 'jour') ?? jour;
}

/** What an entry says was read: a book of the house, or a title. */
function enteredOeuvre(database: Reader, saisie: LectureSaisie): store.Oeuvre {
  const { livreId, titre, auteurs, isbn } = enteredFields(LectureSaisie, saisie);
  if (livreId !== null) return oeuvreOf(database, livreId);
  if (titre === null) throw champRefusal('titre', 'doit être donné, ou livreId');
  const noms = [...new Set((auteurs ?? []).filter((nom) => nom !== ''))];
  return { livreId, titre, auteurs: noms, isbn: enteredIsbn(isbn) };
}

/** A book of the house as a reading keeps it. Throws `REQUETE_INVALIDE` for an unknown one. */
export function oeuvreOf(database: Reader, livreId: number): store.Oeuvre {
  const livre = readLivre(database, livreId, null);
  if (livre === undefined) throw champRefusal('livreId', 'n’est pas un livre de la bibliothèque');
  const { titre, isbn } = livre;
  return { livreId, titre, auteurs: livre.auteurs.map(({ nom }) => nom), isbn };
}

function enteredNotation(saisie: LectureSaisie): Notation {
  const fields = enteredFields(LectureSaisie, saisie);
  const debut = enteredDate(fields.debut, 'debut');
  const fin = enteredDate(fields.fin, 'fin');
  if (fin !== null) requireOrder(debut, fin, 'fin');
  return { debut, fin, abandon: fields.abandon ?? false, note: fields.note, avis: fields.avis };
}

/** The zone that is furthest ahead: a device there is already in tomorrow. */
const MOST_AHEAD_MS = 14 * 3_600_000;

/** The latest day that somebody may be in. */
export const latestDay = (): string =>
  new Date(Date.now() + MOST_AHEAD_MS).toISOString().slice(0, 10);

function enteredDate(date: string | null, champ: string): string | null {
  const error = date === null ? null : lectureDateError(date, latestDay());
  if (error !== null) throw champRefusal(champ, error);
  return date;
}

function requireOrder(debut: string | null, fin: string, champ: string): void {
  if (debut !== null && isAfter(debut, fin))
    throw champRefusal(champ, `ne vient pas avant le début (${debut})`);
}
