import type { Row, RowChange } from '#shared/change-reader';
import type { Transaction, Reader } from '#server/plumbing/database/connection';
import type { OrderRules } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { earlierOrders, type KeptOrdre, type Ordre } from './traces.ts';

/** One list of a household, as that of the elements of a series: what it is, and whose. */
interface List {
  readonly list: string;
  readonly of: string | number | null;
}

/** The orders that an act changed, of its rows as they are before and after it. */
export function ordersOf(records: Records, net: readonly RowChange[]): Ordre[] {
  const touched = new Map<string, { readonly list: List; readonly changes: RowChange[] }>();
  for (const change of net)
    for (const [key, list] of listsOf(records, change)) {
      const known = touched.get(key);
      if (known === undefined) touched.set(key, { list, changes: [change] });
      else known.changes.push(change);
    }
  return [...touched.values()]
    .map(({ list, changes }) => {
      const present = elementsOf(records, list);
      const apres = sorted(present);
      return { ...list, avant: sorted(withoutChanges(records, changes, list, present)), apres };
    })
    .filter(({ avant, apres }) => {
      const stayed = new Set(avant);
      // What was only added has no place to return to.
      return avant.join() !== apres.filter((key) => stayed.has(key)).join();
    });
}

/** The lists in which a row stood before a change, or stands since. */
function listsOf(records: Records, { table, avant, apres }: RowChange): Map<string, List> {
  const lists = [avant, apres].flatMap((row) => listOf(records, table, row) ?? []);
  return new Map(lists.map((list) => [JSON.stringify(list), list]));
}

/** The order of a list now. */
export const orderOf = (records: Records, list: List): string[] =>
  sorted(elementsOf(records, list));

/**
 * Gives a list the order from before an act: exactly where it was as the act had left it; else each element that the
 * act moved or took out returns to where it was if a neighbour still stands there, else to the end.
 *
 * @param was the order when the act was about to be taken back
 */
export function restoreOrder(
  records: Records<Transaction>,
  ordre: KeptOrdre,
  was: readonly string[],
): void {
  const present = orderOf(records, ordre);
  const isAsLeft = was.join() === ordre.apres.join();
  const standing = new Set(present);
  const wanted = isAsLeft
    ? ordre.avant.filter((key) => standing.has(key))
    : returned(ordre, present, earlierOrders(records.database, ordre, ordre.seq));
  if (wanted.join() !== present.join()) writeOrder(records, ordre, wanted);
}

/** Writes the ranks of a list that has them, without holes. */
export function renumber(records: Records<Transaction>, list: List): void {
  for (const [table, { columns, parent }] of tablesOf(records, list))
    if (columns.length > 1) renumberRows(records.database, { table, parent }, list.of);
}

/** The list in which a row stands, if any. */
export function listOf(records: Records, table: string, row: Row | null): List | null {
  const order = records.rulesOf(table).order;
  const of = order && row?.[order.parent];
  if (order === undefined || (typeof of !== 'string' && typeof of !== 'number' && of !== null))
    return null;
  return of === null && order.hasTop !== true ? null : { list: order.list, of };
}

/** The position of each element of a list, with what decides between equal ones. */
type Elements = Map<string, readonly [at: number, table: number, id: number]>;

const tablesOf = (records: Records, { list }: List): (readonly [string, OrderRules])[] =>
  records.orders.filter(([, order]) => order.list === list);

function elementsOf(records: Records, list: List): Elements {
  const elements: Elements = new Map();
  for (const [nth, [table, { parent, columns }]] of tablesOf(records, list).entries())
    for (const { id, at } of listElements(records.database, { table, parent, columns }, list.of))
      elements.set(keyOf(table, id), [at, nth, id]);
  return elements;
}

/** The elements as they stood before the changes of an act. */
function withoutChanges(
  records: Records,
  changes: readonly RowChange[],
  list: List,
  present: Elements,
): Elements {
  const before = new Map(present);
  const isHere = (table: string, row: Row | null) => {
    const other = listOf(records, table, row);
    return other?.list === list.list && other.of === list.of;
  };
  const tables = tablesOf(records, list).map(([table]) => table);
  for (const { table, avant, apres } of changes) {
    const { columns = [] } = records.rulesOf(table).order ?? {};
    if (isHere(table, apres)) before.delete(keyOf(table, apres?.['id']));
    if (!isHere(table, avant)) continue;
    const at = columns.map((column) => avant?.[column]).find((value) => typeof value === 'number');
    if (at === undefined) continue;
    const id = Number(avant?.['id']);
    before.set(keyOf(table, id), [at, tables.indexOf(table), id]);
  }
  return before;
}

const keyOf = (table: string, id: unknown): string => `${table} ${String(id)}`;

