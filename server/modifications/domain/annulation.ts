import type { Modification } from '#shared/modifications';
import { Refusal } from '#shared/refusals';
import { isRefusal } from '#server/domain/error-body';
import type { Records } from '#server/records/records';
import * as store from '#server/writes/store/modifications';
import {
  changeSetOf,
  isEmptying,
  ownerOf,
  rowKey,
  type ChangeSet,
} from '#server/writes/change-set';
import { LaterActs } from './later-acts.ts';
import { impossible, Reasons } from './reasons.ts';
import { keepModification } from '#server/writes/recording';
import { Replay } from './replay.ts';
import { redoneSentence, refusedSentence, undoneSentence } from './sentences.ts';

/**
 * Undoes an act as a whole, as an act that can be undone itself; to be called while changes are captured.
 * Throws `INTROUVABLE` for another's, an unknown one and one no longer kept, `ANNULATION_IMPOSSIBLE`
 * where something later stands in the way (docs/rules.md § 38).
 */
export function annuler(records: Records, id: number, utilisateur: string | null): Modification {
  const { database } = records;
  const undone = store.readKeptModification(database, id, utilisateur);
  if (undone === undefined) throw new Refusal('INTROUVABLE');
  if (undone.importationId !== null) throw impossible('Un import s’annule sur son propre écran.');
  if (undone.annuleeParId !== null) throw impossible('Cette modification est déjà annulée.');
  const changes = tellingAct(undone, () => takeBack(records, undone, utilisateur));
  // Rows come back as an earlier version may have written them.
  database.noteRules(null);
  const act = {
    operation: 'annulerModification',
    undone: 'L’annulation est annulée',
    resume: undone.annuleId === null ? undoneSentence(undone) : redoneSentence(undone.resume),
    utilisateur,
    annuleId: undone.id,
  };
  const newId = keepModification(records, act, changes);
  store.markAnnulee(database, undone.id, newId);
  // Undoing an undo puts the first act in force again.
  if (undone.annuleId !== null) store.markAnnulee(database, undone.annuleId, null);
  const modification = store.readModification(database, newId);
  if (modification === undefined) throw new Error(`Modification ${String(newId)} is not there`);
  return modification;
}

function takeBack(
  records: Records,
  act: store.KeptModification,
  utilisateur: string | null,
): ChangeSet {
  const { database } = records;
  const { steps } = act;
  const later = new LaterActs(database, act.id);
  const reasons = new Reasons(records, { utilisateur, steps, later });
  const replay = new Replay(records, { steps, later, reasons });
  replay.run();
  const changes = changeSetOf(database, database.capture.stop());
  if (changes.net.length === 0) throw impossible('Il n’en reste rien à annuler.');
  requireNothingElse(records, changes, replay, reasons);
  requireRules(records, changes);
  return changes;
}

/** Says in a refusal which act it is about. */
function tellingAct<T>(act: store.KeptModification, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'ANNULATION_IMPOSSIBLE') throw error;
    throw impossible(error.message, refusedSentence(act));
  }
}

/**
 * Throws where a row that the act did not touch would change too. Three changes follow from the rules and
 * pass: statuses go with their book, a wish loses its place, authors and themes go with their last use.
 */
function requireNothingElse(
  records: Records,
  { net }: ChangeSet,
  { touched }: Replay,
  reasons: Reasons,
): void {
  for (const { table, avant, apres } of net) {
    const row = apres ?? avant ?? {};
    if (touched.has(rowKey(records.database, table, row))) continue;
    if (apres === null && records.rulesOf(table).goesAlong) continue;
    if (avant === null && records.rulesOf(table).vocabulary !== undefined) continue;
    if (avant !== null && apres !== null) {
      if (isRankAlone(avant, apres)) continue;
      if (ownerOf(apres) !== '' && isEmptying(records.database, table, avant, apres)) continue;
    }
    throw reasons.added(table, avant ?? row);
  }
}

const isRankAlone = (avant: object, apres: object): boolean =>
  'rang' in apres &&
  JSON.stringify({ ...avant, rang: 0, ordre: 0 }) ===
    JSON.stringify({ ...apres, rang: 0, ordre: 0 });

/** Throws for a state that the rules forbid and no constraint of the schema prevents. */
function requireRules(records: Records, { net }: ChangeSet): void {
  for (const { table, apres } of net) {
    const breach = apres && records.rulesOf(table).findBreach?.(records.database, apres);
    if (breach) throw impossible(breach);
  }
}
