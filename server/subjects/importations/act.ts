import type { Importation } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { formatCount } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import {
  addToAct,
  importationActs,
  keepAct,
  rewriteResume,
  traced,
  type Act,
  type ImportationAct,
  type OpenAct,
} from '#server/plumbing/writes/acts';
import type { Outcome } from '#server/plumbing/writes/operation';
import { forgetTrace, ownerOfAll, type Change } from '#server/plumbing/writes/traces';
import { takeRecordsBack } from '#server/subjects/modifications/undo';
import {
  countOutcomes,
  deleteImportation,
  requireRecord,
  UNDO_MS,
  updateImportation,
  type ImportationRecord,
  type RestCounts,
} from './store.ts';

/** How many of the books of an import went, and how many stayed. */
interface Undone {
  readonly retires: number;
  readonly gardes: number;
}

/** What is told of an import. */
type Told = Pick<Importation, 'id' | 'nouveaux' | 'prets' | 'series' | 'souhaits' | 'statuts'> & {
  readonly rest: RestCounts;
};

/**
 * Keeps an import as an act. It is everyone's where it gave anything shared, and then tells nothing of
 * its person's wishes and statuses (docs/rules.md § 39); one that changed nothing is none.
 */
export function keepImportation(
  records: Records<Transaction>,
  open: OpenAct,
  told: Told,
  utilisateur: string | null,
): Act | undefined {
  if (open.changes.length > 0) return keepAct(records, open, wordsOf(open, told, utilisateur));
  forgetTrace(records.database, open.id);
  return undefined;
}

/** Keeps what the catalogues have found of an import since as part of its act, of a new one where that is not everyone's. */
export function keepFound(
  records: Records<Transaction>,
  open: OpenAct,
  { id, utilisateur, counts }: ImportationRecord,
): void {
  const { database } = records;
  const { nouveau, souhait } = countOutcomes(database, id);
  const told = {
    ...counts,
    id,
    nouveaux: nouveau,
    souhaits: souhait,
    rest: counts.rest ?? NO_REST,
  };
  const words = wordsOf(open, told, utilisateur || null);
  const kept = importationActs(database, id).find((act) => act.proprietaire === words.proprietaire);
  if (kept === undefined) keepImportation(records, open, told, utilisateur || null);
  else {
    addToAct(records, open, kept.id);
    rewriteResume(database, kept.id, words.resume);
  }
}

/** How an import is told, and whose its act is. */
function wordsOf({ changes }: OpenAct, told: Told, utilisateur: string | null) {
  const { nouveaux, prets, series, souhaits, statuts, rest } = told;
  const shared = sentence(
    [nouveaux, 'livre'],
    [prets, 'prêt'],
    [rest.returned, 'prêt rendu'],
    [series, 'série'],
    [rest.shared, 'autre fiche'],
    [rest.filled, 'fiche complétée'],
    [rest.refused, 'fusion refusée'],
  );
  const personal = sentence(
    [souhaits, 'souhait'],
    [statuts, 'statut'],
    [rest.personal, 'autre fiche'],
  );
  const isPersonal = shared === '' && ownerOfAll(changes) !== '';
  const what = isPersonal ? personal : shared || 'noms d’auteurs';
  return {
    operation: 'importer',
    undone: '',
    resume: `Import : ${what}`,
    utilisateur,
    proprietaire: isPersonal ? (utilisateur ?? '') : '',
    importationId: told.id,
  };
}

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

/** Keeps the undoing of the acts of an import as an act. */
export function keepUndone(
  records: Records<Transaction>,
  open: OpenAct,
  { id, acts: [first, ...others], utilisateur }: UndoneImportation,
  { retires, gardes }: Undone,
): Act {
  const counts = sentence([retires, 'livre retiré'], [gardes, 'livre gardé']);
  return keepAct(records, open, {
    importationId: id,
    operation: 'annulerImportation',
    undone: '',
    resume: counts === '' ? 'Import annulé' : `Import annulé : ${counts}`,
    utilisateur,
    proprietaire: first.proprietaire,
    annuleId: first.id,
    avec: others.map((act) => act.id),
  });
}

/** An import whose acts are taken back, and by whom. */
interface UndoneImportation {
  readonly id: number;
  readonly acts: readonly [ImportationAct, ...ImportationAct[]];
  readonly utilisateur: string | null;
}

const NO_REST: RestCounts = { shared: 0, personal: 0, filled: 0, refused: 0, returned: 0 };

/** « 12 livres, 1 prêt », of what there is any. */
const sentence = (...counts: readonly (readonly [number, string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${count > 1 ? plural(words) : words}`)
    .join(', ');

const plural = (words: string): string =>
  words
    .split(' ')
    .map((word) => `${word}s`)
    .join(' ');
