import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  Modification,
  MODIFICATION_COUNT,
  ModificationDocument,
  type Fiche,
} from '#shared/modifications';
import { documentSource, insertRow, readDocument, readDocuments } from '#server/database/columns';
import type { Database } from '#server/database/database';
import { parseKept } from '#server/database/kept-json';
import type { RowChange } from '#shared/change-reader';

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
  readonly steps: readonly RowChange[];
}

/** An act that a caller may read, with what it takes to undo it. */
export interface KeptModification {
  readonly id: number;
  readonly undone: string;
  readonly resume: string;
  readonly annuleId: number | null;
  readonly annuleeParId: number | null;
  readonly importationId: number | null;
  readonly fiches: readonly Fiche[];
  readonly steps: readonly RowChange[];
}

/** Acts that a caller may read, the newest first, from before an id. */
export function listModifications(
  database: Database,
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

export function readModification(database: Database, id: number): Modification | undefined {
  return readDocument(database, listed, 'WHERE d.id = ?', id);
}

/** One act with its steps; `undefined` for an unknown one, one no longer kept, and another's. */
export function readKeptModification(
  database: Database,
  id: number,
  utilisateur: string | null,
): KeptModification | undefined {
  const row = database.get<
    Omit<KeptModification, 'steps' | 'fiches'> & { steps: string | Buffer; fiches: string }
  >(
    `SELECT d.id, d.undone, d.resume, d.annuleId, d.annuleeParId, d.importationId, d.fiches, d.steps
       FROM Modification d
       WHERE d.id = ? AND d.proprietaire IN ('', ?)`,
    id,
    utilisateur ?? '',
  );
  return row && { ...row, fiches: parseKept<Fiche[]>(row.fiches), steps: unpack(row.steps) };
}

/** How many records an act tells; 0 for an unknown one. */
export const countFiches = (database: Database, id: number): number =>
  database.value<number>('SELECT json_array_length(fiches) FROM Modification WHERE id = ?', id) ??
  0;

/** The act of an import, whoever may read it; `undefined` where none is kept. */
export const readImportationAct = (
  database: Database,
  importationId: number,
): { readonly id: number; readonly proprietaire: string } | undefined =>
  database.get<{ id: number; proprietaire: string }>(
    `SELECT id, proprietaire FROM Modification
       WHERE importationId = ? AND operation = 'importer'`,
    importationId,
  );

/** Writes an act with its steps and returns its id. */
export function insertModification(
  database: Database,
  { steps, fiches, ...act }: NewModification,
): number {
  const row = { ...act, fiches: JSON.stringify(fiches), steps: pack(steps) };
  const id = insertRow(database, 'Modification', row);
  notePictures(database, id, steps);
  return id;
}

/** The newest act; `undefined` where there is none. */
export const latestModification = (
  database: Database,
): Pick<Modification, 'id' | 'resume'> | undefined =>
  database.get<Pick<Modification, 'id' | 'resume'>>(
    'SELECT id, resume FROM Modification ORDER BY id DESC LIMIT 1',
  );

/** Notes the pictures that undoing the act may need again: they are not deleted meanwhile. */
function notePictures(
  database: Database,
  modificationId: number,
  steps: readonly RowChange[],
): void {
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
    modificationId,
    JSON.stringify(cles),
  );
}

/**
 * Puts the journal's line of an act before those of what it changed, which move up by one: the last
 * revision of a write is then that of its record, whose tag it is (docs/rules.md § 29). In the
 * transaction of the act.
 *
 * @param before the database's revision before the act
 */
export function putLineFirst(database: Database, id: number, before: number): void {
  // Below zero first: a revision is unique, and an UPDATE checks that row by row.
  database.run('UPDATE Journal SET revision = -revision WHERE revision > ?', before);
  database.run(
    `UPDATE Journal
       SET revision = iif(collection = 'modifications' AND id = @id, @before, -revision) + 1
       WHERE revision < 0`,
    { id, before },
  );
}

/** An act with what it takes to undo it. */
interface Steps {
  readonly id: number;
  readonly steps: readonly RowChange[];
  /** False for one that is undone, and for an undoing. */
  readonly isInForce: boolean;
}

/**
 * The acts after another one, the newest first, whose steps may hold a text as `pack` writes it; most
 * acts are short, and are left out unread.
 */
export function* actsAfter(database: Database, after: number, text: string): Generator<Steps> {
  const acts = database
    .prepare<[number, string], { id: number; steps: string | Buffer; inForce: 0 | 1 }>(
      `SELECT id, steps, annuleId IS NULL AND annuleeParId IS NULL AS inForce FROM Modification
       WHERE id > ? AND (typeof(steps) = 'blob' OR instr(steps, ?) > 0) ORDER BY id DESC`,
    )
    .iterate(after, text);
  for (const { id, steps, inForce } of acts)
    yield { id, steps: unpack(steps), isInForce: inForce === 1 };
}

export function rewriteSteps(database: Database, id: number, steps: readonly RowChange[]): void {
  database.run('UPDATE Modification SET steps = ? WHERE id = ?', pack(steps), id);
}

/** Marks an act as undone by another; `null` takes the mark away. */
export function markAnnulee(database: Database, id: number, annuleeParId: number | null): void {
  database.run('UPDATE Modification SET annuleeParId = ? WHERE id = ?', annuleeParId, id);
}

/** Deletes acts older than a date, but never the newest `MODIFICATION_COUNT`. */
export function deleteOldModifications(database: Database, before: string): void {
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

function pack(steps: readonly RowChange[]): string | Buffer {
  const text = JSON.stringify(steps);
  return text.length < MIN_DEFLATED ? text : deflateRawSync(text);
}

const unpack = (kept: string | Buffer): RowChange[] =>
  parseKept<RowChange[]>(typeof kept === 'string' ? kept : inflateRawSync(kept).toString());
