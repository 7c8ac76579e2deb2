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
import type { Outcome } from '#server/plumbing/writes/operation';
import { ordresOf } from '#server/plumbing/writes/orders';
import { readRow } from '#server/plumbing/writes/rows';
import {
  actsAfter,
  changedColumns,
  changesOf,
  isChanged,
  keyOf,
  leadingGone,
  ownerOf,
  type Change,
  type LaterAct,
} from '#server/plumbing/writes/traces';
import { Inverse, type Hindrance, type Reversal } from './inverse.ts';
import { raisonOf, refusedSentence, undoingSentence } from './sentences.ts';

// What keeps a change from being taken back is a hindrance (`inverse.ts`); the changes of rows that may have brought it
// about are its causes (`writes/traces.ts`). With the later act among whose changes one of these is, where one is known,
// it is a blocker. The acts that have to be taken back before are the obstacles, which a person is told and may have taken
// back with it.

/**
 * Takes an act back as a whole, as an act that can be taken back itself. Throws `INTROUVABLE` for another's, an unknown
 * one and one no longer kept, `ANNULATION_IMPOSSIBLE` where something later stands in the way, or where it wrote what is
 * another person's, and `IDENTITE_INCONNUE` where that is nobody who is known (docs/rules.md § 38).
 *
 * @param withObstacles whether the acts in the way are taken back with it
 */
