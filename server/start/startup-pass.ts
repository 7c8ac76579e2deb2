import type { RowChange } from '#shared/change-reader';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/transaction';
import { Records } from '#server/plumbing/records/records';
import { changeSetOf } from '#server/plumbing/writes/change-set';
import { keepModification } from '#server/plumbing/writes/acts';
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
 * read where the database is known to be in order. What it joins is an act of nobody's (docs/rules.md § 30).
 */
export function renormaliser(database: Database, rules = RULES): void {
  if (rules !== null && database.rules === rules) return;
  database.write((tx) => {
    const { result: areInOrder, steps } = tx.captured(() =>
      Object.values(kinds).reduce(
        (inOrder, { renormaliser: renew }) => (renew?.(tx) ?? true) && inOrder,
        true,
      ),
    );
    keepAct(new Records(tx, kinds), steps);
    tx.noteRules(areInOrder ? rules : null);
  });
}

/** Keeps what the pass did as an act, unless nothing but unused words has gone. */
function keepAct(records: Records<Transaction>, steps: readonly RowChange[]): void {
  const changes = changeSetOf(records.database, steps);
  const isUnused = (table: string) => records.rulesOf(table).vocabulary !== undefined;
  if (changes.net.every(({ table, apres }) => apres === null && isUnused(table))) return;
  keepModification(records, ACT, { ...changes, proprietaire: '' });
}

const ACT = {
  operation: 'renormaliser',
  undone: 'La mise en ordre du démarrage est annulée',
  resume: 'Fiches mises en ordre au démarrage',
  utilisateur: null,
  annuleId: null,
};
