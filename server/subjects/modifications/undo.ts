import type { Modification } from '#shared/modifications';
import { found, Refusal } from '#shared/refusals';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import {
  keepAct,
  markAnnulee,
  readKeptModification,
  readListedModification,
  tellAnnulees,
  traced,
  type KeptModification,
} from '#server/plumbing/writes/acts';
import type { OperationResult } from '#server/plumbing/writes/operation';
import { ordresOf } from '#server/plumbing/writes/orders';
import { readRow } from '#server/plumbing/writes/rows';
import {
  actsAfter,
  changedColumns,
  changesOf,
  isChanged,
  rowKeyOf,
  leadingGone,
  ownerOf,
  type Change,
  type LaterAct,
} from '#server/plumbing/writes/traces';
import { Inverse, type Hindrance, type Reversal } from './inverse.ts';
import { Reasons, refusedSentence, undoingSentence } from './sentences.ts';

// A hindrance keeps a change from being taken back (`inverse.ts`); its causes are the changes of rows that may have led
// to it (`writes/traces.ts`). A blocker is a hindrance with the later act that made one of these changes, where one is
// known. The obstacles are the acts that have to be taken back first: a person is told them, and may have them taken
// back, too.

/**
 * Takes a whole act back, by an act that can be taken back itself. Throws `INTROUVABLE` for another person's act, an
 * unknown one and one no longer kept, `ANNULATION_IMPOSSIBLE` where something later hinders it or it wrote what is
 * another person's, and `IDENTITE_INCONNUE` where it wrote what is some person's and the caller is unknown
 * (docs/rules.md § 38).
 *
 * @param withObstacles whether the acts in the way are taken back, too
 */
export function annuler(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
  withObstacles: boolean,
): OperationResult<Modification> {
  const { database } = records;
  const undone = found(readKeptModification(database, id, utilisateur));
  if (undone.importationId !== null) throw impossible('Un import s’annule sur son propre écran.');
  if (undone.annuleeParId !== null) throw impossible('Cette modification est déjà annulée.');
  if (!isOwn(records, undone, utilisateur)) {
    if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
    throw impossible('Seule la personne qui l’a fait peut l’annuler.');
  }
  const open = traced(
    records,
    (newId) => takeBack(records, undone, { utilisateur, newId, withObstacles }),
    true,
  );
  const { changes, result: avec } = open;
  // The rows may come back as an earlier version wrote them.
  database.noteRules(null);
  // An undoing that changed nothing is read by those who read the act.
  const own = changes.length === 0 ? { proprietaire: undone.proprietaire } : {};
  const told = { ...undoneWords, ...own, annuleId: undone.id, avec };
  const act = keepAct(records, open, {
    ...told,
    // A sentence for everyone tells nothing of one person's act.
    resume: (proprietaire) =>
      proprietaire === undone.proprietaire
        ? undoingSentence(undone, avec.length)
        : undoingSentence({ ...undone, fiches: [], resume: '' }, avec.length),
    utilisateur: undone.utilisateur === null ? null : utilisateur,
  });
  tellAnnulees(database, open.id);
  return { answer: found(readListedModification(database, open.id)), act };
}

const undoneWords = { operation: 'annulerModification', undone: 'L’annulation est annulée' };

const impossible = (
  raison: string,
  rest: { readonly acte?: string; readonly obstacles?: readonly KeptModification[] } = {},
): Refusal<'ANNULATION_IMPOSSIBLE'> => {
  const { acte, obstacles = [] } = rest;
  return new Refusal('ANNULATION_IMPOSSIBLE', {
    raison,
    ...(acte !== undefined && { acte }),
    obstacles: obstacles.map(({ id, resume }) => ({ id, resume })),
  });
};

const reversalOf = (records: Records, ids: readonly number[], proprietaire: string): Reversal => ({
  changes: changesOf(records.database, ids, { sleep: (table) => records.isWord(table) }),
  ordres: ordresOf(records.database, ids),
  dormant: changesOf(records.database, ids, { which: "nom = 'Dormant'" }),
  proprietaire,
  isRecord: false,
});

/**
 * Whether a person may take an act back: one that wrote what is some person's is that person's to take back. What went
 * or came along with a shared record does not count (docs/rules.md § 38).
 */
function isOwn(
  { database }: Records,
  { id }: KeptModification,
  utilisateur: string | null,
): boolean {
  const changes = changesOf(database, [id]);
  const touched = new Set(
    changes.filter(({ avant, apres }) => avant === null || apres === null).map(rowKeyOf),
  );
  const isAlong = ({ table, avant, apres }: Change) =>
    database.capture
      .linksOf(table)
      .filter(({ column, target }) =>
        [avant, apres].some((image) => touched.has(`${target} ${String(image?.[column])}`)),
      )
      .some(
        ({ column }) =>
          avant === null ||
          apres === null ||
          changedColumns(avant, apres).every((name) => name === column),
      );
  return changes.every((change) => {
    const owner = ownerOf(change.apres ?? change.avant);
    return owner === '' || owner === utilisateur || !isChanged(change) || isAlong(change);
  });
}