const sorted = (elements: Elements): string[] =>
  [...elements]
    .sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(([key]) => key);

/** The present order, with what an act moved or took out where it was before. */
function returned(
  { avant, apres }: Ordre,
  present: readonly string[],
  earlier: readonly (readonly string[])[],
): readonly string[] {
  const now = new Set(present);
  const stayed = longestKept(avant, apres);
  const returning = avant.filter((key) => !stayed.has(key) && now.has(key));
  const away = new Set(returning);
  const order = present.filter((key) => !away.has(key));
  // What had gone already and is back by now is a neighbour, too.
  const all = [...avant];
  const known = new Set(all);
  for (const keys of earlier)
    for (const [index, key] of keys.entries()) {
      if (!known.has(key)) insertBeside(all, keys, key, index);
      known.add(key);
    }
  for (const key of returning) insertBeside(order, all, key, all.indexOf(key));
  return order;
}

/** Puts an element that a list lacks behind the nearest of those before it in another list, else before the next. */
function insertBeside(order: string[], other: readonly string[], key: string, from: number): void {
  const previous = other.slice(0, from).findLast((one) => order.includes(one));
  const next = other.slice(from + 1).find((one) => order.includes(one));
  const at =
    previous !== undefined
      ? order.indexOf(previous) + 1
      : next !== undefined
        ? order.indexOf(next)
        : order.length;
  order.splice(at, 0, key);
}

/** The most elements that kept their order: the others are those that were moved, or went. */
function longestKept(avant: readonly string[], apres: readonly string[]): ReadonlySet<string> {
  const positions = new Map(apres.map((key, index) => [key, index]));
  /** The chain of each length that ends earliest in the later order. */
  const chains: { readonly at: number; readonly key: string; readonly before: number }[][] = [];
  for (const key of avant) {
    const at = positions.get(key);
    if (at === undefined) continue;
    const found = chains.findIndex((ends) => (ends.at(-1)?.at ?? 0) > at);
    const length = found < 0 ? chains.length : found;
    const before = (chains[length - 1]?.length ?? 0) - 1;
    (chains[length] ??= []).push({ at, key, before });
  }
  const kept = new Set<string>();
  let index = (chains.at(-1)?.length ?? 0) - 1;
  for (const ends of chains.toReversed()) {
    const end = ends[index];
    if (end === undefined) break;
    kept.add(end.key);
    index = end.before;
  }
  return kept;
}

function writeOrder(records: Records<Transaction>, list: List, keys: readonly string[]): void {
  const rules = new Map(tablesOf(records, list));
  keys.forEach((key, index) => {
    const [table = '', id] = key.split(' ');
    const columns = rules.get(table)?.columns ?? [];
    // Ranks begin with one, positions with none.
    const at = columns.length > 1 ? index + 1 : index;
    writePosition(records.database, { table, columns }, Number(id), at);
  });
}

/** A table whose rows stand in lists: the column of the list, and those by which it is sorted. */
interface OrderedTable {
  readonly table: string;
  readonly parent: string;
  readonly columns: readonly string[];
}

/** The elements of a list that are rows of a table; a row without a position stands nowhere in it. */
const listElements = (
  database: Reader,
  { table, parent, columns }: OrderedTable,
  of: string | number | null,
): { readonly id: number; readonly at: number }[] =>
  database.all<{ id: number; at: number }>(
    `SELECT id, ${columns.length > 1 ? `coalesce(${columns.join(', ')})` : columns.join('')} AS at
       FROM "${table}" WHERE "${parent}" IS ? AND at IS NOT NULL`,
    of,
  );

/** Gives an element its position; one that it has already is not written. */
const writePosition = (
  database: Transaction,
  { table, columns }: Pick<OrderedTable, 'table' | 'columns'>,
  id: number,
  at: number,
): void => {
  database.run(
    `UPDATE "${table}" SET ${columns.map((name) => `"${name}" = @at`).join(', ')}
       WHERE id = @id AND (${columns.map((name) => `"${name}" IS NOT @at`).join(' OR ')})`,
    { id, at },
  );
};

/** Ranks one person's list from 1 in its order; a row that keeps its rank is not written. */
function renumberRows(
  database: Transaction,
  { table, parent }: Pick<OrderedTable, 'table' | 'parent'>,
  of: string | number | null,
): void {
  // A row that was deleted before there was an order stands before the one that has its rank by now.
  const key = 'coalesce(ordre, rang - 0.5)';
  database.run(
    `UPDATE "${table}" SET rang = next, ordre = key
       FROM (SELECT id AS rowId, ${key} AS key, row_number() OVER (ORDER BY ${key}, id) AS next
             FROM "${table}" WHERE "${parent}" = ?)
       WHERE id = rowId AND (rang <> next OR ordre IS NULL)`,
    of,
  );
}
