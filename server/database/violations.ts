import Sqlite from 'better-sqlite3';

/** Whether a write failed on the unique index of these columns, so that the domain can throw its refusal. */
export const isUniqueViolation = (
  error: unknown,
  table: string,
  columns: readonly string[],
): boolean =>
  error instanceof Sqlite.SqliteError &&
  error.message ===
    `UNIQUE constraint failed: ${columns.map((column) => `${table}.${column}`).join(', ')}`;

/** Whether a write failed on any constraint. */
export const isAnyViolation = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');
