import { m } from '#messages';
import { refusedSentence, resumeOf } from '#shared/history';
import type { Modification } from '#shared/modifications';
import type { Locale } from '#shared/locale';
import { found, Refusal } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import { answer, type Outcome, type Retry } from '#server/plumbing/writes/operations';
import { ordresOf } from '#server/plumbing/writes/orders';
import {
  changedColumns,
  changesOf,
  isChanged,
  keysThere,
  rowKeyOf,
  ownerOf,
  type Change,
} from '#server/plumbing/writes/traces';
import {
  saveModification,
  markAnnulee,
  readStoredModification,
  readListedModification,
  publishAnnulees,
  captureChangeset,
  type StoredModification,
} from './changesets.ts';
import { Inverse, type Obstacle, type UndoScope } from './inverse.ts';
import {
  ModificationsByRow,
  LaterModifications,
  type ModificationObstacle,
} from './later-modifications.ts';
import { removeUntouched, type RecordChanges } from './untouched.ts';
import { Reasons, undoMessage } from './sentences.ts';

// An obstacle keeps a change from being undone (`inverse.ts`); its causes are the changes of rows that may have led to
// it, and mostly a later act made one of these (`later-modifications.ts`). That act has to be undone first: a person is told such
// acts as `obstacles`, and may have them undone, too.

interface Caller {
  readonly utilisateur: string | null;
  readonly locale: Locale;
}

/**
 * Undoes a whole act, by an act that can be undone itself. Throws `INTROUVABLE` for another person's act, an
 * unknown one and one no longer kept, `ANNULATION_IMPOSSIBLE` where something later is in its way or it wrote what is
 * another person's, and `IDENTITE_INCONNUE` where it wrote what is some person's and the caller is unknown
 * (docs/rules.md § 38).
 *
 * @param withObstacles whether the acts in the way are undone, too
 * @param retried what the last try returned as `retry`, after which the write was rolled back
 */
export function annuler(
  records: Records<Transaction>,
  id: number,
  { utilisateur, locale }: Caller,
  { withObstacles, retried }: { readonly withObstacles: boolean; readonly retried: unknown },
): Outcome<Modification> | Retry {
  const { database } = records;
  const known = retried instanceof Findings ? retried : new Findings();
  const undone = found(readStoredModification(database, id, utilisateur));
  if (undone.importationId !== null) throw impossible(m.reason_import_ailleurs());
  if (undone.annuleeParId !== null) throw impossible(m.reason_deja_annulee());
  if (!isOwn(records, undone, utilisateur)) {
    if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
    throw impossible(m.reason_seule_personne());
  }
  const open = captureChangeset(
    records,
    (newId) => undo(records, undone, { utilisateur, locale, newId, withObstacles, known }),
    true,
  );
  const { changes, result: avec } = open;
  if (avec === 'retry') return { retry: known };
  // The rows may come back as an earlier version wrote them.
  database.noteRules(null);
  // An undoing that changed nothing is read by those who read the act.
  const own = changes.length === 0 ? { proprietaire: undone.proprietaire } : {};
  const saved = saveModification(records, open, {
    operation: 'annulerModification',
    ...own,
    annuleId: undone.id,
    avec,
    // A sentence for everyone tells nothing of one person's act.
    message: (proprietaire) =>
      undoMessage(undone, avec.length, { isOwner: proprietaire === undone.proprietaire }),
    utilisateur: undone.utilisateur === null ? null : utilisateur,
  });
  publishAnnulees(database, open.id);
  records.followUndoings();
  return answer(found(readListedModification(database, open.id, locale)), { saved });
}

const impossible = (
  raison: string,
  rest: {
    readonly acte?: string;
    readonly obstacles?: readonly { id: number; resume: string }[];
  } = {},
): Refusal<'ANNULATION_IMPOSSIBLE'> => {
  const { acte, obstacles = [] } = rest;
  return new Refusal('ANNULATION_IMPOSSIBLE', {
    raison,
    ...(acte !== undefined && { acte }),
    obstacles: [...obstacles],
  });
};

const scopeOf = (records: Records, ids: readonly number[], proprietaire: string): UndoScope => ({
  changes: changesOf(records.database, ids, {
    isLookupTable: (table) => records.isLookupTable(table),
  }),
  ordres: ordresOf(records.database, ids),
  dormant: changesOf(records.database, ids, { which: "nom = 'Dormant'" }),
  proprietaire,
  isOfImport: false,
});

