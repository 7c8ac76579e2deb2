import type { Database } from '#server/database/database';
import { kinds } from './kinds.ts';

/** The digest of the sources of a bundle, which the build puts in its place. */
declare const SOURCES_DIGEST: string;

/**
 * All that decides what the pass makes of a row: the program, and the tables of Unicode that its Node.js has. `null`
 * where it runs from its sources, which may change.
 */
const RULES = typeof SOURCES_DIGEST === 'undefined' ? null : `${SOURCES_DIGEST} ${process.version}`;

/**
 * Brings records written by older rules up to the present ones at a start, in one transaction.
 * Records in order are not written, and none that cannot have its canonical form stops the start. Nothing is
 * read where the database is known to be in order (docs/rules.md § 30).
 */
export function renormaliser(database: Database, rules = RULES): void {
  if (rules !== null && database.rules === rules) return;
  const areInOrder = database.write(() =>
    Object.values(kinds).reduce(
      (inOrder, { renormaliser: renew }) => (renew?.(database) ?? true) && inOrder,
      true,
    ),
  );
  database.noteRules(areInOrder ? rules : null);
}
