import type { Importation } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { formatCount } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
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

const NO_REST: RestCounts = { shared: 0, personal: 0, filled: 0, refused: 0, returned: 0 };

/** The same of an import as it is kept. */
export function toldOf(database: Reader, { id, counts }: ImportationRecord): Told {
  const { nouveau, souhait } = countOutcomes(database, id);
  return { ...counts, id, nouveaux: nouveau, souhaits: souhait, rest: counts.rest ?? NO_REST };
}

/**
 * Keeps what an import has written, or what the catalogues have found of it since, as its act. That is everyone's where it
 * gave anything shared, and then tells nothing of its person's wishes and statuses (docs/rules.md § 39); one that changed
 * nothing is none.
 */
export function keepImportation(
  records: Records<Transaction>,
  open: OpenAct,
  { id, nouveaux, prets, series, souhaits, statuts, rest }: Told,
  utilisateur: string | null,
): Act | undefined {
  const { database } = records;
  if (open.changes.length === 0) {
    forgetTrace(database, open.id);
    return undefined;
  }
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
  const isPersonal = shared === '' && ownerOfAll(open.changes) !== '';
  const resume = `Import : ${isPersonal ? personal : shared || 'noms d’auteurs'}`;
  const proprietaire = isPersonal ? (utilisateur ?? '') : '';
  const kept = importationActs(database, id).find((act) => act.proprietaire === proprietaire);
  if (kept === undefined) {
    const told = { operation: 'importer', undone: '', resume, utilisateur, proprietaire };
    return keepAct(records, open, { ...told, importationId: id });
  }
  addToAct(records, open, kept.id);
  rewriteResume(database, kept.id, resume);
  return { id: kept.id, resume };
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
  if (etat === 'essai') database.run('DELETE FROM Importation WHERE id = ?', id);
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