/**
 * Whether a person may undo an act: one that wrote what is some person's is that person's to undo. What went
 * or came along with a shared record does not count, nor what took its place for the same person, as the status of a
 * record that is kept for another one (docs/rules.md § 38).
 */
function isOwn(records: Records, { id }: StoredModification, utilisateur: string | null): boolean {
  const { database } = records;
  const changes = changesOf(database, [id]);
  const touched = new Set(
    changes.filter(({ avant, apres }) => avant === null || apres === null).map(rowKeyOf),
  );
  const linksOf = (table: string) => {
    const [column, target] = records.rulesOf(table).of ?? [];
    const links = database.capture.foreignKeysOf(table);
    return column === undefined || target === undefined ? links : [...links, { column, target }];
  };
  const isAlong = ({ table, avant, apres }: Change) =>
    linksOf(table)
      .filter(({ column, target }) =>
        [avant, apres].some((image) => touched.has(`${target} ${String(image?.[column])}`)),
      )
      .some(
        ({ column }) =>
          avant === null ||
          apres === null ||
          changedColumns(avant, apres).every((name) => name === column),
      );
  const keyOf = ({ table, avant, apres }: Change) => `${table} ${ownerOf(apres ?? avant)}`;
  const along = new Set(changes.filter(isAlong).map(keyOf));
  return changes.every((change) => {
    // One that was given to the house was its giver's.
    const owners = [ownerOf(change.avant), ownerOf(change.apres)];
    const isTheirs = owners.every((owner) => owner === '' || owner === utilisateur);
    return isTheirs || !isChanged(change) || along.has(keyOf(change));
  });
}

interface UndoRequest extends Caller {
  readonly newId: number;
  readonly withObstacles: boolean;
  readonly known: Findings;
}

/**
 * Returns the ids of the acts in the way that it undid, or `'retry'` once more is known and the write has to be rolled
 * back. Throws `ANNULATION_IMPOSSIBLE` with all that are in the way.
 */
function undo(
  records: Records<Transaction>,
  modification: StoredModification,
  request: UndoRequest,
): number[] | 'retry' {
  const { database } = records;
  const { known } = request;
  const alone = new Attempt(records, request, { inOrder: false, name: 'alone' });
  const inItsWay = alone.undo(modification);
  if (inItsWay === 'retry') return inItsWay;
  const [first] = inItsWay;
  if (first === undefined) return [];
  const { obstacle, by } = first;
  const { utilisateur, locale, withObstacles } = request;
  const acte = refusedSentence(modification.operation, locale);
  const summariesOf = (modifications: readonly StoredModification[]) =>
    modifications.map(({ id, message }) => ({ id, resume: resumeOf(message, locale) }));
  const undoing = { utilisateur, changes: changesOf(database, [modification.id]), by: by?.change };
  const raison = new Reasons(records, undoing).of(obstacle);
  // Later undoings that undid what came after the act leave all as it was, so the first attempt passes them over;
  // but a redoing among them may have written last.
  for (const [name, inOrder] of [
    ['passing over', false],
    ['in order', true],
  ] as const) {
    if (known.failed.has(name)) continue;
    const attempt = new Attempt(records, request, { inOrder, name });
    const end = attempt.undoWithObstacles(modification, inOrder ? undefined : inItsWay);
    if (end === 'retry') return end;
    const obstacles = attempt.inTheWay(modification);
    if (end === 'impossible') {
      known.failed.set(name, obstacles);
      return 'retry';
    }
    if (withObstacles) return attempt.others(modification).map(({ id }) => id);
    throw impossible(raison, { acte, obstacles: summariesOf(obstacles) });
  }
  const [obstacles = []] = known.failed.values();
  throw impossible(raison, { acte, obstacles: summariesOf(obstacles) });
}

/**
 * What an undoing knows from tries that were rolled back: it writes large acts without a savepoint, and begins again once
 * an act met an obstacle. With these it comes to the same places, and passes by what it had tried in vain.
 */
class Findings {
  /** The obstacles that an act met, by the attempt and its step. */
  readonly obstacles = new Map<string, readonly ModificationObstacle[]>();
  /** The attempts that cannot succeed, with what is in the way. */
  readonly failed = new Map<string, readonly StoredModification[]>();
}

