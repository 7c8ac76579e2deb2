import { Emplacement } from '#shared/emplacements';
import { textKey } from '#shared/text';
import {
  documentSource,
  insertRow,
  readDocuments,
  updateRow,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';

export const emplacementSource = documentSource('Emplacement', Emplacement, { rang: 'd.position' });

export const listEmplacements = (database: Reader): Emplacement[] =>
  readDocuments(database, emplacementSource, '');

/** The columns of a location that its entry decides. */
export type EmplacementFields = Omit<Emplacement, 'id' | 'rang'>;

/** What a rule computes from a name: by what it is unique in its parent. */
const keysOf = ({ nom }: { readonly nom: string }) => ({ nomNormalise: textKey(nom) });

/** The position behind all that stands in the parent `@parentId`. */
const LAST_POSITION = `(SELECT coalesce(max(position) + 1, 0) FROM Emplacement
  WHERE parentId IS @parentId)`;

/** Inserts a location behind all others of its parent, and returns its id. */
export const insertEmplacement = (database: Transaction, fields: EmplacementFields): number =>
  insertRow(database, 'Emplacement', { ...fields, ...keysOf(fields) }, { position: LAST_POSITION });

/** Rewrites a location; one that changes its parent goes behind all others of the new one. */
export const updateEmplacement = (
  database: Transaction,
  id: number,
  fields: EmplacementFields,
): void =>
  updateRow(
    database,
    'Emplacement',
    id,
    { ...fields, ...keysOf(fields) },
    { position: `CASE WHEN parentId IS @parentId THEN position ELSE ${LAST_POSITION} END` },
  );

/** Numbers locations in an order; a kept position is not written. */
export function writeOrder(database: Transaction, ids: readonly number[]): void {
  ids.forEach((id, position) => updateRow(database, 'Emplacement', id, { position }));
}

/** Sends the books that stand in a location to another one, or to none. */
export function moveLivres(database: Transaction, id: number, to: number | null): void {
  database.run('UPDATE Livre SET emplacementId = ? WHERE emplacementId = ?', to, id);
}

/** Deletes a location in which nothing stands. */
export function deleteEmplacement(database: Transaction, id: number): void {
  database.run('DELETE FROM Emplacement WHERE id = ?', id);
}

export const emplacementExists = (database: Reader, id: number): boolean =>
  database.value('SELECT 1 FROM Emplacement WHERE id = ?', id) !== undefined;

/** Whether locations stand directly in a location. */
export const holdsEmplacements = (database: Reader, id: number): boolean =>
  database.value('SELECT 1 FROM Emplacement WHERE parentId = ? LIMIT 1', id) !== undefined;

/** Whether books stand directly in a location. */
export const holdsLivres = (database: Reader, id: number): boolean =>
  database.value('SELECT 1 FROM Livre WHERE emplacementId = ? LIMIT 1', id) !== undefined;

/** How many books stand directly in a location. */
export const countLivresIn = (database: Reader, id: number): number =>
  database.value<number>('SELECT count(*) FROM Livre WHERE emplacementId = ?', id) ?? 0;

/** A step of the start-up pass: renews what the rules compute from names. */
export const renormaliserEmplacements = (database: Transaction): boolean =>
  renewRows<{ id: number; nom: string; nomNormalise: string }>(database, 'Emplacement', keysOf);
