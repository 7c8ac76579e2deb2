import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import type { Row } from '#shared/change-reader';
import { localDay } from '#shared/days';
import * as api from '#shared/lectures';
import {
  isAfter,
  Lecture,
  lectureDateError,
  LectureSaisie,
  NO_POSITION,
  type Notation,
  type Position,
} from '#shared/lectures';
import { champRefusal, found } from '#shared/refusals';
import {
  modifierStatut,
  StatutDocument,
  STATUTS,
  type Statut,
  type StatutOrNull,
} from '#shared/statuts';
import { enteredFields, enteredIsbn, requireFormat } from '#server/plumbing/common/entry';
import { parseStored } from '#server/plumbing/common/stored-json';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  readJson,
  renewedIsbn,
  renewedLine,
  renewRows,
  updateRow,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount, sendJson } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind } from '#server/plumbing/records/kind';
import { cascadedRowsOfDeleted } from '#server/plumbing/writes/traces';
import { NOMS, requireLivreId } from '#server/subjects/livres/read';

// A status of a book, and the readings that it notes (docs/rules.md § 12, 55).

/** A status has no id of its own: on devices it has its book's. */
const statutProjection = documentProjection('Statut', StatutDocument, { id: 'd.livreId' });

export function readStatut(database: Reader, utilisateur: string, livreId: number): StatutOrNull {
  const sql = 'SELECT statut FROM Statut WHERE livreId = ? AND utilisateur = ?';
  return database.value<Statut>(sql, livreId, utilisateur) ?? null;
}

export function writeStatut(
  tx: Transaction,
  utilisateur: string,
  livreId: number,
  statut: StatutOrNull,
): void {
  if (statut === null)
    tx.run('DELETE FROM Statut WHERE livreId = ? AND utilisateur = ?', livreId, utilisateur);
  else
    tx.run(
      `INSERT INTO Statut (livreId, utilisateur, statut) VALUES (@livreId, @utilisateur, @statut)
       ON CONFLICT (livreId, utilisateur) DO UPDATE SET statut = excluded.statut
       WHERE statut <> excluded.statut`,
      { livreId, utilisateur, statut },
    );
}

/**
 * Moves all readers' readings and statuses of a book to another record of it; of two statuses the further one stays.
 */
export function passLectures(tx: Transaction, from: number, to: number): void {
  tx.run('UPDATE Lecture SET livreId = @to WHERE livreId = @from', { from, to });
  tx.run(
    `INSERT INTO Statut (livreId, utilisateur, statut)
     SELECT @to, utilisateur, statut FROM Statut WHERE livreId = @from
     ON CONFLICT (livreId, utilisateur) DO UPDATE SET statut = excluded.statut
     WHERE statut < excluded.statut`,
    { from, to },
  );
}

/** Moves all readers' readings of a deleted book to a new record of it. */
export function passLecturesOfGone(tx: Transaction, from: number, to: number): void {
  passLectures(tx, from, to);
  for (const { table, row } of cascadedRowsOfDeleted(tx, 'Livre', { id: from }))
    if (table === 'Statut') insertRow(tx, 'Statut', { ...row, livreId: to });
}

/** The value of the book, of the deleted book, or of the reading. */
const named = (column: string, ofLivre = `l.${column}`): string => `CASE
  WHEN l.id IS NOT NULL THEN ${ofLivre}
  WHEN g.id IS NOT NULL THEN g.image ->> '${column}' ELSE d.${column} END`;

const STATUT = `CASE WHEN d.abandon THEN 'Abandonnee'
  WHEN d.debut IS NOT NULL AND d.fin IS NULL THEN 'EnCours' ELSE 'Lue' END`;

const projection = documentProjection(
  'Lecture',
  Lecture,
  {
    livreId: 'l.id',
    titre: named('titre'),
    auteurs: named('auteurs', NOMS),
    isbn: named('isbn'),
    statut: STATUT,
  },
  // The book, or how it is remembered after its deletion.
  `LEFT JOIN Livre l ON l.id = d.livreId
   LEFT JOIN Dormant g ON g.kind = 'Livre' AND g.id = d.livreId AND l.id IS NULL`,
);

