import { Refusal } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import { importationActs, traced } from '#server/plumbing/writes/acts';
import type { Outcome } from '#server/plumbing/writes/operation';
import type { Change } from '#server/plumbing/writes/traces';
import { takeRecordsBack } from '#server/subjects/modifications/undo';
import { keepUndone, type Undone } from './act.ts';
import { deleteImportation, requireRecord, UNDO_MS, updateImportation } from './store.ts';

/**
 * Takes back what an import has made; what was changed since stays (docs/rules.md § 37). A dry run is
 * deleted. Throws `INTROUVABLE` for an import older than thirty days, too.
 */
export function annulerImportation(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
): Outcome<Undone> {
  const { database } = records;
  const { etat, date } = requireRecord(database, id, utilisateur);
  if (etat === 'essai') deleteImportation(database, id);
  if (etat !== 'faite') return { answer: NOTHING };
  if (date < Date.now() - UNDO_MS) throw new Refusal('INTROUVABLE');
  updateImportation(database, id, { etat: 'annulee' });
  const [first, ...others] = importationActs(database, id);
  if (first === undefined) return { answer: NOTHING };
  const acts = [first, ...others] as const;
  const ids = acts.map((act) => act.id);
  const open = traced(
    records,
    (newId) => takeRecordsBack(records, ids, first.proprietaire, newId),
    true,
  );
  const { taken, kept } = open.result;
  const answer = { retires: countLivres(taken), gardes: countLivres(kept) };
  return { answer, act: keepUndone(records, open, { id, acts, utilisateur }, answer) };
}

const NOTHING: Undone = { retires: 0, gardes: 0 };

const countLivres = (made: readonly Change[]): number =>
  made.filter(({ table }) => table === 'Livre').length;
