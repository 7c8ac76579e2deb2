import type { Database } from '#server/plumbing/database/database';
import { SELECT_LINES, toLine, type JournalRow } from '#server/plumbing/records/journal';

export function run(database: Database, ...statements: readonly string[]): void {
  database.write((tx) => {
    for (const sql of statements) tx.prepare(sql).run();
  });
}

/** The documents for which statements leave a new line, as « +collection/id@whom », `-` for a deleted one. */
export function linesOf(database: Database, ...statements: readonly string[]): string[] {
  const before = database.revision();
  run(database, ...statements);
  return database
    .all<JournalRow>(`${SELECT_LINES} WHERE revision > ?`, before)
    .map(toLine)
    .map(
      ({ collection, id, utilisateur, supprime }) =>
        `${supprime ? '-' : '+'}${collection}/${String(id)}${utilisateur && `@${utilisateur}`}`,
    )
    .sort();
}
