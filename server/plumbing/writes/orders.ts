import type { Row, RowChange } from '#shared/change-reader';
import { parseStored } from '#server/plumbing/common/stored-json';
import { updateRows } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';

/** How many rows with only a new position cost about as much to write as one record. */
export const PLACES_A_RECORD = 10;

/** The number of bytes in a record that is about as much work as one more record. */
export const BYTES_A_RECORD = 10_000;

interface List {
  readonly list: string;
  readonly of: string | number | null;
}

/** The order of a list before and after a changeset; an element is « Place 3 ». */
export interface Ordre extends List {
  readonly avant: readonly string[];
  readonly apres: readonly string[];
  /** The entry's position in `Trace`. */
  readonly seq: number;
}

export function keepOrdres(
  records: Records<Transaction>,
  modificationId: number,
  changes: Iterable<RowChange>,
): void {
  for (const [list, { avant, apres }] of ordersOf(records, changes)) {
    const stayed = new Set(avant);
    // New elements have no former position.
    if (avant.join() === apres.filter((key) => stayed.has(key)).join()) continue;
    records.database.run(
      "INSERT INTO Trace (acte, nom, cle, avant, apres) VALUES (?, 'Ordre', ?, ?, ?)",
      modificationId,
      list,
      JSON.stringify(avant),
      JSON.stringify(apres),
    );
  }
}

export const ordresOf = (database: Reader, acts: readonly number[]): Ordre[] =>
  database
    .all<{ seq: number; cle: string; avant: string; apres: string }>(
      `SELECT seq, cle, avant, apres FROM Trace
       WHERE acte IN (SELECT value FROM json_each(?)) AND nom = 'Ordre' ORDER BY seq DESC`,
      JSON.stringify(acts),
    )
    .map(({ seq, cle, ...orders }) => {
      const avant = parseStored<string[]>(orders.avant);
      return { seq, ...parseList(cle), avant, apres: parseStored<string[]>(orders.apres) };
    });

/**
 * Restores the former order of a list: exactly, if the list is as the modification left it; else each element that it
 * moved or removed returns beside a former neighbour, or to the end.
 *
 * @param was the order when the undo began
 */
export function restoreOrder(
  records: Records<Transaction>,
  ordre: Ordre,
  was: readonly string[],
): void {
  const present = orderOf(records, ordre);
  const presentKeys = new Set(present);
  const wanted =
    was.join() === ordre.apres.join()
      ? ordre.avant.filter((key) => presentKeys.has(key))
      : returned(ordre, present, earlierOrders(records.database, ordre));
  if (wanted.join() === present.join()) return;
  const places = wanted.map((key, index) => ({ ...rowOf(key), index }));
  for (const [table, { element, parent, columns }] of tablesOf(records, ordre))
    updateRows(
      records.database,
      table,
      columns,
      places
        .filter((place) => place.table === table)
        // Ranks begin at 1, positions at 0.
        .map(({ id, index }) => [
          id,
          ...columns.map(() => (columns.length > 1 ? index + 1 : index)),
        ]),
      element === undefined ? undefined : { element, parent, of: ordre.of },
    );
}

/** Renumbers the ranked lists of the changed rows: from 1, without gaps. */
export function renumber(records: Records<Transaction>, changes: readonly RowChange[]): void {
  const lists = new Set(
    changes.flatMap(({ table, avant, apres }) => {
      const list = listOf(records, table, apres ?? avant);
      return list !== null && (records.rulesOf(table).order?.columns.length ?? 0) > 1 ? [list] : [];
    }),
  );
  for (const { list, of } of [...lists].map(parseList))
    for (const [table, { parent, columns }] of tablesOf(records, { list })) {
      const [at = '', rank = ''] = columns;
      // A row deleted before orders were recorded comes before the row with its rank.
      const key = `coalesce("${at}", "${rank}" - 0.5)`;
      records.database.run(
        `UPDATE "${table}" SET "${rank}" = next, "${at}" = key
         FROM (SELECT id AS rowId, ${key} AS key, row_number() OVER (ORDER BY ${key}, id) AS next
               FROM "${table}" WHERE "${parent}" = ?)
         WHERE id = rowId AND ("${rank}" <> next OR "${at}" IS NULL)`,
        of,
      );
    }
}

export const orderOf = (records: Records, list: List): string[] =>
  sorted(elementsOf(records, list));

/** The elements of a list by key: position, and the tie-breakers. */
type Elements = Map<string, readonly [at: number, table: number, id: number]>;

const sorted = (elements: Elements): string[] =>
  [...elements]
    .sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(([key]) => key);

const tablesOf = (records: Records, { list }: Pick<List, 'list'>) =>
  records.orders.filter(([, order]) => order.list === list);

function listOf(records: Records, table: string, row: Row | null): string | null {
  const { order } = records.rulesOf(table);
  const of = order && row?.[order.parent];
  if (order === undefined || of === undefined || (of === null && order.hasTop !== true))
    return null;
  return JSON.stringify([order.list, of]);
}

function parseList(text: string): List {
  const [list, of] = parseStored<[string, List['of']]>(text);
  return { list, of };
}

function elementsOf(records: Records, list: List): Elements {
  const elements: Elements = new Map();
  // SQLite uses an index of non-NULL values for `=` only: an import queries the books of each new
  // location.
  const is = list.of === null ? 'IS' : '=';
  for (const [table, order] of tablesOf(records, list))
    for (const row of records.database.all<Row>(
      `SELECT ${order.element ?? 'id'}, ${order.columns.join(', ')} FROM "${table}" WHERE "${order.parent}" ${is} ?`,
      list.of,
    ))
      place(records, elements, table, row);
  return elements;
}

