import type { Database } from '#server/plumbing/database/database';
import { SELECT_LINES, toLine, type JournalRow } from '#server/plumbing/records/journal';

export function run(database: Database, ...statements: readonly string[]): void {
  database.write((tx) => {
    for (const sql of statements) tx.prepare(sql).run();
  });
}

/**
 * The documents whose journal entry changes when these statements run, as « +collection/id@owner »; `-` for deleted
 * ones.
 */
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
