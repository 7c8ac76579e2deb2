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

// An obstacle prevents undoing a change (`inverse.ts`). Its causes are changes of rows, usually by
// a later modification (`later-modifications.ts`), which has to be undone first: these are returned
// as `obstacles`, and can be undone together.

interface Caller {
  readonly utilisateur: string | null;
  readonly locale: Locale;
}

/**
 * Undoes a modification by a new one, which can be undone itself. Throws `INTROUVABLE` for another person's, an
 * unknown or a purged one, `ANNULATION_IMPOSSIBLE` for obstacles or another person's data, and `IDENTITE_INCONNUE`
 * for personal data and an unknown caller (docs/rules.md § 38).
 *
 * @param withObstacles whether to undo the obstacles as well
 * @param retried the `retry` value of the last attempt, whose write was rolled back
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
  // The restored rows may follow an earlier version's rules.
  database.noteRules(null);
  // An undo without changes has the readers of the undone modification.
  const own = changes.length === 0 ? { proprietaire: undone.proprietaire } : {};
  const saved = saveModification(records, open, {
    operation: 'annulerModification',
    ...own,
    annuleId: undone.id,
    avec,
    // A message for everyone discloses nothing of one person's data.
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
 * Whether a person may undo a modification: personal rows only by their owner. Rows cascaded with a shared record do
 * not count, nor their replacements for the same person, such as the status of a merged record (docs/rules.md § 38).
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
    // Both owners are checked: a personal row that was shared has none afterwards.
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
 * Returns the ids of the obstacles that were undone, or `'retry'` if the write has to be rolled back with new
 * findings. Throws `ANNULATION_IMPOSSIBLE` with all obstacles.
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
  // The first attempt skips later undoings of later modifications, which together change nothing; but
  // a redo among them may have written last.
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
 * Findings from attempts that were rolled back: large modifications are written without a savepoint, and the undo
 * restarts at an obstacle. The next attempt takes the same steps and skips the failed ones.
 */
class Findings {
  /** The obstacles of a modification, by attempt and step. */
  readonly obstacles = new Map<string, readonly ModificationObstacle[]>();
  /** The attempts that cannot succeed, with their obstacles. */
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

/** More changed rows are written without a savepoint, which would take ten times as long. */
const MAX_IN_SAVEPOINT = 100;

interface AttemptRules {
  /** Whether the latest write is undone first, even an undo without effect. */
  readonly inOrder: boolean;
  /** Distinguishes the attempts of one undo. */
  readonly name: string;
}

type UndoEnd = 'undone' | 'impossible' | 'retry';

/** One attempt to undo a modification, with its obstacles or without; `undo` makes several. */
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

  /** The obstacles, and modifications that cannot be undone, newest first. */
  inTheWay(modification: StoredModification): StoredModification[] {
    return [...this.others(modification), ...this.#impossible.values()].sort((a, b) => b.id - a.id);
  }

  /** Undoes a modification, or returns its obstacles and changes nothing; `'retry'` if that requires a rollback. */
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

  /** The obstacles met by writing the rows; nothing is written then. */
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
   * Undoes a modification after its obstacles, if possible.
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
    // The undone modification may have been an obstacle of another.
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

/** The remaining records of an import: deleted, or kept. */
interface RecordsOutcome {
  readonly undone: readonly Change[];
  readonly kept: readonly Change[];
}

/**
 * Undoes the modifications of an import record by record; records changed since stay (docs/rules.md § 37).
 *
 * @param newId the id of this modification
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
    // Remaining records of the import may use the name that the import gave.
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
  // A lookup row that was only created is archived with the last row that references it.
  const changes = scope.changes.filter(
    (change) => isChanged(change) || !records.isLookupTable(change.table),
  );
  let left = removeUntouched(records, recordsOf(records, changes), isKept);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    // Removing one record may free another that it referenced: repeat until nothing changes.
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
  // Deletions break no rule, and a savepoint for each of ten thousand records is slow.
  if (scope.changes.every(({ avant }) => avant === null)) return inverse.write().length === 0;
  return savepointIf(
    records.database,
    () => [...inverse.write(), ...inverse.ruleViolations()].length === 0,
    Boolean,
  );
}

/** The changes by record, each with the rows created for it: the last record comes first, lookup rows last. */
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
