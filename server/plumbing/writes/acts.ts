import type { RowChange } from '#shared/change-reader';
import type { Modification } from '#shared/modifications';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Records } from '#server/plumbing/records/records';
import { insertModification, markImportationAnnulee } from './store/modifications.ts';
import type { ChangeSet } from './change-set.ts';
import { describeFiches } from './fiches.ts';
import { ordersOf } from './orders.ts';

/** An act as the answer to its write tells it. */
export type Act = Pick<Modification, 'id' | 'resume'>;

/** The act that an import is, or the one that takes it back. */
interface ImportationAct {
  readonly importationId: number;
  readonly operation: 'importer' | 'annulerImportation';
  readonly resume: string;
  readonly utilisateur: string | null;
  /** The only one who may read it; '' where all may. */
  readonly proprietaire: string;
  /** The act of the import that this one takes back. */
  readonly annuleId: number | null;
  /** The rows that it touched, by their keys alone: what stands in the way of another act is told by them. */
  readonly steps: readonly RowChange[];
}

/** Writes what an import did as an act, which only its own operation takes back, and returns it. */
export function keepImportation(database: Transaction, act: ImportationAct): Act {
  const date = new Date().toISOString();
  const empty = { undone: '', fiches: [], ordres: [], avec: [] };
  const id = insertModification(database, { ...act, ...empty, date });
  if (act.annuleId !== null) markImportationAnnulee(database, act.importationId, id);
  return { id, resume: act.resume };
}

/** Writes an act and returns it. */
export function keepModification(
  records: Records<Transaction>,
  act: {
    readonly operation: string;
    readonly undone: string;
    readonly resume: string;
    readonly utilisateur: string | null;
    readonly annuleId: number | null;
    readonly avec?: readonly number[];
  },
  changes: ChangeSet,
): Act {
  const id = insertModification(records.database, {
    avec: [],
    ...act,
    date: new Date().toISOString(),
    proprietaire: changes.proprietaire,
    fiches: describeFiches(records, changes),
    ordres: ordersOf(records, changes.net),
    steps: changes.kept,
  });
  return { id, resume: act.resume };
}