export interface Oeuvre {
  readonly livreId: number | null;
  readonly titre: string;
  readonly auteurs: readonly string[];
  readonly isbn: string | null;
}

/** The days on which a status set the reading's dates; `null` where a person did. */
interface ParStatut {
  readonly debutParStatut: string | null;
  readonly finParStatut: string | null;
}

type Columns = Oeuvre & Notation & Partial<ParStatut>;

function toColumns({ auteurs, abandon, ...others }: Partial<Columns>): Row {
  return {
    ...others,
    ...(auteurs && { auteurs: JSON.stringify(auteurs) }),
    ...(abandon !== undefined && { abandon: Number(abandon) }),
  };
}

export const insertLecture = (
  tx: Transaction,
  utilisateur: string,
  lecture: Columns,
  id: number | null = null,
): number => insertRow(tx, 'Lecture', { id, utilisateur, ...toColumns(lecture) });

export const updateLecture = (tx: Transaction, id: number, fields: Partial<Columns>): void =>
  updateRow(tx, 'Lecture', id, toColumns(fields));

function deleteLecture(tx: Transaction, id: number): void {
  tx.run('DELETE FROM Lecture WHERE id = ?', id);
}

export const listLectures = (database: Reader, utilisateur: string): Lecture[] =>
  readDocuments(database, projection, 'WHERE d.utilisateur = ? ORDER BY d.id', utilisateur);

const lecturesOfLivre = (database: Reader, utilisateur: string, livreId: number): Lecture[] =>
  readDocuments(
    database,
    projection,
    'WHERE d.utilisateur = ? AND d.livreId = ? ORDER BY d.id DESC',
    utilisateur,
    livreId,
  );

/** Throws `INTROUVABLE`, for another's reading, too. */
const requireLecture = (database: Reader, utilisateur: string, id: number): Lecture =>
  found(
    readDocument(database, projection, 'WHERE d.id = @id AND d.utilisateur = @utilisateur', {
      id,
      utilisateur,
    }),
  );

export const kind: RecordKind<'lectures'> = {
  projection,
  owner: 'utilisateur',
  naming: {
    column: 'titre',
    subject: m.reason_sujet_lecture,
    changed: m.reason_lecture_modifie,
    deleted: m.reason_lecture_supprime,
  },
  tables: {
    Lecture: {
      of: ['livreId', 'Livre'],
      notInHistory: ['livreId', 'debutParStatut', 'finParStatut', 'pageJour'],
      entered: ['debut', 'fin', 'abandon', 'note', 'avis', 'page', 'pourcent', 'pageJour'],
      reasons: { taken: () => m.reason_lecture_de_nouveau() },
    },
  },
  renormaliser: (tx) =>
    renewRows<Lecture>(tx, 'Lecture', ({ titre, isbn }) => ({
      titre: renewedLine(titre),
      isbn: renewedIsbn(isbn),
    })),
  exports: { lectures: { projection, label: m.export_label_lectures } },
};

export const statutKind: RecordKind<'statuts'> = {
  projection: statutProjection,
  key: 'livreId',
  owner: 'utilisateur',
  tables: {
    Statut: {
      partOf: ['livreId', 'Livre'],
      fields: ['statut'],
      reasons: { taken: () => m.reason_statut_change() },
    },
  },
};

/** The time zone that is furthest ahead: a device there may already have the next day. */
const MOST_AHEAD_MS = 14 * 3_600_000;

export const latestDay = (): string =>
  new Date(Date.now() + MOST_AHEAD_MS).toISOString().slice(0, 10);

function enteredDate(date: string | null, champ: string): string | null {
  const error = date === null ? null : lectureDateError(date, latestDay());
  if (error !== null) throw champRefusal(champ, error);
  return date;
}

function requireOrder(debut: string | null, fin: string, champ: string): void {
  if (debut !== null && isAfter(debut, fin)) throw champRefusal(champ, 'AVANT_DEBUT', { debut });
}

