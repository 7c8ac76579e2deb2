import type { Base } from '#server/database/base';
import { Journal, type Publication } from '#server/sync/journal';

/** Runs statements in one write. */
export function run(base: Base, ...statements: readonly string[]): void {
  base.write(() => {
    for (const sql of statements) base.prepare(sql).run();
  });
}

/** The documents that some statements leave a new line for, as « +collection/id@whom », `-` when gone. */
export function linesOf(base: Base, ...statements: readonly string[]): string[] {
  const published: Publication[] = [];
  new Journal(base).subscribe((publication) => published.push(publication));
  run(base, ...statements);
  return (published[0]?.lines ?? [])
    .map(
      ({ collection, id, utilisateur, supprime }) =>
        `${supprime ? '-' : '+'}${collection}/${String(id)}${utilisateur && `@${utilisateur}`}`,
    )
    .sort();
}
