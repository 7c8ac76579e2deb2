import type { Database } from '#server/database/database';
import { Journal, type Publication } from '#server/records/journal';

/** Runs statements in one write. */
export function run(database: Database, ...statements: readonly string[]): void {
  database.write(() => {
    for (const sql of statements) database.prepare(sql).run();
  });
}

/** The documents that some statements leave a new line for, as « +collection/id@whom », `-` when gone. */
export function linesOf(database: Database, ...statements: readonly string[]): string[] {
  const published: Publication[] = [];
  new Journal(database).subscribe((publication) => published.push(publication));
  run(database, ...statements);
  return (published[0]?.lines ?? [])
    .map(
      ({ collection, id, utilisateur, supprime }) =>
        `${supprime ? '-' : '+'}${collection}/${String(id)}${utilisateur && `@${utilisateur}`}`,
    )
    .sort();
}
