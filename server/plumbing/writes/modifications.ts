import {
  Modification,
  MODIFICATION_COUNT,
  ModificationDocument,
  type Fiche,
} from '#shared/modifications';
import type { RowChange } from '#shared/change-reader';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
  parseKept,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

const expressions = {
  annulable: 'd.annuleeParId IS NULL AND d.importationId IS NULL',
  annulee: 'd.annuleeParId IS NOT NULL',
};

const listed = documentSource('Modification', Modification, expressions);

/** Acts as devices have them. */
export const modificationSource = documentSource('Modification', ModificationDocument, expressions);

interface NewModification {
  readonly date: string;
  readonly utilisateur: string | null;
  /** The only one who may read it; '' where all may. */
  readonly proprietaire: string;
  readonly operation: string;
  /** What is said once it is taken back, as `ModificationWords` has it; '' for an import. */
  readonly undone: string;
  readonly resume: string;
  readonly fiches: readonly Fiche[];
  /** The act that this one undoes. */
  readonly annuleId: number | null;
  /** The import that it is, or takes back. */
  readonly importationId?: number;
  /** The acts that this one takes back besides. */
  readonly avec: readonly number[];
}

/** An act as it is taken back; what it did is in `Trace`. */
export interface KeptModification {
  readonly id: number;
  readonly utilisateur: string | null;
  readonly operation: string;
  readonly proprietaire: string;
  readonly undone: string;
  readonly resume: string;
  readonly annuleId: number | null;
  readonly annuleeParId: number | null;
  readonly importationId: number | null;
  readonly fiches: readonly Fiche[];
}

/** Acts that a caller may read, the newest first, from before an id. */
export function listModifications(
  database: Reader,
  utilisateur: string | null,
  { avant = Number.MAX_SAFE_INTEGER, limite }: { avant?: number | undefined; limite: number },
): Modification[] {
  return readDocuments(
    database,
    listed,
    "WHERE d.id < ? AND d.proprietaire IN ('', ?) ORDER BY d.id DESC LIMIT ?",
    avant,
    utilisateur ?? '',
    limite,
  );
}

/** One act as lists have it. */
export const readListedModification = (database: Reader, id: number): Modification | undefined =>
  readDocument(database, listed, 'WHERE d.id = ?', id);

/** One act as a caller may read it; `undefined` for an unknown one, one no longer kept, and another's. */
export const readModification = (
  database: Reader,
  id: number,
  utilisateur: string | null,
): ModificationDocument | undefined =>
  readDocument(
    database,
    modificationSource,
    "WHERE d.id = ? AND d.proprietaire IN ('', ?)",
    id,
    utilisateur ?? '',
  );

/** One act as it is kept; `undefined` for an unknown one, one no longer kept, and another's. */
export function readKeptModification(
  database: Reader,
  id: number,
  utilisateur: string | null,
): KeptModification | undefined {
  const row = database.get<Omit<KeptModification, 'fiches'> & { fiches: string }>(
    `SELECT id, utilisateur, proprietaire, operation, undone, resume, annuleId, annuleeParId, importationId, fiches
       FROM Modification WHERE id = ? AND proprietaire IN ('', ?)`,
    id,
    utilisateur ?? '',
  );
  return row && { ...row, fiches: parseKept<Fiche[]>(row.fiches) };
}

/** The act of an import. */
export type ImportationAct = Pick<KeptModification, 'id' | 'proprietaire'>;

/** The acts of an import that are in force, the first one first, whoever may read them. */
export const importationActs = (database: Reader, importationId: number): ImportationAct[] =>
  database.all<ImportationAct>(
    `SELECT id, proprietaire FROM Modification
       WHERE importationId = ? AND operation = 'importer' AND annuleeParId IS NULL ORDER BY id`,
    importationId,
  );

/** Tells more of an act that goes on. */
export function rewriteResume(database: Transaction, id: number, resume: string): void {
  database.run(
    'UPDATE Modification SET resume = ? WHERE id = ? AND resume <> ?',
    resume,
    id,
    resume,
  );
}

/** Writes an act and returns its id; its lines of `Trace` may be there already. */
export function insertModification(
  database: Transaction,
  { fiches, avec, ...act }: NewModification,
): number {
  const texts = { fiches: JSON.stringify(fiches), avec: JSON.stringify(avec) };
  return insertRow(database, 'Modification', { ...act, ...texts });
}

/** Notes the pictures that undoing an act may need again: they are not deleted meanwhile. */
export function notePictures(
  database: Transaction,
  id: number,
  changes: readonly RowChange[],
): void {
  const images = changes.flatMap(({ avant, apres }) => [avant, apres]);
  const keys = new Set(images.map((image) => image?.['couvertureCle'] ?? null));
  keys.delete(null);
  for (const key of keys)
    database.run(
      'INSERT OR IGNORE INTO ModificationCouverture (modificationId, cle) VALUES (?, ?)',
      ...[id, key],
    );
}

/** The id that the next act will have. */
export const nextModificationId = (database: Reader): number =>
  (database.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'Modification'") ?? 0) + 1;

/**
 * Marks an act as undone by another. What it had undone itself is in force again: an undoing among that has its own
 * undone again, and so on.
 */
export function markAnnulee(database: Transaction, id: number, annuleeParId: number): void {
  const revived = database.values<number>('SELECT id FROM Modification WHERE annuleeParId = ?', id);
  database.run('UPDATE Modification SET annuleeParId = NULL WHERE annuleeParId = ?', id);
  database.run('UPDATE Modification SET annuleeParId = ? WHERE id = ?', annuleeParId, id);
  for (const each of revived)
    for (const undone of database.values<number>(
      `SELECT id FROM Modification WHERE annuleeParId IS NULL AND id IN (
         SELECT annuleId FROM Modification WHERE id = @each
         UNION SELECT value FROM json_each((SELECT avec FROM Modification WHERE id = @each)))`,
      { each },
    ))
      markAnnulee(database, undone, each);
}

/** Has devices be sent the acts that an act has undone behind it, which they name. */
export function tellAnnulees(database: Transaction, id: number): void {
  database.run('UPDATE Modification SET annuleeParId = annuleeParId WHERE annuleeParId = ?', id);
}

/** Deletes acts older than a date, but never the newest `MODIFICATION_COUNT`. */
export function deleteOldModifications(database: Transaction, before: string): void {
  // Ids have no holes, so that the newest ones are found without counting.
  database.run(
    `DELETE FROM Modification
       WHERE date < ? AND id <= (SELECT max(id) FROM Modification) - ?`,
    before,
    MODIFICATION_COUNT,
  );
}
