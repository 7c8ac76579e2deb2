import type { Modification } from '#shared/modifications';
import { Refusal } from '#shared/refusals';
import type { Database } from '#server/database/database';
import type { Step } from '#server/database/trace';
import { openPretOfLivre, readFormat } from '#server/livres/store/livres';
import { isWithin } from '#server/series/store/series';
import * as store from '../store/modifications.ts';
import { rowKey } from '../store/rows.ts';
import { isEmptying, ownerOf, sumUp, type Changes } from './changes.ts';
import { impossible, Reasons } from './reasons.ts';
import { keepModification } from './recording.ts';
import { Replay } from './replay.ts';
import { recordOf } from './tables.ts';

const UNDONE = 'Annulé : ';
const REDONE = 'Rétabli : ';

/**
 * Undoes an act as a whole, as an act that can be undone itself; to be called where the trace is open.
 * Throws `INTROUVABLE` for another's, an unknown one and one no longer kept, `ANNULATION_IMPOSSIBLE`
 * where something later stands in the way (docs/rules.md § 38).
 */
export function annuler(database: Database, id: number, utilisateur: string | null): Modification {
  const undone = store.readKeptModification(database, id, utilisateur);
  if (undone === undefined) throw new Refusal('INTROUVABLE');
  if (undone.importationId !== null) throw impossible('Un import s’annule sur son propre écran.');
  if (undone.annuleeParId !== null) throw impossible('Cette modification est déjà annulée.');
  const changes = takeBack(database, undone.steps, utilisateur);
  const act = {
    operation: 'annulerModification',
    resume: resumeOf(undone),
    utilisateur,
    annuleId: undone.id,
  };
  const newId = keepModification(database, act, changes);
  store.markAnnulee(database, undone.id, newId);
  // Undoing an undo puts the first act in force again.
  if (undone.annuleId !== null) store.markAnnulee(database, undone.annuleId, null);
  const modification = store.readModification(database, newId);
  if (modification === undefined) throw new Error(`Modification ${String(newId)} is not there`);
  return modification;
}

function takeBack(database: Database, steps: readonly Step[], utilisateur: string | null): Changes {
  const reasons = new Reasons(database, utilisateur, severalOf(steps));
  const replay = new Replay(database, steps, reasons);
  replay.run(steps);
  const changes = sumUp(database, database.trace.close());
  if (changes.net.length === 0) throw impossible('Il n’en reste rien à annuler.');
  requireNothingElse(database, changes, replay, reasons);
  requireRules(database, changes);
  return changes;
}

const resumeOf = ({ resume, annuleId }: store.KeptModification): string => {
  if (annuleId === null) return UNDONE + resume;
  return resume.startsWith(UNDONE)
    ? REDONE + resume.slice(UNDONE.length)
    : UNDONE + resume.slice(REDONE.length);
};

/** The tables of records of which an act touched more than one. */
function severalOf(steps: readonly Step[]): Set<string> {
  const ids = new Map<string, Set<number>>();
  for (const { table, avant, apres } of steps) {
    const record = recordOf(table, apres ?? avant ?? {});
    if (record === undefined) continue;
    ids.set(record.kind.table, (ids.get(record.kind.table) ?? new Set()).add(record.id));
  }
  return new Set([...ids].filter(([, some]) => some.size > 1).map(([table]) => table));
}

/**
 * Throws where a row that the act did not touch would change too. Three changes follow from the rules and
 * pass: statuses go with their book, a wish loses its place, authors and themes go with their last use.
 */
function requireNothingElse(
  database: Database,
  { net }: Changes,
  { touched }: Replay,
  reasons: Reasons,
): void {
  for (const { table, avant, apres } of net) {
    const row = apres ?? avant ?? {};
    if (touched.has(rowKey(database, table, row))) continue;
    if (apres === null && ['Statut', 'Auteur', 'Theme'].includes(table)) continue;
    if (avant !== null && apres !== null) {
      if (isRankAlone(avant, apres)) continue;
      if (ownerOf(apres) !== '' && isEmptying(database, table, avant, apres)) continue;
    }
    throw reasons.added(table, avant ?? row);
  }
}

const isRankAlone = (avant: object, apres: object): boolean =>
  'rang' in apres &&
  JSON.stringify({ ...avant, rang: 0 }) === JSON.stringify({ ...apres, rang: 0 });

/** Throws for a state that the rules forbid and no constraint of the schema prevents. */
function requireRules(database: Database, { net }: Changes): void {
  for (const { table, apres } of net) {
    if (apres === null) continue;
    if (table === 'Livre') requirePaperWhileLent(database, Number(apres['id']), 'lent');
    if (table === 'Pret')
      requirePaperWhileLent(database, Number(apres['livreId']), 'made an ebook');
    if (table === 'Serie' && typeof apres['parentId'] === 'number')
      if (isWithin(database, apres['parentId'], Number(apres['id'])))
        throw impossible('Cette série a été rangée ailleurs depuis.');
  }
}

function requirePaperWhileLent(
  database: Database,
  livreId: number,
  since: 'lent' | 'made an ebook',
) {
  const open = openPretOfLivre(database, livreId);
  if (open === undefined || readFormat(database, livreId) !== 'Numerique') return;
  throw impossible(
    since === 'lent'
      ? `Ce livre a été prêté à ${open.emprunteur} depuis.`
      : 'Ce livre est devenu numérique depuis.',
  );
}