export function annuler(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
  withObstacles: boolean,
): Outcome<Modification> {
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
  // Rows come back as an earlier version may have written them.
  database.noteRules(null);
  // What left nothing to give back is read by those who read the act.
  const own = changes.length === 0 ? { proprietaire: undone.proprietaire } : {};
  const told = { ...undoneWords, ...own, annuleId: undone.id, avec };
  const act = keepAct(records, open, {
    ...told,
    // What is told to all says nothing of an act that is one person's.
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

/** The refusal of an undoing, with what stands in its way, and of which act: « L’ajout ne peut plus être annulé ». */
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

/** The changes of acts, to take them back. */
const reversalOf = (records: Records, ids: readonly number[], proprietaire: string): Reversal => ({
  changes: changesOf(records.database, ids, { sleep: (table) => records.isWord(table) }),
  ordres: ordresOf(records.database, ids),
  dormant: changesOf(records.database, ids, { which: "nom = 'Dormant'" }),
  proprietaire,
  isRecord: false,
});

/**
 * Whether a person may take an act back: one that wrote what is one person's is that person's to take back. What went or
 * came along with a shared record does not count as written (docs/rules.md § 38).
 */
function isOwn(
  { database }: Records,
  { id }: KeptModification,
  utilisateur: string | null,
): boolean {
  const changes = changesOf(database, [id]);
  const touched = new Set(
    changes.filter(({ avant, apres }) => avant === null || apres === null).map(keyOf),
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

/** What is in the way of an act, and the later act that brought it about, where one is known. */
interface Blocker {
  readonly hindrance: Hindrance;
  readonly by?: Pick<LaterAct, 'id' | 'change'> | undefined;
}

/** Who takes an act back, and the act that all of it will be. */
interface Taking {
  readonly utilisateur: string | null;
  readonly newId: number;
  readonly withObstacles: boolean;
}

/**
 * Takes an act back, with what is in its way where that is wanted, and gives the ids of these. Throws
 * `ANNULATION_IMPOSSIBLE`, with all that would have to be taken back with it.
 */
function takeBack(records: Records<Transaction>, act: KeptModification, taking: Taking): number[] {
  const [blocker] = new Attempt(records, taking, false).take(act);
  if (blocker === undefined) return [];
  const { database } = records;
  const { hindrance, by } = blocker;
  const { utilisateur, withObstacles } = taking;
  const undoing = { utilisateur, changes: changesOf(database, [act.id]), by: by?.change };
  const raison = raisonOf(records, undoing, hindrance);
  // Undoings of what came later leave all as it was and are left out; a redoing among them may have written last.
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

/** Runs work in a savepoint, and keeps what it wrote only where its result is as wanted. */
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

/** An attempt to take an act back, and those in its way before it. */
class Attempt {
  readonly #records: Records<Transaction>;
  readonly #taking: Taking;
  readonly #inOrder: boolean;
  readonly #taken: KeptModification[] = [];
  readonly #blocking = new Map<number, KeptModification>();

  constructor(records: Records<Transaction>, taking: Taking, inOrder: boolean) {
    this.#records = records;
    this.#taking = taking;
    this.#inOrder = inOrder;
  }

  /** The acts that went with it. */
  others({ id }: KeptModification): KeptModification[] {
    return this.#taken.filter((each) => each.id !== id);
  }

  /** These, and those that cannot be taken back, the newest first. */
  obstacles(act: KeptModification): KeptModification[] {
    return [...this.others(act), ...this.#blocking.values()].sort((a, b) => b.id - a.id);
  }

  /** Takes an act back, or tells what is in its way and leaves all as it was. */
  take(act: KeptModification): readonly Blocker[] {
    const records = this.#records;
    const { id, proprietaire } = act;
    const later = new LaterActs(records.database, [id], this.#inOrder);
    const blockers = keptIf(
      records.database,
      () => {
        const inverse = new Inverse(records, reversalOf(records, [id], proprietaire));
        const found = inverse.hindrances().flatMap((hindrance) => later.blockersOf(hindrance));
        if (found.length > 0) return found;
        return inverse.run().flatMap((hindrance) => later.blockersOf(hindrance));
      },
      (found) => found.length === 0,
    );
    if (blockers.length > 0) return blockers;
    markAnnulee(records.database, id, this.#taking.newId);
    this.#taken.push(act);
    return [];
  }

  /** Takes an act back with what is in its way. Tells whether it can be. */
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
    // It may have been taken back on the way of another one.
    if (this.#taken.some((each) => each.id === id)) return true;
    const { utilisateur } = this.#taking;
    const act = readKeptModification(this.#records.database, id, utilisateur);
    if (act === undefined) return false;
    // An import goes record by record, on its own screen.
    const isPossible = act.operation !== 'importer' && isOwn(this.#records, act, utilisateur);
    if (isPossible && this.takeWithObstacles(act)) return true;
    this.#blocking.set(id, act);
    return false;
  }
}

/** The later acts by which something is in the way of others. */
class LaterActs {
  readonly #database: Reader;
  readonly #ids: readonly number[];
  readonly #inOrder: boolean;
  #leading: ReturnType<typeof leadingGone> | undefined;

  constructor(database: Reader, ids: readonly number[], inOrder: boolean) {
    this.#database = database;
    this.#ids = ids;
    this.#inOrder = inOrder;
  }

  /** A hindrance with the later act that brought it about; nothing where a later act alone could, and none has. */
  blockersOf(hindrance: Hindrance): Blocker[] {
    const { why, causes, lost } = hindrance;
    if (why === 'kept') {
      this.#leading ??= leadingGone(this.#database, this.#ids);
      const by = causes.map((cause) => this.#leading?.get(keyOf(cause))).find(Boolean);
      return by === undefined ? [] : [{ hindrance, by }];
    }
    const later = causes.flatMap((cause) => actsAfter(this.#database, this.#ids, cause));
    const inForce = later.filter((act) => act.isInForce).sort((a, b) => b.id - a.id);
    if (why === 'named' || why === 'touched') {
      const by = inForce.find(({ undoes }) => undoes.length === 0);
      return by === undefined ? [] : [{ hindrance, by }];
    }
    const leavesAll = ({ undoes }: LaterAct) =>
      undoes.length > 0 && undoes.every((undone) => undone > Math.max(...this.#ids));
    const by = (this.#inOrder ? undefined : inForce.find((act) => !leavesAll(act))) ?? inForce[0];
    // What an import that is undone has left is in nobody's way.
    const isLeft = by === undefined && later.some(({ operation }) => operation === 'importer');
    const canBe = why === 'changed' || why === 'added' || lost?.isLoose === true;
    return isLeft && canBe ? [] : [{ hindrance, by }];
  }
}

/** What has become of the records that an import made and that were still there: they have gone, or stay. */
interface RecordsOutcome {
  readonly taken: readonly Change[];
  readonly kept: readonly Change[];
}

/**
 * Takes the acts of an import back record by record: one that was changed since stays as it is (docs/rules.md § 37).
 *
 * @param newId the act that it will be
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
  const made = new Set(reversal.changes.filter(({ avant }) => avant === null).map(keyOf));
  const isReal = (hindrance: Hindrance): boolean => {
    const { why, causes } = hindrance;
    if (why !== 'kept' && why !== 'named' && why !== 'touched') return true;
    // What stays of the import itself goes on having the name that this gave.
    if (why === 'named' && causes.some((cause) => made.has(keyOf(cause)))) return true;
    return later.blockersOf(hindrance).length > 0;
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
    // What one leads to may go once that one has.
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
  // What only goes breaks no rule, and a savepoint for each of ten thousand records takes its time.
  if (reversal.changes.every(({ avant }) => avant === null)) return inverse.write().length === 0;
  return keptIf(
    records.database,
    () => [...inverse.write(), ...inverse.breaches()].length === 0,
    Boolean,
  );
}

/** The changes by record: with one that was made goes what was made for it. The last made come first, words last. */
function recordsOf(records: Records, changes: readonly Change[]): Change[][] {
  const made = new Set(changes.filter(({ avant }) => avant === null).map(keyOf));
  const units = Map.groupBy(changes, (change) => {
    const { table, avant, apres } = change;
    if (records.isRecord(table)) return keyOf(change);
    const record = records.database.capture
      .linksOf(table)
      .filter(
        ({ column, target }) =>
          column !== records.rulesOf(table).order?.parent && !records.isWord(target),
      )
      .map(({ column, target }) => `${target} ${String((apres ?? avant)?.[column])}`)
      .find((key) => made.has(key));
    return record ?? keyOf(change);
  });
  const latest = (unit: readonly Change[]) =>
    Math.max(...unit.map(({ table, seq }) => (records.isWord(table) ? 0 : seq)));
  return [...units.values()].sort((a, b) => latest(b) - latest(a));
}
