import { MODIFICATION_DAYS } from '#shared/modifications';
import type { Database } from '#server/plumbing/database/database';
import { forgetDormant } from '#server/plumbing/records/dormant';
import { deleteOldModifications } from '#server/plumbing/writes/store/modifications';

const DAY_MS = 86_400_000;

/** Deletes the acts that are no longer kept, and what is dormant and none of the others needs (docs/rules.md § 39). */
export function forgetOldModifications(database: Database): void {
  const before = new Date(Date.now() - MODIFICATION_DAYS * DAY_MS).toISOString();
  database.write((tx) => {
    deleteOldModifications(tx, before);
    forgetDormant(tx, before);
  });
}
