import type { Transaction } from '#server/plumbing/database/transaction';
import { deleteAllUnused, listAuteurRecords, renewKeys } from '../store/auteurs.ts';
import { applyFusions, readRefus } from './auteurs.ts';
import { applyFusionRules } from './fusion-rules.ts';

/**
 * The authors' step of the start-up pass: applies the present rules of normalising and merging.
 * Writes nothing where the records follow them, and tells whether all now do (docs/rules.md § 30).
 */
export function renormaliserAuteurs(database: Transaction): boolean {
  deleteAllUnused(database);
  const auteurs = listAuteurRecords(database);
  applyFusions(database, applyFusionRules(auteurs, readRefus(database)));
  return renewKeys(database);
}
