import type { Modification } from '#shared/modifications';
import { found } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Records } from '#server/plumbing/records/records';
import { changeSetOf } from '#server/plumbing/writes/change-set';
import { keepModification } from '#server/plumbing/writes/acts';
import type { Done } from '#server/plumbing/writes/operation';
import * as store from '#server/plumbing/writes/store/modifications';
import { undoingSentence } from './sentences.ts';
import { impossible, takeBack, TakingBack } from './taking-back.ts';

/**
 * Undoes an act as a whole, as an act that can be undone itself.
 * Throws `INTROUVABLE` for another's, an unknown one and one no longer kept, `ANNULATION_IMPOSSIBLE`
 * where something later stands in the way (docs/rules.md § 38).
 *
 * @param withObstacles whether the acts in the way are taken back with it
 */
export function annuler(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
  withObstacles: boolean,
): Done<Modification> {
  const { database } = records;
  const undone = found(store.readKeptModification(database, id, utilisateur));
  if (undone.importationId !== null) throw impossible('Un import s’annule sur son propre écran.');
  if (undone.annuleeParId !== null) throw impossible('Cette modification est déjà annulée.');
  const newId = store.nextModificationId(database);
  const taking = new TakingBack(records, utilisateur, newId);
  const { result: avec, steps } = database.captured(() =>
    takeBack(records, taking, undone, withObstacles),
  );
  const changes = changeSetOf(database, steps);
  // Rows come back as an earlier version may have written them.
  database.noteRules(null);
  // What left nothing to give back is read by those who read the act.
  const { proprietaire } = changes.net.length === 0 ? undone : changes;
  // What is told to all says nothing of an act that is one person's.
  const isTold = proprietaire === undone.proprietaire;
  const act = {
    operation: 'annulerModification',
    undone: 'L’annulation est annulée',
    resume: undoingSentence(isTold ? undone : { ...undone, fiches: [], resume: '' }, avec.length),
    utilisateur,
    annuleId: undone.id,
    avec,
  };
  const kept = keepModification(records, act, { ...changes, proprietaire });
  store.tellAnnulees(database, newId);
  return { answer: found(store.readListedModification(database, newId)), act: kept };
}