/** Throws `REQUETE_INVALIDE` for anything but a past or present day, month or year. */
export const enteredFin = (fin: string | null): string | null => enteredDate(fin, 'fin');

interface Jour {
  readonly jour: string;
  /** When the reader has read the book, if other than `jour`; `null` if unknown. */
  readonly fin?: string | null | undefined;
  /** Whether the day comes from the reader's device and is plausible. */
  readonly isReaders: boolean;
  readonly jourCorrige?: string;
}

/** Days before this one come from a device that lost its clock. */
const FIRST_JOUR = '2015-01-01';

/**
 * The day of a device; the service's own, in its zone, if the device sends none or an implausible one, which
 * `jourCorrige` then says (docs/rules.md § 55). Throws `REQUETE_INVALIDE` for an invalid day.
 */
export function jourOf(typed: string | null | undefined): Jour {
  const today = localDay(new Date());
  const jour = typed ?? today;
  requireFormat('date', jour, 'jour');
  const canBe = jour >= FIRST_JOUR && jour <= latestDay();
  return canBe
    ? { jour, isReaders: typeof typed === 'string' }
    : { jour: today, isReaders: false, jourCorrige: today };
}

/** The title and authors of a book for a reading. Throws `REQUETE_INVALIDE` for an unknown one. */
export function oeuvreOf(database: Reader, livreId: number): Oeuvre {
  const livre = database.get<{ titre: string; isbn: string | null; noms: string }>(
    `SELECT titre, isbn, ${NOMS} AS noms FROM Livre l WHERE id = ?`,
    livreId,
  );
  if (livre === undefined) throw champRefusal('livreId', 'PAS_LIVRE');
  const { titre, isbn, noms } = livre;
  return { livreId, titre, auteurs: parseStored<string[]>(noms), isbn };
}

function enteredOeuvre(database: Reader, saisie: LectureSaisie): Oeuvre {
  const { livreId, titre, auteurs, isbn } = enteredFields(LectureSaisie, saisie);
  if (livreId !== null) return oeuvreOf(database, livreId);
  if (titre === null) throw champRefusal('titre', 'TITRE_OU_LIVRE');
  const noms = [...new Set((auteurs ?? []).filter((nom) => nom !== ''))];
  return { livreId, titre, auteurs: noms, isbn: enteredIsbn(isbn) };
}

/** @param present the stored reading; `null` for a new one */
function enteredNotation(
  database: Reader,
  saisie: LectureSaisie,
  present: Position | null,
): Notation {
  const fields = enteredFields(LectureSaisie, saisie);
  const debut = enteredDate(fields.debut, 'debut');
  const fin = enteredDate(fields.fin, 'fin');
  if (fin !== null) requireOrder(debut, fin, 'fin');
  const { note, avis, livreId, page, pourcent } = fields;
  const pageJour = enteredDate(fields.pageJour, 'pageJour');
  if (pageJour !== null) requireFormat('date', pageJour, 'pageJour');
  const position = enteredPosition({ page, pourcent, pageJour }, present ?? NO_POSITION);
  // An unchanged page stays valid, even if the book's page count was corrected below it.
  if (page !== null && page !== present?.page) requirePageOf(database, livreId, page);
  return { debut, fin, abandon: fields.abandon ?? false, note, avis, ...position };
}

/** A new page has the service's day by default; without a page there is none. */
function enteredPosition(given: Position, present: Position): Position {
  const { page, pourcent, pageJour } = given;
  if (page === null && pourcent === null) return NO_POSITION;
  if (page !== null && pourcent !== null) throw champRefusal('pourcent', 'PAGE_ET_POURCENT');
  const isSame = page === present.page && pourcent === present.pourcent;
  return {
    page,
    pourcent,
    pageJour: pageJour ?? (isSame ? present.pageJour : localDay(new Date())),
  };
}

function requirePageOf(database: Reader, livreId: number | null, page: number): void {
  const sql = 'SELECT nombrePages FROM Livre WHERE id = ?';
  const most = livreId === null ? null : database.value<number | null>(sql, livreId);
  if (typeof most === 'number' && page > most)
    throw champRefusal('page', 'TROP_LOIN', { maximum: most });
}

