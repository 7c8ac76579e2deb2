import Sqlite from 'better-sqlite3';
import type { Refusal } from '#shared/refusals';

/**
 * Does a write; where another row has the unique columns already it throws the refusal that `refuse` gives,
 * if any.
 *
 * @param unique the columns of the index, as `Table.column`
 */
export function refusingTwins<T>(
  unique: readonly string[],
  write: () => T,
  refuse: () => Refusal | undefined,
): T {
  try {
    return write();
  } catch (error) {
    const isTwin =
      error instanceof Sqlite.SqliteError &&
      error.message === `UNIQUE constraint failed: ${unique.join(', ')}`;
    throw (isTwin && refuse()) || error;
  }
}

/** Whether a write failed on any constraint. */
export const isAnyViolation = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');
