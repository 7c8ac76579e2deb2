import type { Row } from '#shared/change-reader';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import { isOrderOfValues } from '#server/plumbing/writes/named-values';
import {
  keysLeadingTo,
  removeRows,
  rowKeyOf,
  rowsOf,
  type Change,
} from '#server/plumbing/writes/traces';
import { isField } from './inverse.ts';

/** So many records are looked at together, whose rows are held meanwhile. */
const TOGETHER = 1000;

/** The changes of one record, with the rows made for it. */
export type RecordChanges = readonly Change[];

/**
 * Deletes those of the records of an import that stand as it made them, with nothing but their own rows that leads to
 * them: nearly all of a large one, asked for and deleted many at once. Returns the others, which may have obstacles.
 *
 * @param isKept whether what a later act has deleted leads to a row
 */
export function removeUntouched(
  records: Records<Transaction>,
  all: readonly RecordChanges[],
  isKept: (change: Change) => boolean,
): RecordChanges[] {
  records.database.deferForeignKeys();
  let left = [...all];
  for (let before = -1; before !== left.length;) {
    before = left.length;
    // What another one led to may have nothing that leads to it by now.
    left = slicesOf(left).flatMap((some) => {
      const untouched = new Set(untouchedOf(records, some, isKept));
      remove(records, [...untouched].flat());
      return some.filter((changes) => !untouched.has(changes));
    });
  }
  return left;
}

const slicesOf = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / TOGETHER) }, (_, index) =>
    list.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );

function untouchedOf(
  records: Records,
  some: readonly RecordChanges[],
  isKept: (change: Change) => boolean,
): RecordChanges[] {
  const made = some.filter((changes) =>
    changes.every(({ avant, apres }) => avant === null && apres !== null),
  );
  const rows = rowsOf(records.database, made.flat());
  const leading = keysLeadingTo(records.database, made.flat());
  return made.filter((changes) => {
    const own = new Set(changes.map(rowKeyOf));
    return changes.every((change) => {
      const key = rowKeyOf(change);
      const isAlone = (leading.get(key) ?? []).every((from) => own.has(from));
      return isAlone && isAsMade(records, change, rows.get(key)) && !isKept(change);
    });
  });
}

function isAsMade(records: Records, { table, apres }: Change, row: Row | undefined): boolean {
  if (row === undefined || apres === null) return false;
  return Object.keys(apres).every(
    (name) =>
      (row[name] ?? null) === (apres[name] ?? null) ||
      !(isField(records, { table, name }, true) || isOrderOfValues(name)),
  );
}

/** The rows of a record go before it: else they would count as gone along with it. */
function remove(records: Records<Transaction>, changes: readonly Change[]): void {
  const byTable = [...Map.groupBy(changes, ({ table }) => table)];
  const partsFirst = byTable.sort(
    ([a], [b]) => Number(records.isRecord(a)) - Number(records.isRecord(b)),
  );
  for (const [table, some] of partsFirst)
    removeRows(
      records.database,
      table,
      some.map(({ apres }) => apres ?? {}),
    );
}