interface LivreOfReader {
  readonly utilisateur: string;
  readonly livreId: number;
}

/**
 * Sets a reader's status of a book and records the corresponding reading. Throws `INTROUVABLE`, and
 * `REQUETE_INVALIDE` for a day before the reading began.
 *
 * @param jour the reader's day, `2026-03-01`, or the service's instead
 */
export function statuer(
  tx: Transaction,
  of: LivreOfReader,
  statut: StatutOrNull,
  jour: Jour,
): void {
  requireLivreId(tx, of.livreId);
  writeStatut(tx, of.utilisateur, of.livreId, statut);
  clearMistake(tx, of, statut, jour.jour);
  if (statut === STATUTS.enCours || statut === STATUTS.lu) noter(tx, of, statut, jour);
}

/** Removes the reading recorded by another status on the same day, unless the reader has edited it. */
function clearMistake(
  tx: Transaction,
  { utilisateur, livreId }: LivreOfReader,
  statut: StatutOrNull,
  jour: string,
): void {
  const lectures = tx.all<Pick<Lecture, 'id' | 'debut' | 'fin'> & ParStatut>(
    `SELECT id, debut, fin, debutParStatut, finParStatut FROM Lecture
     WHERE utilisateur = ? AND livreId = ? AND NOT abandon AND note IS NULL AND avis IS NULL`,
    utilisateur,
    livreId,
  );
  for (const { id, debut, fin, debutParStatut, finParStatut } of lectures) {
    const isBegun = debutParStatut === jour;
    const goesOn = debut !== null && (statut === STATUTS.enCours || !isBegun);
    if (finParStatut === jour && statut !== STATUTS.lu) {
      if (goesOn) updateLecture(tx, id, { fin: null, finParStatut: null });
      else deleteLecture(tx, id);
    } else if (isBegun && fin === null && statut !== STATUTS.enCours && statut !== STATUTS.lu)
      deleteLecture(tx, id);
  }
}

/** « En cours » opens a reading unless one is open; « Lu » ends the open one, or records one unless one is finished. */
function noter(
  tx: Transaction,
  { utilisateur, livreId }: LivreOfReader,
  statut: 1 | 2,
  { jour, isReaders, fin = jour }: Jour,
): void {
  const lectures = lecturesOfLivre(tx, utilisateur, livreId);
  const open = lectures.find((lecture) => lecture.statut === 'EnCours');
  if (statut === STATUTS.lu && open !== undefined) {
    // The service's clock may have been put back since the reading began.
    const end = fin ?? jour;
    const isBefore = open.debut !== null && isAfter(open.debut, end);
    if (isReaders || end !== jour) requireOrder(open.debut, end, end === jour ? 'jour' : 'fin');
    updateLecture(tx, open.id, { fin: isBefore ? open.debut : end, finParStatut: jour });
    return;
  }
  const isNoted =
    statut === STATUTS.enCours
      ? open !== undefined
      : lectures.some((lecture) => lecture.statut === 'Lue');
  if (isNoted) return;
  const dates =
    statut === STATUTS.enCours
      ? { debut: jour, debutParStatut: jour, fin: null }
      : { debut: null, fin, finParStatut: jour };
  const notation = { ...dates, abandon: false, note: null, avis: null, ...NO_POSITION };
  insertLecture(tx, utilisateur, { ...oeuvreOf(tx, livreId), ...notation });
}

/**
 * Rewrites a reading. A reading of a deleted book stays linked to it, in case of its return, unless its title
 * changes.
 */
