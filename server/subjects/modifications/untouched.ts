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

/** How many records are checked at a time, with their rows in memory. */
const TOGETHER = 1000;

/** The changes of one record, with the rows created for it. */
export type RecordChanges = readonly Change[];

/**
 * Deletes the records of an import that are unchanged and referenced by nothing but their own rows, in batches:
 * nearly all of a large one. Returns the others, which may have obstacles.
 *
 * @param isKept whether a row deleted by a later modification references a row
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
    // A record may be unreferenced once another one is deleted.
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

/** The rows of a record are deleted first: otherwise they would count as cascaded. */
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
