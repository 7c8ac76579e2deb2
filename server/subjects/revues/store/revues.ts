import { parseIssn } from '#shared/issn';
import { Revue } from '#shared/revues';
import { textKey } from '#shared/text';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';

export const revueSource = documentSource('Revue', Revue);

type RevueFields = Omit<Revue, 'id'>;

export function readRevue(database: Reader, id: number): Revue | undefined {
  return readDocument(database, revueSource, 'WHERE d.id = ?', id);
}

/** The periodical of an ISSN in its dashed form. */
export function revueByIssn(database: Reader, issn: string): Revue | undefined {
  return readDocument(database, revueSource, 'WHERE d.issn = ?', issn);
}

/** The periodicals of a title, ignoring case, accents and punctuation, by id. */
export function revuesByTitre(database: Reader, titre: string): Revue[] {
  return readDocuments(
    database,
    revueSource,
    'WHERE cle_texte(d.titre) = ? ORDER BY d.id',
    textKey(titre),
  );
}

/** Inserts a periodical and returns its id; violates `Revue_issn_unique` where its ISSN is taken. */
export const insertRevue = (database: Transaction, revue: RevueFields): number =>
  insertRow(database, 'Revue', revue);

/** Rewrites a periodical; violates `Revue_issn_unique` where its ISSN is taken. */
export const updateRevue = (database: Transaction, id: number, revue: RevueFields): void =>
  updateRow(database, 'Revue', id, revue);

/** Deletes a periodical with its issues; returns whether there was one. */
export const deleteRevue = (database: Transaction, id: number): boolean =>
  database.run('DELETE FROM Revue WHERE id = ?', id).changes > 0;

/**
 * A step of the start-up pass: every ISSN in its dashed form. One whose dashed form is taken stays
 * as it is, and so does what is no ISSN.
 */
export const renormaliserRevues = (database: Transaction): boolean =>
  renewRows<Revue>(database, 'Revue', ({ issn }) => ({
    issn: issn === null ? null : (parseIssn(issn) ?? issn),
  }));