function place(records: Records, elements: Elements, table: string, row: Row): void {
  const { order } = records.rulesOf(table);
  const at = order?.columns.map((name) => row[name]).find((value) => typeof value === 'number');
  if (order === undefined || at === undefined) return;
  const nth = tablesOf(records, order).findIndex(([name]) => name === table);
  elements.set(elementKeyOf(records, table, row), [at, nth, elementOf(records, table, row)]);
}

const elementOf = (records: Records, table: string, row: Row): number =>
  Number(row[records.rulesOf(table).order?.element ?? 'id']);

const elementKeyOf = (records: Records, table: string, row: Row): string =>
  `${table} ${String(elementOf(records, table, row))}`;

function rowOf(key: string) {
  const [table = '', id] = key.split(' ');
  return { table, id: Number(id) };
}

/** The lists of changed rows, before and after. */
function ordersOf(records: Records, changes: Iterable<RowChange>) {
  const lists = new Map<string, { readonly apres: string[]; readonly before: Elements }>();
  const touched = (table: string, row: Row | null): Elements | undefined => {
    const list = listOf(records, table, row);
    if (list === null) return undefined;
    const before = lists.get(list)?.before ?? elementsOf(records, parseList(list));
    if (!lists.has(list)) lists.set(list, { apres: sorted(before), before });
    return before;
  };
  for (const { table, avant, apres } of changes) {
    if (apres !== null) touched(table, apres)?.delete(elementKeyOf(records, table, apres));
    const before = touched(table, avant);
    if (avant !== null && before !== undefined) place(records, before, table, avant);
  }
  return [...lists].map(
    ([list, { apres, before }]) => [list, { avant: sorted(before), apres }] as const,
  );
}

/** Yields the orders in which earlier modifications found a list, latest first: these include rows deleted since. */
function* earlierOrders(database: Reader, { list, of, seq }: Ordre): Generator<string[]> {
  const lines = database
    .prepare<[string, number], { avant: string }>(
      "SELECT avant FROM Trace WHERE nom = 'Ordre' AND cle = ? AND seq < ? ORDER BY seq DESC",
    )
    .iterate(JSON.stringify([list, of]), seq);
  for (const { avant } of lines) yield parseStored<string[]>(avant);
}

/** The present order, with moved and removed elements at their former positions. */
export function returned(
  { avant, apres }: Pick<Ordre, 'avant' | 'apres'>,
  present: readonly string[],
  earlier: Iterable<readonly string[]>,
): readonly string[] {
  const now = new Set(present);
  const stayed = longestKept(avant, apres);
  const returning = new Set(avant.filter((key) => !stayed.has(key) && now.has(key)));
  if (returning.size === 0) return present;
  const order = new Sequence(present.filter((key) => !returning.has(key)));
  // Elements that were removed earlier and are back count as neighbours.
  const all = new Sequence(avant);
  const unplaced = new Set(present.filter((key) => !all.has(key)));
  if (unplaced.size > 0)
    for (const keys of earlier) {
      all.insertBeside(keys, (key) => !all.has(key));
      for (const key of keys) unplaced.delete(key);
      if (unplaced.size === 0) break;
    }
  order.insertBeside([...all], (key) => returning.has(key));
  return [...order];
}

/** A linked list without duplicates: inserting moves no other element. */
class Sequence {
  /** The successor of each element; `null` stands before the first and after the last. */
  readonly #next = new Map<string | null, string | null>([[null, null]]);
  #last: string | null = null;

  constructor(keys: readonly string[]) {
    for (const key of keys) this.#insert(key, this.#last);
  }

  has(key: string): boolean {
    return this.#next.has(key);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let key = this.#next.get(null); typeof key === 'string'; key = this.#next.get(key))
      yield key;
  }

  /**
   * Inserts the missing keys of `other`, in its order: each after its nearest predecessor that is here, else before
   * its nearest successor, else last.
   */
  insertBeside(other: readonly string[], isMissing: (key: string) => boolean): void {
    let previous: string | null = null;
    for (const [index, key] of other.entries()) {
      if (!this.has(key) && isMissing(key))
        this.#insert(key, previous ?? this.#before(other.slice(index + 1)));
      if (this.has(key)) previous = key;
    }
  }

  /** The predecessor of the first key that is here; the last element if none is. */
  #before(keys: readonly string[]): string | null {
    const next = keys.find((key) => this.has(key));
    if (next === undefined) return this.#last;
    for (const [key, following] of this.#next) if (following === next) return key;
    return null;
  }

  #insert(key: string, behind: string | null): void {
    const following = this.#next.get(behind) ?? null;
    this.#next.set(behind, key).set(key, following);
    if (following === null) this.#last = key;
  }
}

/** A run of elements in unchanged order, by its last element. */
interface Chain {
  readonly key: string;
  readonly at: number;
  readonly before: Chain | undefined;
}

/** The number of chains that end before a position; longer chains end later. */
function firstBehind(chains: readonly Chain[], position: number): number {
  let [low, high] = [0, chains.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chains[middle]?.at ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The largest set of elements in unchanged order: the others were moved or removed. */
function longestKept(avant: readonly string[], apres: readonly string[]): ReadonlySet<string> {
  const positions = new Map(apres.map((key, index) => [key, index]));
  /** For each length the run that ends earliest in the new order. */
  const chains: Chain[] = [];
  for (const key of avant) {
    const at = positions.get(key);
    if (at === undefined) continue;
    const length = firstBehind(chains, at);
    chains[length] = { key, at, before: chains[length - 1] };
  }
  const kept = new Set<string>();
  for (let chain = chains.at(-1); chain !== undefined; chain = chain.before) kept.add(chain.key);
  return kept;
}
