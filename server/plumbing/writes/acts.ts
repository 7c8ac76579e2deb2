import type { Modification } from '#shared/modifications';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import { describeFiches } from './fiches.ts';
import { insertModification, nextModificationId, notePictures } from './modifications.ts';
import { ordersOf } from './orders.ts';
import {
  changesOf,
  forgetUnchanged,
  isChanged,
  moveTrace,
  ownerOfAll,
  wholeChanges,
  writeOrdres,
  type Change,
} from './traces.ts';

/** An act as the answer to its write tells it. */
export type Act = Pick<Modification, 'id' | 'resume'>;

/** How an act is told, and whose it is. */
export interface ActTold {
  readonly operation: string;
  /** What is said once it is taken back; '' for an import. */
  readonly undone: string;
  readonly resume: string | ((proprietaire: string) => string);
  readonly utilisateur: string | null;
  /** The only one who may read it, '' where all may: where left out, the person to whom all belongs that it changed. */
  readonly proprietaire?: string;
  /** The act that it takes back, and those besides. */
  readonly annuleId?: number;
  readonly avec?: readonly number[];
  /** The import that it is, or takes back. */
  readonly importationId?: number;
}

/** Work that was done as an act's, which is still to be kept. */
export interface OpenAct<T = unknown> {
  readonly id: number;
  readonly result: T;
  /** The rows that are otherwise than before, all columns of them, in the order in which they were touched. */
  readonly changes: readonly Change[];
}

/**
 * Does work whose changes are an act's: then `keepAct` or `forgetTrace` is to be called.
 *
 * @param isUndoing keeps what came back to what it was, which may explain later what stands in the way of another act
 */
export function traced<T>(
  { database }: Records<Transaction>,
  work: (id: number) => T,
  isUndoing = false,
): OpenAct<T> {
  const id = nextModificationId(database);
  const result = database.traced(id, () => work(id));
  const all = changesOf(database, [id]);
  if (!isUndoing) forgetUnchanged(database, id, all);
  return { id, result, changes: wholeChanges(database, all.filter(isChanged)) };
}

/** Keeps work as more of an act that is kept already. */
export function addToAct(records: Records<Transaction>, open: OpenAct, id: number): void {
  const { database } = records;
  writeOrdres(database, open.id, ordersOf(records, open.changes));
  moveTrace(database, open.id, id);
  notePictures(database, id);
}

/** Keeps an act. */
export function keepAct(
  records: Records<Transaction>,
  { id, changes }: OpenAct,
  told: ActTold,
): Act {
  const { database } = records;
  writeOrdres(database, id, ordersOf(records, changes));
  const proprietaire = told.proprietaire ?? ownerOfAll(changes);
  const { importationId } = told;
  const resume = typeof told.resume === 'string' ? told.resume : told.resume(proprietaire);
  insertModification(database, {
    annuleId: null,
    avec: [],
    ...told,
    resume,
    date: new Date().toISOString(),
    proprietaire,
    // An import is shown on its own screen.
    fiches: importationId === undefined ? describeFiches(records, changes, proprietaire) : [],
  });
  return { id, resume };
}
