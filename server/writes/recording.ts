import type { Endpoint } from '#shared/endpoint';
import type { RowChange } from '#shared/change-reader';
import type { Modification } from '#shared/modifications';
import type { Transaction } from '#server/database/transaction';
import type { Records } from '#server/records/records';
import {
  insertModification,
  latestModification,
  markImportationAnnulee,
  putLineFirst,
} from './store/modifications.ts';
import { Changed } from './change-reader.ts';
import { changeSetOf, type ChangeSet } from './change-set.ts';
import { describeFiches } from './fiches.ts';
import { ordersOf } from './orders.ts';

/** The operation that is asked for, and by whom. */
interface WriteRequest {
  readonly endpoint: Pick<Endpoint, 'hasOwnUndo' | 'modification' | 'record'>;
  readonly utilisateur: string | null;
}

/**
 * Runs a request that writes and keeps what it changed as one modification that can be undone, in the
 * transaction of the request (docs/rules.md § 38); an operation that has an undo of its own keeps its
 * modification itself. Gives the modification, `null` where nothing of the household changed.
 */
export function recording<T extends { readonly answer?: unknown }>(
  records: Records<Transaction>,
  { endpoint, utilisateur }: WriteRequest,
  work: () => T,
): { outcome: T; modification: Pick<Modification, 'id' | 'resume'> | null } {
  const { database } = records;
  const before = database.revision();
  const latest = latestModification(database);
  if (endpoint.hasOwnUndo !== true) database.capture.start();
  const outcome = work();
  const changes = changeSetOf(database, database.capture.stop());
  if (changes.net.length > 0) {
    const told = describe(endpoint, new Changed(records, changes, outcome.answer));
    const id = keepModification(records, { ...told, utilisateur, annuleId: null }, changes);
    putLineFirst(database, id, before);
  }
  const newest = latestModification(database);
  return { outcome, modification: newest?.id === latest?.id ? null : (newest ?? null) };
}

function describe({ modification, record }: WriteRequest['endpoint'], changes: Changed) {
  if (modification === undefined) throw new Error('An operation that writes has no sentence');
  const { resume } = modification;
  if (typeof resume === 'function') return { ...modification, resume: resume(changes) };
  if (record === undefined) return { ...modification, resume };
  const { collection } = record;
  const name = changes.deleted(collection) || changes.name(collection);
  return { ...modification, resume: `${resume} : ${name}` };
}

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

/** Writes what an import did as an act, which only its own operation takes back. */
export function keepImportation(database: Transaction, act: ImportationAct): void {
  const date = new Date().toISOString();
  const empty = { undone: '', fiches: [], ordres: [], avec: [] };
  const id = insertModification(database, { ...act, ...empty, date });
  if (act.annuleId !== null) markImportationAnnulee(database, act.importationId, id);
}

/** Writes an act and returns its id. */
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
): number {
  return insertModification(records.database, {
    avec: [],
    ...act,
    date: new Date().toISOString(),
    proprietaire: changes.proprietaire,
    fiches: describeFiches(records, changes),
    ordres: ordersOf(records, changes.net),
    steps: changes.kept,
  });
}