function savepointIf<T>(database: Transaction, work: () => T, isWanted: (result: T) => boolean): T {
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

/** More changed rows than these are tried without a savepoint, around which they take ten times as long. */
const MAX_IN_SAVEPOINT = 100;

interface AttemptRules {
  /** Whether what wrote last is undone first, even an undoing that left all as it was. */
  readonly inOrder: boolean;
  /** Tells it from others of the same undoing. */
  readonly name: string;
}

type UndoEnd = 'undone' | 'impossible' | 'retry';

/** One try to undo an act, with what is in its way or without; `undo` makes several. */
class Attempt {
  readonly #records: Records<Transaction>;
  readonly #request: UndoRequest;
  readonly #rules: AttemptRules;
  readonly #modifications: ModificationsByRow;
  readonly #undone = new Map<number, StoredModification>();
  readonly #impossible = new Map<number, StoredModification>();
  #steps = 0;

  constructor(records: Records<Transaction>, request: UndoRequest, rules: AttemptRules) {
    this.#records = records;
    this.#request = request;
    this.#rules = rules;
    this.#modifications = new ModificationsByRow(records.database);
  }

  others({ id }: StoredModification): StoredModification[] {
    return [...this.#undone.values()].filter((each) => each.id !== id);
  }

  /** These and the acts that cannot be undone, newest first. */
  inTheWay(modification: StoredModification): StoredModification[] {
    return [...this.others(modification), ...this.#impossible.values()].sort((a, b) => b.id - a.id);
  }

  /** Undoes an act, or returns its obstacles and leaves all as it was; `'retry'` if all has to be rolled back for that. */
  undo(modification: StoredModification): readonly ModificationObstacle[] | 'retry' {
    const { database } = this.#records;
    const { id, proprietaire } = modification;
    const later = new LaterModifications(this.#modifications, [id], this.#rules.inOrder);
    const byModifications = (obstacles: readonly Obstacle[]) =>
      obstacles.flatMap((each) => later.obstacleByModification(each) ?? []);
    const scope = scopeOf(this.#records, [id], proprietaire);
    const inverse = new Inverse(this.#records, scope);
    const seen = byModifications(inverse.obstacles());
    if (seen.length > 0) return seen;
    const met = this.#met(scope, () => byModifications(inverse.run()));
    if (met === 'retry' || met.length > 0) return met;
    const { newId } = this.#request;
    this.#modifications.noteAnnulees(markAnnulee(database, id, newId));
    this.#undone.set(id, modification);
    return [];
  }

  /** What the writing of an act's rows meets; nothing is written then. */
  #met(
    { changes }: UndoScope,
    write: () => readonly ModificationObstacle[],
  ): readonly ModificationObstacle[] | 'retry' {
    if (changes.length <= MAX_IN_SAVEPOINT)
      return savepointIf(this.#records.database, write, (met) => met.length === 0);
    const { obstacles } = this.#request.known;
    const place = `${this.#rules.name} ${String(this.#steps++)}`;
    const known = obstacles.get(place);
    if (known !== undefined) return known;
    const met = write();
    if (met.length === 0) return met;
    obstacles.set(place, met);
    return 'retry';
  }

  /**
   * Undoes an act after those in its way, if that is possible.
   *
   * @param known its obstacles if they have been found already
   */
  undoWithObstacles(
    modification: StoredModification,
    known?: readonly ModificationObstacle[],
  ): UndoEnd {
    for (
      let found = known ?? this.undo(modification);
      found !== 'retry';
      found = this.undo(modification)
    ) {
      if (found.length === 0) return 'undone';
      const ids = new Set(found.flatMap(({ by }) => by?.id ?? []));
      if (ids.size === 0) return 'impossible';
      for (const id of [...ids].sort((a, b) => b - a)) {
        const end = this.#undoObstacle(id);
        if (end !== 'undone') return end;
      }
    }
    return 'retry';
  }

  #undoObstacle(id: number): UndoEnd {
    // It may have been in the way of another one, too.
    if (this.#undone.has(id)) return 'undone';
    const { utilisateur } = this.#request;
    const modification = readStoredModification(this.#records.database, id, utilisateur);
    if (modification === undefined) return 'impossible';
    // An import is undone record by record, on its own screen.
    const isPossible =
      modification.operation !== 'importer' && isOwn(this.#records, modification, utilisateur);
    const end = isPossible ? this.undoWithObstacles(modification) : 'impossible';
    if (end === 'impossible') this.#impossible.set(id, modification);
    return end;
  }
}

/** The records of an import that were still there: deleted, or kept. */
interface RecordsOutcome {
  readonly undone: readonly Change[];
  readonly kept: readonly Change[];
}

/**
 * Undoes the acts of an import record by record; a record that was changed since stays (docs/rules.md § 37).
 *
 * @param newId the act that this will be
 */
export function undoRecords(
  records: Records<Transaction>,
  ids: readonly number[],
  proprietaire: string,
  newId: number,
): RecordsOutcome {
  const { database } = records;
  const scope = scopeOf(records, ids, proprietaire);
  const inverse = new Inverse(records, scope);
  const later = new LaterModifications(new ModificationsByRow(database), ids, false);
  const made = new Set(scope.changes.filter(({ avant }) => avant === null).map(rowKeyOf));
  const isReal = (obstacle: Obstacle): boolean => {
    const { why, causes } = obstacle;
    if (why !== 'kept' && why !== 'named' && why !== 'touched') return true;
    // What stays of the import goes on using the name that the import gave.
    if (why === 'named' && causes.some((cause) => made.has(rowKeyOf(cause)))) return true;
    return later.obstacleByModification(obstacle) !== undefined;
  };
  const recordsMade = scope.changes.filter(
    ({ table, avant, apres }) => avant === null && apres !== null && records.isRecord(table),
  );
  const keys = keysThere(
    database,
    recordsMade.map(({ table, apres }) => ({ table, id: apres?.['id'] })),
  );
  const there = recordsMade.filter((change) => keys.has(rowKeyOf(change)));
  const isKept = (change: Change) =>
    later.obstacleByModification({ why: 'kept', ...change, image: {}, causes: [change] }) !==
    undefined;
  // A word that was only made goes with what names it.
  const changes = scope.changes.filter(
    (change) => isChanged(change) || !records.isLookupTable(change.table),
  );
  let left = removeUntouched(records, recordsOf(records, changes), isKept);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    // A row that another one led to may go once that one has gone.
    left = left.filter(
      (some) => !undoRecord(records, { ...scope, changes: some, isOfImport: true }, isReal),
    );
  }
  inverse.finish();
  for (const id of ids) markAnnulee(database, id, newId);
  const stays = new Set(left.flat());
  return {
    undone: there.filter((change) => !stays.has(change)),
    kept: there.filter((change) => stays.has(change)),
  };
}

function undoRecord(
  records: Records<Transaction>,
  scope: UndoScope,
  isReal: (obstacle: Obstacle) => boolean,
): boolean {
  const inverse = new Inverse(records, { ...scope, ordres: [], dormant: [] });
  if (inverse.obstacles().some(isReal)) return false;
  // Deletions break no rule, and a savepoint for each of ten thousand records takes its time.
  if (scope.changes.every(({ avant }) => avant === null)) return inverse.write().length === 0;
  return savepointIf(
    records.database,
    () => [...inverse.write(), ...inverse.ruleViolations()].length === 0,
    Boolean,
  );
}

/** The changes by record, each with the rows made for it: the record made last comes first, words come last. */
function recordsOf(records: Records, changes: readonly Change[]): RecordChanges[] {
  const made = new Set(changes.filter(({ avant }) => avant === null).map(rowKeyOf));
  const units = Map.groupBy(changes, (change) => {
    const { table, avant, apres } = change;
    if (records.isRecord(table)) return rowKeyOf(change);
    const record = records.database.capture
      .foreignKeysOf(table)
      .filter(
        ({ column, target }) =>
          column !== records.rulesOf(table).order?.parent && !records.isLookupTable(target),
      )
      .map(({ column, target }) => `${target} ${String((apres ?? avant)?.[column])}`)
      .find((key) => made.has(key));
    return record ?? rowKeyOf(change);
  });
  const latest = (unit: readonly Change[]) =>
    Math.max(...unit.map(({ table, seq }) => (records.isLookupTable(table) ? 0 : seq)));
  return [...units.values()].sort((a, b) => latest(b) - latest(a));
}
