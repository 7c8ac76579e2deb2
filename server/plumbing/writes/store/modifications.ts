import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  Modification,
  MODIFICATION_COUNT,
  ModificationDocument,
  type Fiche,
} from '#shared/modifications';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';
import type { RowChange } from '#shared/change-reader';
import type { Ordre } from '../orders.ts';

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
  readonly ordres: readonly Ordre[];
  readonly steps: readonly RowChange[];
}

/** An act with what it takes to undo it. */
export interface KeptModification {
  readonly id: number;
  readonly proprietaire: string;
  readonly undone: string;
  readonly resume: string;
  readonly annuleId: number | null;
  readonly annuleeParId: number | null;
  readonly importationId: number | null;
  readonly fiches: readonly Fiche[];
  readonly ordres: readonly Ordre[];
  readonly steps: readonly RowChange[];
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

/** One act with its steps; `undefined` for an unknown one, one no longer kept, and another's. */
export function readKeptModification(
  database: Reader,
  id: number,
  utilisateur: string | null,
): KeptModification | undefined {
  const row = database.get<
    Omit<KeptModification, 'steps' | 'ordres' | 'fiches'> & PackedParts & { fiches: string }
  >(
    `SELECT id, proprietaire, undone, resume, annuleId, annuleeParId, importationId, fiches, ordres, steps
       FROM Modification
       WHERE id = ? AND proprietaire IN ('', ?)`,
    id,
    utilisateur ?? '',
  );
  return (
    row && {
      ...row,
      fiches: parseKept<Fiche[]>(row.fiches),
      ordres: unpack<Ordre>(row.ordres),
      steps: unpack<RowChange>(row.steps),
    }
  );
}

interface PackedParts {
  readonly steps: string | Buffer;
  readonly ordres: string | Buffer;
}

/** How many records an act tells; 0 for an unknown one. */
export const countFiches = (database: Reader, id: number): number =>
  database.value<number>('SELECT json_array_length(fiches) FROM Modification WHERE id = ?', id) ??
  0;

/** The same of it and all that came later. */
export const countFichesSince = (database: Reader, id: number): number =>
  database.value<number>(
    'SELECT coalesce(sum(json_array_length(fiches)), 0) FROM Modification WHERE id >= ?',
    id,
  ) ?? 0;

/** The act of an import, whoever may read it, one in force before others; `undefined` where none is kept. */
export const readImportationAct = (
  database: Reader,
  importationId: number,
): Pick<KeptModification, 'id' | 'proprietaire' | 'annuleeParId'> | undefined =>
  database.get<Pick<KeptModification, 'id' | 'proprietaire' | 'annuleeParId'>>(
    `SELECT id, proprietaire, annuleeParId FROM Modification
       WHERE importationId = ? AND operation = 'importer' ORDER BY annuleeParId IS NULL DESC, id DESC`,
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

/** Marks the other acts of an import as undone with it. */
export function markImportationAnnulee(
  database: Transaction,
  importationId: number,
  annuleeParId: number,
): void {
  database.run(
    `UPDATE Modification SET annuleeParId = ?
       WHERE importationId = ? AND operation = 'importer' AND annuleeParId IS NULL`,
    annuleeParId,
    importationId,
  );
}

/** Writes an act with its steps and returns its id. */
export function insertModification(
  database: Transaction,
  { steps, ordres, fiches, avec, ...act }: NewModification,
): number {
  const row = {
    ...act,
    fiches: JSON.stringify(fiches),
    avec: JSON.stringify(avec),
    ordres: pack(ordres),
    steps: pack(steps),
  };
  const id = insertRow(database, 'Modification', row);
  notePictures(database, id, steps);
  return id;
}

/** Notes the pictures that undoing the act may need again: they are not deleted meanwhile. */
function notePictures(database: Transaction, id: number, steps: readonly RowChange[]): void {
  const cles = steps.flatMap(({ avant, apres }) =>
    [avant, apres].flatMap((row) => {
      const cle = row?.['couvertureCle'];
      return typeof cle === 'string' ? cle : [];
    }),
  );
  if (cles.length === 0) return;
  database.run(
    `INSERT INTO ModificationCouverture (modificationId, cle)
       SELECT DISTINCT ?, value FROM json_each(?)`,
    id,
    JSON.stringify(cles),
  );
}

/** An act that is in force, as far as it may stand in the way of an earlier one. */
export interface LaterAct extends Pick<KeptModification, 'id' | 'annuleId'> {
  readonly steps: readonly RowChange[];
}

/**
 * The acts in force after another one, the newest first, whose steps may hold one of some texts as `pack` writes
 * them; most acts are short, and are left out unread. An undoing of acts that came later, too, leaves all as it was
 * before these: it is not among them.
 */
export function* actsAfter(
  database: Reader,
  after: number,
  texts: readonly string[],
): Generator<LaterAct> {
  const acts = database
    .prepare<[number, string, number], Omit<LaterAct, 'steps'> & Pick<PackedParts, 'steps'>>(
      `SELECT id, annuleId, steps FROM Modification m
       WHERE id > ? AND annuleeParId IS NULL
         AND (typeof(steps) = 'blob' OR EXISTS (SELECT 1 FROM json_each(?) WHERE instr(steps, value)))
         AND (annuleId IS NULL OR EXISTS (
           SELECT 1 FROM (SELECT m.annuleId AS id UNION ALL SELECT value FROM json_each(m.avec)) AS t
           WHERE t.id <= ?))
       ORDER BY id DESC`,
    )
    .iterate(after, JSON.stringify(texts), after);
  for (const { steps, ...act } of acts) yield { ...act, steps: unpack<RowChange>(steps) };
}

/**
 * The undoings in force after another act, the newest first: each with its steps, and again with those of each act that
 * it has undone, since such acts may cancel each other out.
 */
export function* undoingsAfter(database: Reader, after: number): Generator<LaterAct> {
  const undoings = database.all<Omit<LaterAct, 'steps'>>(
    `SELECT id, annuleId FROM Modification
     WHERE id > ? AND annuleId IS NOT NULL AND annuleeParId IS NULL ORDER BY id DESC`,
    after,
  );
  for (const undoing of undoings) {
    const steps = database.values<PackedParts['steps']>(
      'SELECT steps FROM Modification WHERE @id IN (id, annuleeParId) ORDER BY id',
      undoing,
    );
    for (const each of steps) yield { ...undoing, steps: unpack<RowChange>(each) };
  }
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

/** Shorter steps, in characters, are not deflated: that takes as long as the rest of the write. */
const MIN_DEFLATED = 2_000;

function pack(parts: readonly (RowChange | Ordre)[]): string | Buffer {
  const text = JSON.stringify(parts);
  return text.length < MIN_DEFLATED ? text : deflateRawSync(text);
}

const unpack = <T extends RowChange | Ordre>(kept: string | Buffer): T[] =>
  parseKept<T[]>(typeof kept === 'string' ? kept : inflateRawSync(kept).toString());
