import type { Database } from '#server/plumbing/database/database';
import { Records } from '#server/plumbing/records/records';
import { keepAct, traced } from '#server/plumbing/writes/acts';
import { forgetTrace } from '#server/plumbing/writes/traces';
import { traceOlderImportations } from '#server/subjects/importations/before-traces';
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
    const records = new Records(tx, kinds);
    traceOlderImportations(records);
    const open = traced(records, () =>
      Object.values(kinds).reduce(
        (inOrder, { renormaliser: renew }) => (renew?.(tx) ?? true) && inOrder,
        true,
      ),
    );
    const isUnused = (table: string) => records.rulesOf(table).vocabulary !== undefined;
    // Words that nothing names have gone by themselves.
    if (open.changes.every(({ table, apres }) => apres === null && isUnused(table)))
      forgetTrace(tx, open.id);
    else keepAct(records, open, TOLD);
    tx.noteRules(open.result ? rules : null);
  });
}

const TOLD = {
  operation: 'renormaliser',
  undone: 'La mise en ordre du démarrage est annulée',
  resume: 'Fiches mises en ordre au démarrage',
  utilisateur: null,
  proprietaire: '',
};
