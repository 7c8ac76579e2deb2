import type { Row, RowChange } from '#shared/change-reader';
import type { Reader } from '#server/plumbing/database/reader';
import { ownerOf, rowKey } from '#server/plumbing/writes/change-set';
import {
  actsAfter,
  undoingsAfter,
  type LaterAct,
} from '#server/plumbing/writes/store/modifications';

/** A change of one row since: of any kind, or one that made it, deleted it or wrote one of some columns. */
export interface Cause {
  readonly table: string;
  /** The columns of its key. */
  readonly key: Row;
  readonly columns?: readonly string[];
  /** The deletion of a row that led to it, and nothing else. */
  readonly isLedTo?: true;
}

/** What keeps a step from being taken back. */
export interface Hindrance {
  /**
   * `changed`: the row is not as the act left it; `violated`: a constraint does not allow it; `added`: another row
   * leads to it since; `gone`: what it leads to is not there; `breach`: a rule forbids it. Only where a later act is
   * the cause: `kept`: what it deleted leads to the row; `named`: it named something by a name that is to go.
   */
  readonly why: 'changed' | 'violated' | 'added' | 'gone' | 'breach' | 'kept' | 'named';
  readonly table: string;
  readonly image: Row;
  /** What a rule says of it. */
  readonly raison?: string;
  /** The table and id of what is not there. */
  readonly lost?: Pick<Cause, 'table' | 'key'>;
  readonly causes: readonly Cause[];
}

interface Found {
  readonly hindrance: Hindrance;
  readonly change: RowChange;
}

/** What an act brought about, and by which change each of it. */
interface Obstacle extends Pick<LaterAct, 'id'> {
  readonly found: readonly Found[];
}

/** More texts are not looked for one by one: all later acts are read. */
const MAX_TEXTS = 40;

/** Whether nothing is in the way unless a later act is found to be its cause. */
export const needsCause = ({ why }: Hindrance): boolean => why === 'kept' || why === 'named';

/**
 * The last act since another one that brought about each hindrance, the newest first.
 *
 * @param inOrder undoings of what came later are asked in their turn, and not only where no other act is why
 */
export function findObstacles(
  database: Reader,
  after: number,
  hindrances: readonly Hindrance[],
  inOrder = false,
): Obstacle[] {
  if (hindrances.length === 0) return [];
  const texts = [...new Set(hindrances.flatMap(({ causes }) => causes.flatMap(textsOf)))];
  const sought = texts.length > MAX_TEXTS ? [''] : texts;
  const obstacles = new Map<number, readonly Found[]>();
  const left = new Set(hindrances);
  const explainBy = (acts: Iterable<LaterAct>): void => {
    for (const { id, annuleId, steps } of acts) {
      const changes = new Changes(database, steps);
      const found = [...left].flatMap((hindrance) => {
        // What an undoing wrote last is as it was before.
        if (annuleId !== null && needsCause(hindrance)) return [];
        const change = changes.firstBy(hindrance.causes);
        return change === undefined ? [] : [{ hindrance, change }];
      });
      if (found.length > 0) obstacles.set(id, [...(obstacles.get(id) ?? []), ...found]);
      for (const { hindrance } of found) left.delete(hindrance);
      if (left.size === 0) break;
    }
  };
  const acts = actsAfter(database, after, sought);
  explainBy(inOrder ? newestFirst(acts, undoingsAfter(database, after)) : acts);
  // An undoing that leaves a row as it was before has no step of it, or undoes what came later: it may be why nevertheless.
  if (left.size > 0) explainBy(undoingsAfter(database, after));
  return [...obstacles].map(([id, found]) => ({ id, found })).sort((a, b) => b.id - a.id);
}

/** Two lists of acts, each with the newest first, as one. */
function* newestFirst(some: Generator<LaterAct>, others: Generator<LaterAct>): Generator<LaterAct> {
  try {
    let [one, other] = [some.next(), others.next()];
    while (one.done !== true || other.done !== true)
      if (one.done !== true && (other.done === true || one.value.id >= other.value.id)) {
        yield one.value;
        one = some.next();
      } else if (other.done !== true) {
        yield other.value;
        other = others.next();
      }
  } finally {
    // A query that is not read to its end keeps the connection busy.
    some.return(undefined);
    others.return(undefined);
  }
}

/** What an act did to each row in all. */
class Changes {
  readonly #database: Reader;
  /** By the keys that the row had. */
  readonly #byRow = new Map<string, RowChange>();
  /** The deleted rows that led to a record, by that. */
  readonly #leading = new Map<string, RowChange>();

  constructor(database: Reader, steps: readonly RowChange[]) {
    this.#database = database;
    for (const step of steps) this.#add(step);
    for (const change of this.#byRow.values()) this.#addLinks(change);
  }

  firstBy(causes: readonly Cause[]): RowChange | undefined {
    for (const cause of causes) {
      const change = this.#by(cause);
      if (change !== undefined) return change;
    }
    return undefined;
  }

  #by({ table, key, columns, isLedTo }: Cause): RowChange | undefined {
    if (isLedTo === true) return this.#leading.get(`${table} ${String(key['id'])}`);
    const known = rowKey(this.#database, table, key);
    const own = this.#byRow.get(known);
    // One that got another key has gone from this one, or has come to it.
    const isElsewhere = (image: Row | null) =>
      image !== null && rowKey(this.#database, table, image) !== known;
    const isMoved = own !== undefined && (isElsewhere(own.avant) || isElsewhere(own.apres));
    return own !== undefined && (isMoved || isWritten(own, columns)) ? own : undefined;
  }

  #add({ table, avant, apres }: RowChange): void {
    const images = [avant, apres].filter((image) => image !== null);
    for (const key of new Set(images.map((image) => rowKey(this.#database, table, image)))) {
      const known = this.#byRow.get(key);
      this.#byRow.set(key, {
        table,
        avant: known === undefined ? avant : known.avant && { ...avant, ...known.avant },
        apres: apres && { ...known?.apres, ...apres },
      });
    }
  }

  #addLinks(change: RowChange): void {
    const { table, avant, apres } = change;
    // What is one person's is in nobody's way.
    if (avant === null || apres !== null || ownerOf(avant) !== '') return;
    for (const { column, target } of this.#database.capture.linksOf(table))
      if (typeof avant[column] === 'number')
        this.#leading.set(`${target} ${avant[column]}`, change);
  }
}

const isWritten = ({ avant, apres }: RowChange, columns?: readonly string[]): boolean =>
  avant === null ||
  apres === null ||
  columns === undefined ||
  columns.some((name) => avant[name] !== apres[name]);

/** The number of a row as it may stand in the steps of an act. */
function textsOf({ key }: Cause): string[] {
  const id = Object.values(key).find((value) => typeof value === 'number');
  return id === undefined ? [''] : [`":${String(id)},`, `":${String(id)}}`];
}
