import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RecordCollection } from '#shared/change-reader';
import { collections } from '#shared/collections';
import type { Endpoint } from '#shared/endpoint';
import { Refusal, type RefusalParts } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import type { DatabasePlace, Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { LONG_WRITE } from '#server/plumbing/paths';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { withAct } from './acts.ts';
import { IdempotencyRecords, type KeyOwner } from './keys.ts';
import type { AnyCall, AnyLongOperation, Outcome } from './operation.ts';

/** One request that writes. */
export interface Write {
  readonly endpoint: Endpoint;
  readonly utilisateur: string | null;
  /** Whom the history names; nobody where the household alone acts. */
  readonly actor: string | null;
  /** The record that `ifMatch` speaks of; `null` where there is none. */
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The key of the request, and what tells it from another one with the same; `null` without one. */
  readonly key: { readonly owner: KeyOwner; readonly fingerprint: string } | null;
  /** Does what is asked. */
  readonly run: (records: Records<Transaction>) => Outcome;
  /** The operation that `run` is, where it may touch very many records. */
  readonly long?: { readonly operation: AnyLongOperation; readonly call: AnyCall };
  /** Aborted when nobody waits for it any more: what is read beforehand is then broken off. */
  readonly signal?: AbortSignal;
  /** The status and the headers that the handler gave its reply; asked once the answer is there. */
  readonly sent: () => Pick<WriteAnswer, 'status' | 'headers'>;
}

/** The answer to a write; `body` is its text where it is kept for a key or comes from another thread. */
export interface WriteAnswer {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Operations that touch more records run in a thread of their own: others wait for less than 50 ms. */
const MAX_HERE = 100;

/** How long a write waits for a long one, in milliseconds: a device then says for what. */
const MAX_WAIT_MS = 4_000;

/** The same for a write that nobody can send again, since no answer of it is kept. */
const SECRET_MAX_WAIT_MS = 45_000;

/** The writes of a house, in their turn. */
export class Writes {
  readonly records: Records<Database>;
  readonly tags: Tags;
  readonly keys: IdempotencyRecords;
  readonly #long = new LongWrites();

  constructor(records: Records<Database>, journal: Journal) {
    this.records = records;
    this.tags = new Tags(records, journal);
    this.keys = new IdempotencyRecords(records.database);
  }

  /**
   * Performs a write once no long one is under way, a long one in a thread of its own. Throws
   * `TRAVAIL_EN_COURS` after four seconds, of an account's after 45.
   *
   * @param readmit throws where who asks may not any more
   */
  async inTurn(write: Write, readmit: () => void): Promise<WriteAnswer> {
    const { database } = this.records;
    if (write.long?.operation.prepare !== undefined)
      return this.#prepared(write, write.long, readmit);
    return database.writeLock.whenFree(
      () => {
        readmit();
        const { long } = write;
        if (long === undefined || long.operation.size(this.records, long.call) <= MAX_HERE)
          return performWrite(this, write);
        const { told } = long.operation;
        return database.handOver(told, () =>
          this.#long.start(database.place, write, long).finish(),
        );
      },
      write.endpoint.isSecret === true ? SECRET_MAX_WAIT_MS : MAX_WAIT_MS,
    );
  }

  /** The same for an operation that reads beforehand: it reads without the lock, then waits for it without bound. */
  async #prepared(
    write: Write,
    long: NonNullable<Write['long']>,
    readmit: () => void,
  ): Promise<WriteAnswer> {
    const { database } = this.records;
    const { operation, call } = long;
    if (operation.size(this.records, call) <= MAX_HERE) {
      const prepared = await operation.prepare?.(this.records, call);
      return database.writeLock.whenFree(() => {
        readmit();
        const run: Write['run'] = (records) => operation.run(records, call, prepared);
        return performWrite(this, { ...write, run });
      });
    }
    const started = this.#long.start(database.place, write, long);
    try {
      await started.prepared();
      return await database.writeLock.whenFree(() => {
        readmit();
        return database.handOver(operation.told, () => started.finish());
      });
    } finally {
      await started.end();
    }
  }

  /** Ends a long write under way, which is then not done at all. */
  async close(): Promise<void> {
    await this.#long.close();
  }
}

// In one transaction

interface House {
  readonly records: Records<Database>;
  readonly tags: Tags;
  readonly keys: IdempotencyRecords;
}

/**
 * Performs a write in one transaction: the check of `If-Match`, the operation, the act that it is and the answer kept
 * for its key are there all or not at all (docs/rules.md § 29). A refusal that a person has to answer is
 * kept for its key, too.
 */
export function performWrite(house: House, write: Write): WriteAnswer {
  const { database } = house.records;
  try {
    return database.write((tx) => {
      requireUnchanged(house.tags, write);
      const { answer, act, location } = withAct(house.records.within(tx), write);
      const { status, headers } = write.sent();
      const told = headersOf(house.tags, write, { answer, act, revision: tx.revision() });
      return kept(house.keys, tx, write, {
        answer,
        status: location === undefined ? status : 201,
        headers: { ...headers, ...told, ...(location !== undefined && { Location: location }) },
      });
    });
  } catch (error) {
    if (write.key !== null && isRefusal(error) && error.code === 'DOUBLON') {
      const { owner, fingerprint } = write.key;
      const body = JSON.stringify(errorBody(error));
      const answer = { fingerprint, status: error.status, headers: {}, body };
      database.write((tx) => house.keys.keep(tx, owner, answer));
    }
    throw error;
  }
}

/** Refuses a write whose record is not in the state that `If-Match` names. */
export function requireUnchanged(
  tags: Tags,
  { endpoint, utilisateur, recordId, ifMatch }: Omit<Write, 'key' | 'run' | 'sent' | 'actor'>,
): void {
  const { method, record } = endpoint;
  if (record === undefined || method === 'POST' || recordId === null || ifMatch === undefined)
    return;
  tags.requireUnchanged(ifMatch, { ...record, utilisateur, id: recordId });
}

/** What the headers of an answer tell: the revision that shows it, its act, and the record with its tag and address. */
function headersOf(
  tags: Tags,
  { endpoint, utilisateur }: Write,
  { answer, act, revision }: Outcome & { readonly revision: number },
): Record<string, string> {
  const { method, record } = endpoint;
  const id = idOf(answer);
  const tag = record && id !== null ? tags.of({ ...record, utilisateur, id }) : undefined;
  const isMade = method === 'POST' && record !== undefined && id !== null;
  return {
    'X-Revision': String(revision),
    ...(act !== undefined && {
      'X-Modification': String(act.id),
      'X-Modification-Resume': encodeURIComponent(shortened(act.resume)),
    }),
    ...(tag !== undefined && { ETag: tag }),
    ...(isMade &&
      'hasAddress' in collections[record.collection] && {
        Location: `/api/${record.collection}/${String(id)}`,
      }),
  };
}

/** What nginx takes of an answer's headers by default is 4 kB; a character is up to 9 bytes in them. */
const MAX_RESUME = 300;

const shortened = (resume: string): string =>
  resume.length > MAX_RESUME
    ? `${resume.slice(0, MAX_RESUME - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : resume;

/** Keeps an answer for the key of its request, if it has one. */
function kept(
  keys: IdempotencyRecords,
  tx: Transaction,
  { key }: Write,
  written: Omit<WriteAnswer, 'body'>,
): WriteAnswer {
  if (key === null) return { ...written, body: null };
  const { answer, status, headers } = written;
  const body = bodyOf(answer);
  keys.keep(tx, key.owner, { fingerprint: key.fingerprint, status, headers, body });
  return { ...written, body };
}

/** An answer as it is sent; '' for none. */
export const bodyOf = (answer: unknown): string =>
  answer === undefined ? '' : JSON.stringify(answer);

// Tags

/** One record, and for whom. */
interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: number;
  readonly utilisateur: string | null;
}

/** The tags of records, and what `If-Match` asks of them (docs/rules.md § 29). */
export class Tags {
  readonly #records: Records;
  readonly #journal: Journal;

  constructor(records: Records, journal: Journal) {
    this.#records = records;
    this.#journal = journal;
  }

  /** The tag of a record; `undefined` where the record is not there. */
  of(key: RecordKey): string | undefined {
    const line = this.#line(key);
    return line === undefined || line.supprime ? undefined : formatTag(line.revision);
  }

  /**
   * Refuses `MODIFIE_ENTRETEMPS` when the record is not in the state that `If-Match` names. To be
   * called in the transaction that writes. An id that never was, and another's record, pass: the
   * operation answers 404.
   */
  requireUnchanged(ifMatch: string, key: RecordKey): void {
    const line = this.#line(key);
    if (line === undefined || (!line.supprime && namesState(ifMatch, line))) return;
    const { collection, id, utilisateur } = key;
    const actuel = line.supprime ? null : this.#records.read(collection, id, utilisateur);
    throw new Refusal('MODIFIE_ENTRETEMPS', { actuel: actuel ?? null });
  }

  #line({ collection, utilisateur, id }: RecordKey) {
    const owner = collections[collection].personal ? (utilisateur ?? '') : '';
    return this.#journal.revisionOf(collection, owner, id);
  }
}

/** The `id` of an answer or of a path's parameters, if it has one. */
export function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' ? value.id : null;
}

/** The tag of a record: the revision of its line in the journal. */
const formatTag = (revision: number): string => `"${String(revision)}"`;

/** A list of tags, separated by commas, as RFC 9110 has it in § 13.1.1 and § 8.8.3. */
const TAGS = /^(?:[ \t,]|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?=[ \t]*(?:,|$)))*$/;

/**
 * True when an `If-Match` or `If-None-Match` header names a tag, or any tag by `*`. A weak tag counts
 * like a strong one: it is what a compressing proxy makes of ours. What is no list of tags names none.
 */
export const namesTag = (header: string, tag: string): boolean =>
  names(header, (each) => each === tag);

/**
 * True when an `If-Match` header names a state of a record that nobody has changed since: a cover that came by
 * itself moves the tag, and is no change of the record.
 */
const namesState = (
  header: string,
  { revision, version }: { readonly revision: number; readonly version: number },
): boolean =>
  names(header, (tag) => {
    const named = Number(tag.slice(1, -1));
    return formatTag(named) === tag && version <= named && named <= revision;
  });

const names = (header: string, isMeant: (tag: string) => boolean): boolean =>
  header.trim() === '*' ||
  (TAGS.test(header) && Array.from(header.matchAll(/"[^"]*"/g), ([each]) => each).some(isMeant));

// In a thread of its own

/** A write for another thread, in values that can be sent there. */
export interface Job extends Omit<Write, 'endpoint' | 'run' | 'long' | 'sent' | 'signal'> {
  readonly place: DatabasePlace;
  readonly method: string;
  readonly path: string;
  readonly call: AnyCall;
  readonly sent: ReturnType<Write['sent']>;
}

/** What a thread that is ready is sent once it may write. */
export const GO = 'go';

/** What a thread sends: that it is ready to write, then the answer, a refusal, or an error that nobody has foreseen. */
export type JobResult =
  | { readonly ready: true }
  | { readonly written: WriteAnswer }
  | { readonly refusal: RefusalParts }
  | {
      readonly error: {
        readonly message: string;
        readonly stack?: string;
        readonly code?: unknown;
      };
    };

/** Runs writes in threads of their own; one at a time writes, as there is one write lock. */
class LongWrites {
  readonly #running = new Set<LongWrite>();
  #isClosing = false;

  start(place: DatabasePlace, write: Write, long: NonNullable<Write['long']>): LongWrite {
    const running = new LongWrite(place, write, long, () => {
      this.#running.delete(running);
      return this.#isClosing;
    });
    this.#running.add(running);
    return running;
  }

  /** Ends the threads of writes under way, which are then not done at all. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#running].map((each) => each.end()));
  }
}

/** A write in a thread of its own. */
class LongWrite {
  readonly #worker: Worker;
  readonly #ended: Promise<JobResult>;
  #answer: Promise<JobResult>;

  /** @param ended told when its thread has ended, and says whether that was because the service does */
  constructor(
    place: DatabasePlace,
    { endpoint: _, run: __, long: ___, sent, signal, ...write }: Write,
    { operation, call }: NonNullable<Write['long']>,
    ended: () => boolean,
  ) {
    const { method, path } = operation.endpoint;
    const job: Job = { ...write, place, method, path, call, sent: sent() };
    this.#worker = new Worker(LONG_WRITE, { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    this.#ended = once(this.#worker, 'exit').then(() => {
      if (ended()) throw new Refusal('SERVICE_ARRETE');
      return ENDED;
    });
    const end = () => void this.end();
    signal?.addEventListener('abort', end, { once: true });
    this.#worker.once('exit', () => signal?.removeEventListener('abort', end));
    this.#answer = this.#next();
    this.#worker.postMessage(job);
    if (signal?.aborted === true) end();
  }

  /** Settles once it has read what it needs; others write meanwhile. Throws as `finish`. */
  async prepared(): Promise<void> {
    const result = await this.#answer;
    if (!('ready' in result)) writtenOf(result);
  }

  /**
   * Does it, with the write lock. Throws what the write throws, and `SERVICE_ARRETE` where the service ends; an error
   * where its thread ends before it has answered.
   */
  async finish(): Promise<WriteAnswer> {
    let result = await this.#answer;
    if ('ready' in result) {
      this.#answer = this.#next();
      this.#worker.postMessage(GO);
      result = await this.#answer;
    }
    return writtenOf(result);
  }

  /** Ends its thread: what is not written yet is not. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #next(): Promise<JobResult> {
    const message = once(this.#worker, 'message').then(([result]: JobResult[]) => result ?? ENDED);
    const next = Promise.race([message, this.#ended]);
    // Where nobody waits for it any more, its error would end the process.
    next.catch(() => undefined);
    return next;
  }
}

const ENDED: JobResult = { error: { message: 'The thread of a long write has ended' } };

function writtenOf(result: JobResult): WriteAnswer {
  if ('written' in result) return result.written;
  if ('refusal' in result) throw Refusal.of(result.refusal);
  if ('ready' in result) throw new Error('A long write was ready twice');
  const { message, ...rest } = result.error;
  throw Object.assign(new Error(message), rest);
}