interface Blocker {
  readonly hindrance: Hindrance;
  readonly by?: Pick<LaterAct, 'id' | 'change'> | undefined;
}

interface UndoRequest {
  readonly utilisateur: string | null;
  readonly newId: number;
  readonly withObstacles: boolean;
}

/** Returns the ids of the obstacles that it took back. Throws `ANNULATION_IMPOSSIBLE` with all of them. */
function takeBack(
  records: Records<Transaction>,
  act: KeptModification,
  taking: UndoRequest,
): number[] {
  const [blocker] = new Attempt(records, taking, false).take(act);
  if (blocker === undefined) return [];
  const { database } = records;
  const { hindrance, by } = blocker;
  const { utilisateur, withObstacles } = taking;
  const undoing = { utilisateur, changes: changesOf(database, [act.id]), by: by?.change };
  const raison = new Reasons(records, undoing).of(hindrance);
  // Later undoings that took back what came after the act leave all as it was, so the first attempt passes them over;
  // but a redoing among them may have written last.
  const attempts = [false, true].map((inOrder) => new Attempt(records, taking, inOrder));
  const possible = attempts.find((attempt) =>
    keptIf(
      database,
      () => attempt.takeWithObstacles(act),
      (isDone) => isDone && withObstacles,
    ),
  );
  if (possible !== undefined && withObstacles) return possible.others(act).map(({ id }) => id);
  const obstacles = (possible ?? attempts[0])?.obstacles(act) ?? [];
  throw impossible(raison, { acte: refusedSentence(act), obstacles });
}

function keptIf<T>(database: Transaction, work: () => T, isWanted: (result: T) => boolean): T {
  const results: T[] = [];
  const unwanted = new Error('Rolled back');
  try {
    return database.attempt(() => {
      const result = work();
      if (isWanted(result)) return result;
      results.push(result);
      throw unwanted;
    });
  } catch (error) {
    const [result] = results;
    if (error !== unwanted || result === undefined) throw error;
    return result;
  }
}

/** One try to take an act back, with what is in its way or without; `takeBack` makes several. */
class Attempt {
  readonly #records: Records<Transaction>;
  readonly #taking: UndoRequest;
  readonly #inOrder: boolean;
  readonly #taken: KeptModification[] = [];
  readonly #blocking = new Map<number, KeptModification>();

  /** @param inOrder whether what wrote last is taken back first, even an undoing that left all as it was */
  constructor(records: Records<Transaction>, taking: UndoRequest, inOrder: boolean) {
    this.#records = records;
    this.#taking = taking;
    this.#inOrder = inOrder;
  }

  others({ id }: KeptModification): KeptModification[] {
    return this.#taken.filter((each) => each.id !== id);
  }