function modifierLecture(
  tx: Transaction,
  utilisateur: string,
  id: number,
  saisie: LectureSaisie,
): Lecture {
  const present = requireLecture(tx, utilisateur, id);
  const { livreId, titre, auteurs, isbn } = present;
  const oeuvre = enteredOeuvre(tx, saisie);
  const isSame = JSON.stringify(oeuvre) === JSON.stringify({ livreId, titre, auteurs, isbn });
  const notation = enteredNotation(tx, saisie, present);
  const hasOtherDates = notation.debut !== present.debut || notation.fin !== present.fin;
  updateLecture(tx, id, {
    ...(isSame ? {} : oeuvre),
    ...notation,
    ...(hasOtherDates && { debutParStatut: null, finParStatut: null }),
  });
  const lecture = requireLecture(tx, utilisateur, id);
  if (lecture.livreId !== livreId) beginStatut(tx, utilisateur, lecture);
  else if (present.statut === 'EnCours') endStatut(tx, utilisateur, lecture);
  return lecture;
}

/** An open reading that ends or is given up changes « En cours » to « Lu », or removes the status. */
function endStatut(tx: Transaction, utilisateur: string, { livreId, statut }: Lecture): void {
  if (livreId === null || readStatut(tx, utilisateur, livreId) !== STATUTS.enCours) return;
  if (statut === 'Lue') writeStatut(tx, utilisateur, livreId, STATUTS.lu);
  if (statut === 'Abandonnee') writeStatut(tx, utilisateur, livreId, null);
}

/** A reading gives a book without a status « En cours » if it is open, « Lu » if finished. */
function beginStatut(tx: Transaction, utilisateur: string, { livreId, statut }: Lecture): void {
  if (livreId === null || statut === 'Abandonnee') return;
  if (readStatut(tx, utilisateur, livreId) !== null) return;
  writeStatut(tx, utilisateur, livreId, statut === 'Lue' ? STATUTS.lu : STATUTS.enCours);
}

/** The order of `compareLectures`, as a test verifies. */
const IN_ORDER = `ORDER BY ${STATUT} <> 'EnCours', coalesce(d.fin, d.debut) DESC, d.id`;

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerLectures, {
      may: 'self',
      run: ({ utilisateur, query: { livre, annee, limite }, reply }) => {
        const rest = [
          'WHERE d.utilisateur = @utilisateur',
          // A reading of a deleted book keeps the id in its row only.
          livre === undefined ? '' : 'AND l.id = @livre',
          annee === undefined ? '' : 'AND substr(coalesce(d.fin, d.debut), 1, 4) = @year',
          IN_ORDER,
          limite === undefined ? '' : 'LIMIT @most',
        ].join(' ');
        const year = annee?.toString().padStart(4, '0');
        const most = Math.min(limite ?? Infinity, Number.MAX_SAFE_INTEGER);
        return sendJson(
          reply,
          readJson(database, projection, rest, { utilisateur, livre, year, most }),
        );
      },
    }),
    read(api.lireLecture, {
      may: 'owner',
      run: ({ utilisateur, params }) => requireLecture(database, utilisateur, params.id),
    }),
    operation(api.ajouterLecture, {
      may: 'self',
      run: (tx, { utilisateur, body }) => {
        const entered = { ...enteredOeuvre(tx, body), ...enteredNotation(tx, body, null) };
        const lecture = requireLecture(tx, utilisateur, insertLecture(tx, utilisateur, entered));
        beginStatut(tx, utilisateur, lecture);
        return answer(lecture);
      },
    }),
    operation(api.modifierLecture, {
      may: 'owner',
      run: (tx, { utilisateur, params, body }) =>
        answer(modifierLecture(tx, utilisateur, params.id, body)),
    }),
    operation(api.supprimerLecture, {
      may: 'owner',
      run: (tx, { utilisateur, params }) => {
        requireLecture(tx, utilisateur, params.id);
        deleteLecture(tx, params.id);
        return answer();
      },
    }),
    operation(modifierStatut, {
      may: 'self',
      run: (tx, { utilisateur, params: { id: livreId }, body: { statut, jour } }) => {
        const noted = jourOf(jour);
        statuer(tx, { utilisateur, livreId }, statut, noted);
        const { jourCorrige } = noted;
        return answer({ livreId, statut, ...(jourCorrige !== undefined && { jourCorrige }) });
      },
    }),
  ]);
}
