import type { Row } from '#shared/change-reader';
import { Lecture, type Notation } from '#shared/lectures';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

const NOMS = `SELECT json_group_array(a.nom ORDER BY la.position)
  FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = d.livreId`;

/** A field of the book as it is called, as it was when it went, or as the reading has it (docs/rules.md § 55). */
const named = (column: string, ofLivre: string): string => `CASE
  WHEN EXISTS (SELECT 1 FROM Livre WHERE id = d.livreId) THEN (${ofLivre})
  WHEN EXISTS (SELECT 1 FROM Dormant WHERE kind = 'Livre' AND id = d.livreId)
    THEN (SELECT image ->> '${column}' FROM Dormant WHERE kind = 'Livre' AND id = d.livreId)
  ELSE d.${column} END`;

const STATUT = `CASE WHEN d.abandon THEN 'Abandonnee'
    WHEN d.debut IS NOT NULL AND d.fin IS NULL THEN 'EnCours' ELSE 'Lue' END`;

const expressions = {
  livreId: '(SELECT id FROM Livre WHERE id = d.livreId)',
  titre: named('titre', 'SELECT titre FROM Livre WHERE id = d.livreId'),
  auteurs: named('auteurs', NOMS),
  isbn: named('isbn', 'SELECT isbn FROM Livre WHERE id = d.livreId'),
  statut: STATUT,
};

export const lectureSource = documentSource('Lecture', Lecture, expressions);

/** What was read, as a reading keeps it. */
export interface Oeuvre {
  readonly livreId: number | null;
  readonly titre: string;
  readonly auteurs: readonly string[];
  readonly isbn: string | null;
}

/** The day on which a status gave a reading its dates, `null` where a person did. */
export interface ParStatut {
  readonly debutParStatut: string | null;
  readonly finParStatut: string | null;
}

/** What of a reading a status has noted. */
export const readParStatut = (database: Reader, id: number): ParStatut | undefined =>
  database.get('SELECT debutParStatut, finParStatut FROM Lecture WHERE id = ?', id);

export const readLecture = (
  database: Reader,
  utilisateur: string,
  id: number,
): Lecture | undefined =>
  readDocument(database, lectureSource, 'WHERE d.id = @id AND d.utilisateur = @utilisateur', {
    id,
    utilisateur,
  });

/** The book that a reading is of, as text, one that has gone too; `null` for none. */
export const keptLivreId = (database: Reader, id: number): string | null =>
  database.value<string | null>('SELECT CAST(livreId AS TEXT) FROM Lecture WHERE id = ?', id) ??
  null;

/** All that a reader has read, by id. */
export const listLectures = (database: Reader, utilisateur: string): Lecture[] =>
  readDocuments(database, lectureSource, 'WHERE d.utilisateur = ? ORDER BY d.id', utilisateur);

/** A reader's readings of one book, the newest first. */
export const lecturesOfLivre = (
  database: Reader,
  utilisateur: string,
  livreId: number,
): Lecture[] =>
  readDocuments(
    database,
    lectureSource,
    'WHERE d.utilisateur = ? AND d.livreId = ? ORDER BY d.id DESC',
    utilisateur,
    livreId,
  );

export const insertLecture = (
  database: Transaction,
  utilisateur: string,
  lecture: Oeuvre & Notation & Partial<ParStatut>,
): number => insertRow(database, 'Lecture', { utilisateur, ...toColumns(lecture) });

/** Rewrites the given fields of a reading; whose it is stays. */
export const updateLecture = (
  database: Transaction,
  id: number,
  fields: Partial<Oeuvre & Notation & ParStatut>,
): void => updateRow(database, 'Lecture', id, toColumns(fields));

export const deleteLecture = (database: Transaction, id: number): void => {
  database.run('DELETE FROM Lecture WHERE id = ?', id);
};

function toColumns({ auteurs, abandon, ...others }: Partial<Oeuvre & Notation & ParStatut>): Row {
  return {
    ...others,
    ...(auteurs && { auteurs: JSON.stringify(auteurs) }),
    ...(abandon !== undefined && { abandon: Number(abandon) }),
  };
}
