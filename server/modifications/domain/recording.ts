import type { Endpoint } from '#shared/endpoint';
import type { Database } from '#server/database/database';
import type { Records } from '#server/records/records';
import {
  insertModification,
  latestModificationId,
  markAnnulee,
  putLineFirst,
} from '../store/modifications.ts';
import { Changed } from './change-reader.ts';
import { sumUp, type Changes } from './changes.ts';
import { describeFiches } from './fiches.ts';

/** The operation that is asked for, and by whom. */
interface ActRequest {
  readonly endpoint: Pick<Endpoint, 'hasOwnUndo' | 'modification' | 'record'>;
  readonly utilisateur: string | null;
}

/**
 * Runs a request that writes and keeps what it changed as one act that can be undone; in the
 * transaction of the request (docs/rules.md § 38). Gives the act's id, `null` where the request
 * changed nothing of the household.
 */
export function recording<T>(
  records: Records,
  { endpoint, utilisateur }: ActRequest,
  work: () => T,
): { answer: T; modificationId: number | null } {
  const { database } = records;
  if (endpoint.hasOwnUndo === true) return withOwnAct(database, work);
  const before = database.revision();
  database.trace.open();
  const answer = work();
  const changes = sumUp(database, database.trace.close());
  if (changes.net.length === 0) return { answer, modificationId: null };
  const description = describe(endpoint, new Changed(records, changes, answer));
  const act = { ...description, utilisateur, annuleId: null };
  const modificationId = keepModification(records, act, changes);
  putLineFirst(database, modificationId, before);
  return { answer, modificationId };
}

function describe({ modification, record }: ActRequest['endpoint'], changes: Changed) {
  if (modification === undefined) throw new Error('An operation that writes has no sentence');
  const { operation, resume } = modification;
  if (typeof resume === 'function') return { operation, resume: resume(changes) };
  if (record === undefined) return { operation, resume };
  const { collection } = record;
  const name = changes.deleted(collection) || changes.name(collection);
  return { operation, resume: `${resume} : ${name}` };
}

/** Runs a request that keeps its act itself, if it is one. */
function withOwnAct<T>(
  database: Database,
  work: () => T,
): { answer: T; modificationId: number | null } {
  const before = latestModificationId(database);
  const answer = work();
  const latest = latestModificationId(database);
  return { answer, modificationId: latest === before ? null : latest };
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
}

/** Writes what an import did as an act, which only its own operation takes back. */
export function keepImportation(database: Database, act: ImportationAct): void {
  const date = new Date().toISOString();
  const id = insertModification(database, { ...act, date, fiches: [], steps: [] });
  if (act.annuleId !== null) markAnnulee(database, act.annuleId, id);
}

/** Writes an act and returns its id; in the transaction of what it did. */
export function keepModification(
  records: Records,
  act: {
    readonly operation: string;
    readonly resume: string;
    readonly utilisateur: string | null;
    readonly annuleId: number | null;
  },
  changes: Changes,
): number {
  return insertModification(records.database, {
    ...act,
    date: new Date().toISOString(),
    proprietaire: changes.proprietaire,
    fiches: describeFiches(records, changes),
    steps: changes.kept,
  });
}
