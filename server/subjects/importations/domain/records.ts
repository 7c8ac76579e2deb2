import { Refusal } from '#shared/refusals';
import type { Database } from '#server/plumbing/database/database';
import type { Reader } from '#server/plumbing/database/reader';
import * as store from '../store/importations.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a dry run is kept (docs/rules.md § 36). */
const ESSAI_MS = DAY_MS;
/** How long an import can be undone (docs/rules.md § 37). */
export const UNDO_MS = 30 * DAY_MS;

/** Throws `INTROUVABLE` for an import of another person, and for an expired dry run. */
export function requireRecord(
  database: Reader,
  id: number,
  utilisateur: string | null,
): store.ImportationRecord {
  const record = store.readImportation(database, id, utilisateur ?? '');
  if (record === undefined || isExpired(record)) throw new Refusal('INTROUVABLE');
  return record;
}

/** Whether a dry run has lived its day. */
export const isExpired = ({ etat, date }: store.ImportationRecord): boolean =>
  etat === 'essai' && date < Date.now() - ESSAI_MS;

/** Deletes the expired dry runs, and the rows of imports that can no longer be undone. */
export function deleteExpired(database: Database): void {
  if (database.writeLock.isHeld) return;
  database.write((tx) => {
    store.deleteOldEssais(tx, Date.now() - ESSAI_MS);
    store.deleteOldLignes(tx, Date.now() - UNDO_MS);
  });
}
