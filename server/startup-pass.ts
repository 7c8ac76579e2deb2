import type { Database } from '#server/database/database';
import { kinds } from './kinds.ts';

/**
 * Brings records written by older rules up to the present ones at every start, in one transaction.
 * Records in order are not written, and none that cannot have its canonical form stops the start
 * (docs/rules.md § 30).
 */
export function renormaliser(database: Database): void {
  database.write(() => {
    for (const { renormaliser: renew } of Object.values(kinds)) renew?.(database);
  });
}