  /** These and the acts that cannot be taken back, newest first. */
  obstacles(act: KeptModification): KeptModification[] {
    return [...this.others(act), ...this.#blocking.values()].sort((a, b) => b.id - a.id);
  }

  /** Takes an act back, or returns its blockers and leaves all as it was. */
  take(act: KeptModification): readonly Blocker[] {
    const records = this.#records;
    const { id, proprietaire } = act;
    const later = new LaterActs(records.database, [id], this.#inOrder);
    const blockers = keptIf(
      records.database,
      () => {
        const inverse = new Inverse(records, reversalOf(records, [id], proprietaire));
        const found = inverse.hindrances().flatMap((each) => later.blockerOf(each) ?? []);
        if (found.length > 0) return found;
        return inverse.run().flatMap((each) => later.blockerOf(each) ?? []);
      },
      (found) => found.length === 0,
    );
    if (blockers.length > 0) return blockers;
    markAnnulee(records.database, id, this.#taking.newId);
    this.#taken.push(act);
    return [];
  }

  /** Takes an act back after its obstacles; returns whether that is possible. */
  takeWithObstacles(act: KeptModification): boolean {
    for (;;) {
      const found = this.take(act);
      if (found.length === 0) return true;
      const ids = new Set(found.flatMap(({ by }) => by?.id ?? []));
      const newestFirst = [...ids].sort((a, b) => b - a);
      if (ids.size === 0 || !newestFirst.every((id) => this.#takeOnTheWay(id))) return false;
    }
  }

  #takeOnTheWay(id: number): boolean {
    // Another obstacle may have needed it, too.
    if (this.#taken.some((each) => each.id === id)) return true;
    const { utilisateur } = this.#taking;
    const act = readKeptModification(this.#records.database, id, utilisateur);
    if (act === undefined) return false;
    // An import is taken back record by record, on its own screen.
    const isPossible = act.operation !== 'importer' && isOwn(this.#records, act, utilisateur);
    if (isPossible && this.takeWithObstacles(act)) return true;
    this.#blocking.set(id, act);
    return false;
  }
}

class LaterActs {
  readonly #database: Reader;
  readonly #ids: readonly number[];
  readonly #inOrder: boolean;
  #leading: ReturnType<typeof leadingGone> | undefined;

  /** @param inOrder as in `Attempt` */
  constructor(database: Reader, ids: readonly number[], inOrder: boolean) {
    this.#database = database;
    this.#ids = ids;
    this.#inOrder = inOrder;
  }

  /** `undefined` where only a later act could hinder, and none does. */
  blockerOf(hindrance: Hindrance): Blocker | undefined {
    const { why, causes, lost } = hindrance;
    const ifAny = (by: Blocker['by']) => by && { hindrance, by };
    if (why === 'kept') {
      this.#leading ??= leadingGone(this.#database, this.#ids);
      return ifAny(causes.map((cause) => this.#leading?.get(rowKeyOf(cause))).find(Boolean));
    }
    const later = causes.flatMap((cause) => actsAfter(this.#database, this.#ids, cause));
    const newestFirst = later.filter((act) => act.isInForce).sort((a, b) => b.id - a.id);
    if (why === 'named' || why === 'touched')
      return ifAny(newestFirst.find(({ undoes }) => undoes.length === 0));
    // What an undone import has left hinders nothing.
    const mayBeLeft = why === 'changed' || why === 'added' || lost?.isLoose === true;
    const isOfImport = later.some(({ operation }) => operation === 'importer');
    if (newestFirst.length === 0 && mayBeLeft && isOfImport) return undefined;
    const changer = this.#inOrder ? undefined : newestFirst.find((act) => !this.#leavesAll(act));
    return { hindrance, by: changer ?? newestFirst[0] };
  }

  /** Whether an act takes back only what came after these acts. */
  #leavesAll({ undoes }: LaterAct): boolean {
    return undoes.length > 0 && undoes.every((undone) => undone > Math.max(...this.#ids));
  }
}

/** The records of an import that were still there: deleted, or kept. */
interface RecordsOutcome {
  readonly taken: readonly Change[];
  readonly kept: readonly Change[];
}

/**
 * Takes the acts of an import back record by record; a record that was changed since stays (docs/rules.md § 37).
 *
 * @param newId the act that this will be
 */
export function takeRecordsBack(
  records: Records<Transaction>,
  ids: readonly number[],
  proprietaire: string,
  newId: number,
): RecordsOutcome {
  const { database } = records;
  const reversal = reversalOf(records, ids, proprietaire);
  const whole = new Inverse(records, reversal);
  const later = new LaterActs(database, ids, false);
  const made = new Set(reversal.changes.filter(({ avant }) => avant === null).map(rowKeyOf));
  const isReal = (hindrance: Hindrance): boolean => {
    const { why, causes } = hindrance;
    if (why !== 'kept' && why !== 'named' && why !== 'touched') return true;
    // What stays of the import goes on using the name that the import gave.
    if (why === 'named' && causes.some((cause) => made.has(rowKeyOf(cause)))) return true;
    return later.blockerOf(hindrance) !== undefined;
  };
  const there = new Set(
    reversal.changes.filter(
      ({ table, avant, apres }) =>
        avant === null &&
        apres !== null &&
        records.isRecord(table) &&
        readRow(database, table, apres),
    ),
  );
  const taken: Change[] = [];
  let left = recordsOf(records, reversal.changes);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    // A row that another one led to may go once that one has gone.
    left = left.filter((changes) => {
      const isTaken = takeRecordBack(records, { ...reversal, changes, isRecord: true }, isReal);
      if (isTaken) taken.push(...changes);
      return !isTaken;
    });
  }
  whole.settle();
  for (const id of ids) markAnnulee(database, id, newId);
  const isThere = (change: Change) => there.has(change);
  return { taken: taken.filter(isThere), kept: left.flat().filter(isThere) };
}

function takeRecordBack(
  records: Records<Transaction>,
  reversal: Reversal,
  isReal: (hindrance: Hindrance) => boolean,
): boolean {
  const inverse = new Inverse(records, { ...reversal, ordres: [], dormant: [] });
  if (inverse.hindrances().some(isReal)) return false;
  // Deletions break no rule, and a savepoint for each of ten thousand records takes its time.
  if (reversal.changes.every(({ avant }) => avant === null)) return inverse.write().length === 0;
  return keptIf(
    records.database,
    () => [...inverse.write(), ...inverse.breaches()].length === 0,
    Boolean,
  );
}

/** The changes by record, each with the rows made for it: the record made last comes first, words come last. */
function recordsOf(records: Records, changes: readonly Change[]): Change[][] {
  const made = new Set(changes.filter(({ avant }) => avant === null).map(rowKeyOf));
  const units = Map.groupBy(changes, (change) => {
    const { table, avant, apres } = change;
    if (records.isRecord(table)) return rowKeyOf(change);
    const record = records.database.capture
      .linksOf(table)
      .filter(
        ({ column, target }) =>
          column !== records.rulesOf(table).order?.parent && !records.isWord(target),
      )
      .map(({ column, target }) => `${target} ${String((apres ?? avant)?.[column])}`)
      .find((key) => made.has(key));
    return record ?? rowKeyOf(change);
  });
  const latest = (unit: readonly Change[]) =>
    Math.max(...unit.map(({ table, seq }) => (records.isWord(table) ? 0 : seq)));
  return [...units.values()].sort((a, b) => latest(b) - latest(a));
}
