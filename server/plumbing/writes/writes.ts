import { createHash } from 'node:crypto';
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { RecordCollection } from '#shared/change-reader';
import { collections } from '#shared/collections';
import type { Answer, Body, Endpoint, Params, Query } from '#shared/endpoint';
import { Refusal, type RefusalParts } from '#shared/refusals';
import { shortened } from '#shared/text';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { parseKept } from '#server/plumbing/common/kept-json';
import type { DatabasePlace, Reader, Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { LONG_WRITE } from '#server/plumbing/paths';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';

export interface Call<E extends Endpoint> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** Who is calling; always known to a personal operation. */
  readonly utilisateur: E extends { readonly personal: true } ? string : string | null;
}

/** What an operation returns for an endpoint without a response is not sent. */
export type HandlerAnswer<E extends Endpoint> = E extends { readonly response: object }
  ? Answer<E>
  : unknown;

/** What a write did as a whole, as the history tells it. */
export interface Act {
  readonly id: number;
  readonly resume: string;
}

export interface OperationResult<T = unknown> {
  readonly answer: T;
  readonly act?: Act | undefined;
  /** The address of what it made, where the endpoint names no record. */
  readonly location?: string;
}

/** Runs a short write of its own, in its turn: others write before and after it. */
export type ShortWrites = <T>(work: (tx: Transaction) => T) => Promise<T>;

/** A write that may touch so many records that it blocks everyone: it then runs in a thread with the database alone. */
interface LongWork<C, P, T> {
  /** Whom others are told that they wait for, such as « Un import ». */
  readonly holder: string;
  /** About how many records it touches. */
  size(records: Records, call: C): number;
  /**
   * Reads what it needs while others still write, and may note something that nobody sees before `run`; left out where
   * nothing is read beforehand.
   */
  prepare?(records: Records, call: C, inTurn: ShortWrites): Promise<P>;
  run(records: Records<Transaction>, call: C, prepared: P): OperationResult<T>;
}

/** That of a request. */
export interface LongOperation<
  E extends Endpoint,
  C extends Call<E> = Call<E>,
  P = undefined,
> extends LongWork<C, P, HandlerAnswer<E>> {
  readonly endpoint: E;
}

/** One that no request asks for; its thread knows it by its name. */
export interface OwnLongOperation<C, P = undefined> extends LongWork<C, P, undefined> {
  readonly name: string;
}

export type AnyCall = { readonly [K in keyof Call<Endpoint>]: unknown };

/** An operation of whatever endpoint; its calls have been validated by that endpoint's schemas. */
export interface AnyOperation {
  run(records: Records<Transaction>, call: object, prepared: unknown): OperationResult;
}

export interface AnyLongOperation extends AnyOperation, Pick<LongOperation<Endpoint>, 'holder'> {
  /** One of them is there. */
  readonly endpoint?: Endpoint;
  readonly name?: string;
  size(records: Records, call: object): number;
  prepare?(records: Records, call: object, inTurn: ShortWrites): Promise<unknown>;
}

const longOperations = new Map<string, AnyLongOperation>();

const nameOf = ({ name, endpoint }: AnyLongOperation): string =>
  name ?? (endpoint === undefined ? '' : `${endpoint.method} ${endpoint.path}`);

/** Declares a long operation: its thread knows it by the method and path of its endpoint. */
export function longOperation<const E extends Endpoint, C extends Call<E> = Call<E>, P = undefined>(
  operation: LongOperation<E, C, P>,
): LongOperation<E, C, P> {
  longOperations.set(nameOf(operation), operation);
  return operation;
}

export function ownLongOperation<C extends object, P>(
  operation: OwnLongOperation<C, P>,
): OwnLongOperation<C, P> {
  longOperations.set(nameOf(operation), operation);
  return operation;
}

export function longOperationNamed(name: string): AnyLongOperation {
  const operation = longOperations.get(name);
  if (operation === undefined) throw new Error(`${name} is no long operation`);
  return operation;
}

export interface Write {
  /** `null` where no request asks for it. */
  readonly endpoint: Endpoint | null;
  readonly operation: AnyOperation | AnyLongOperation;
  readonly call: object;
  readonly utilisateur: string | null;
  /** Whom the history names; nobody where the household itself acts. */
  readonly actor: string | null;
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The key of the request, and what tells it from another one with the same key. */
  readonly key: { readonly owner: KeyOwner; readonly fingerprint: string } | null;
  /** For how long its sender wants it to wait for a long write of others, in milliseconds. */
  readonly maxWaitMs?: number | undefined;
  /** Aborted when nobody waits any more: what is read beforehand is then broken off, and what waits never begins. */
  readonly signal?: AbortSignal;
  /** What the handler has said besides the answer; called once that is there. */
  readonly readReply: () => Pick<WriteAnswer, 'status' | 'headers'>;
}

/** `body` is the answer's text where it is kept for a key or comes from another thread. */
interface WriteAnswer {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Operations on more records run in a thread of their own: others wait for less than 50 ms. */
const MAX_HERE = 100;

/** For a long write; then the sender is told for what. A proxy gives an answer up after a minute. */
export const MAX_WAIT_MS = 45_000;

/** Runs an operation and keeps what it changed as an act. */
type WithAct = (
  records: Records<Transaction>,
  operation: Pick<Write, 'actor'> & {
    readonly endpoint: Pick<Endpoint, 'modification' | 'record'>;
    readonly run: (records: Records<Transaction>) => OperationResult;
  },
) => OperationResult;

export class Writes {
  readonly records: Records<Database>;
  readonly tags: Tags;
  readonly keys: IdempotencyRecords;
  readonly #withAct: WithAct;
  readonly #threads = new Set<LongWrite>();
  /** One long write reads while another one writes: each thread takes some 60 MB. */
  readonly #reading = new PQueue({ concurrency: 1 });
  #isClosing = false;

  constructor(records: Records<Database>, journal: Journal, withAct: WithAct) {
    this.records = records;
    this.#withAct = withAct;
    this.tags = new Tags(records, journal);
    this.keys = new IdempotencyRecords(records.database);
  }

  /**
   * One of many records runs in a thread of its own; what it reads beforehand it reads while others write, one after
   * another. Throws
   * `TRAVAIL_EN_COURS` after 45 seconds, or sooner where the sender wants so; an operation that reads beforehand waits
   * without bound.
   *
   * @param readmit throws where the caller has lost their access
   */
  async inTurn(write: Write, readmit: () => void): Promise<WriteAnswer> {
    const { records } = this;
    const { writeLock, place } = records.database;
    const { operation, call } = write;
    const long = 'size' in operation ? operation : null;
    const isPatient = long?.prepare !== undefined;
    const maxMs = Math.min(write.maxWaitMs ?? MAX_WAIT_MS, MAX_WAIT_MS);
    const hasToWait = writeLock.isHeld;
    const whenFree = <T>(work: () => T) => {
      const admitted = () => {
        if (hasToWait) write.signal?.throwIfAborted();
        readmit();
        return work();
      };
      return writeLock.whenFree(admitted, isPatient ? Infinity : maxMs);
    };
    if (long === null) return whenFree(() => this.perform(write));
    if (long.size(records, call) <= MAX_HERE) {
      const prepared = await long.prepare?.(records, call, (work) =>
        whenFree(() => records.database.write(work)),
      );
      return whenFree(() => this.perform(write, prepared));
    }
    const handOver = <T>(work: () => Promise<T>) =>
      whenFree(() => {
        write.signal?.throwIfAborted();
        return records.database.handOver(long.holder, work);
      });
    if (long.prepare === undefined)
      return handOver(() => {
        // Begun as it is, it is done as a short one is, whether its sender still waits or not.
        const { signal: _, ...begun } = write;
        return this.#inThread(place, { ...begun, operation: long }, async (thread) => {
          await thread.prepared();
          return thread.finish();
        });
      });
    return this.#inReadingTurn((release) =>
      this.#inThread(place, { ...write, operation: long }, async (thread) => {
        while (await thread.prepared()) {
          await writeLock.behindOthers();
          await handOver(() => thread.takeTurn());
        }
        return handOver(() => {
          release();
          return thread.finish();
        });
      }),
    );
  }

  /** Does the household's own work, in its turn. */
  async own<C extends object, P>(
    operation: OwnLongOperation<C, P>,
    call: C,
    signal: AbortSignal,
  ): Promise<void> {
    const nobody = {
      utilisateur: null,
      actor: null,
      recordId: null,
      ifMatch: undefined,
      key: null,
    };
    const readReply = () => ({ status: 204, headers: {} });
    const write = { endpoint: null, operation, call, ...nobody, readReply, signal };
    await this.inTurn(write, () => undefined);
  }

  /** @param work has its turn to read until it calls `release` or settles */
  async #inReadingTurn<T>(work: (release: () => void) => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<undefined>();
    const done = Promise.withResolvers<T>();
    const release = () => turn.resolve(undefined);
    void this.#reading.add(async () => {
      done.resolve(work(release).finally(release));
      await turn.promise;
    });
    return done.promise;
  }

  /** Starts a thread, and ends it after the work. */
  async #inThread(
    place: DatabasePlace,
    write: LongCall,
    work: (thread: LongWrite) => Promise<WriteAnswer>,
  ): Promise<WriteAnswer> {
    write.signal?.throwIfAborted();
    this.#requireOpen();
    const thread = new LongWrite(place, write);
    this.#threads.add(thread);
    try {
      return await work(thread);
    } catch (error) {
      throw this.#isClosing && error instanceof ThreadEnded ? new Refusal('SERVICE_ARRETE') : error;
    } finally {
      this.#threads.delete(thread);
      await thread.end();
    }
  }

  /** Throws `SERVICE_ARRETE` once the service ends: what waited for its turn does not begin. */
  #requireOpen(): void {
    if (this.#isClosing) throw new Refusal('SERVICE_ARRETE');
  }

  /** Ends the long writes under way, of which nothing is written then. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#threads].map((each) => each.end()));
  }

  /**
   * In one transaction: the check of `If-Match`, the operation, its act and the answer kept for its key are all done,
   * or none (docs/rules.md § 29). A refusal that a person has to answer is kept for its key, too.
   *
   * @param prepared what a long operation has read beforehand
   */
  perform(write: Write, prepared?: unknown): WriteAnswer {
    const { records, tags, keys } = this;
    const { key, endpoint, actor, operation, call } = write;
    const run = (within: Records<Transaction>): OperationResult => {
      const outcome = operation.run(within, call, prepared);
      return endpoint?.response ? outcome : { ...outcome, answer: undefined };
    };
    try {
      return records.database.write((tx) => {
        tags.requireUnchanged(write);
        const outcome = this.#withAct(records.within(tx), { endpoint: endpoint ?? {}, actor, run });
        const { status, headers } = write.readReply();
        const { answer, location } = outcome;
        const sent = {
          status: location === undefined ? status : 201,
          headers: { ...headers, ...headersOf(tags, write, outcome, tx.revision()) },
        };
        if (key === null) return { answer, ...sent, body: null };
        const body = bodyOf(answer);
        keys.keep(tx, key.owner, { fingerprint: key.fingerprint, ...sent, body });
        return { answer, ...sent, body };
      });
    } catch (error) {
      if (key !== null && isRefusal(error) && error.code === 'DOUBLON') {
        const body = JSON.stringify(errorBody(error));
        const kept = { fingerprint: key.fingerprint, status: error.status, headers: {}, body };
        records.database.write((tx) => keys.keep(tx, key.owner, kept));
      }
      throw error;
    }
  }
}

/** The revision that shows the write, its act, and the record's tag and address. */
function headersOf(
  tags: Tags,
  { endpoint, utilisateur }: Write,
  { answer, act, location }: OperationResult,
  revision: number,
): Record<string, string> {
  const record = endpoint?.record;
  const id = idOf(answer);
  const tag = record && id !== null ? tags.of({ ...record, utilisateur, id }) : undefined;
  const hasAddress =
    endpoint?.method === 'POST' &&
    record &&
    id !== null &&
    'hasAddress' in collections[record.collection];
  const address = hasAddress ? `/api/${record.collection}/${String(id)}` : location;
  return {
    'X-Revision': String(revision),
    ...(act !== undefined && {
      'X-Modification': String(act.id),
      'X-Modification-Resume': encodeURIComponent(shortened(act.resume, MAX_RESUME)),
    }),
    ...(tag !== undefined && { ETag: tag }),
    ...(address !== undefined && { Location: address }),
  };
}

/** nginx takes 4 kB of headers by default; a character is up to 9 bytes there. */
const MAX_RESUME = 300;

export const bodyOf = (answer: unknown): string =>
  answer === undefined ? '' : JSON.stringify(answer);

// Tags

interface RecordKey {
  readonly collection: RecordCollection;
  readonly id: number;
  readonly utilisateur: string | null;
}

/** docs/rules.md § 29 */
class Tags {
  readonly #records: Records;
  readonly #journal: Journal;

  constructor(records: Records, journal: Journal) {
    this.#records = records;
    this.#journal = journal;
  }

  /** `undefined` where there is no such record. */
  of(key: RecordKey): string | undefined {
    const line = this.#line(key);
    return line === undefined || line.supprime ? undefined : formatTag(line.revision);
  }

  /** Throws `MODIFIE_ENTRETEMPS`. An unknown or foreign record passes, and is 404 later. */
  requireUnchanged(write: Pick<Write, 'endpoint' | 'utilisateur' | 'recordId' | 'ifMatch'>): void {
    const { endpoint, utilisateur, recordId: id, ifMatch } = write;
    const record = endpoint?.record;
    if (record === undefined || endpoint?.method === 'POST' || id === null || ifMatch === undefined)
      return;
    const { collection } = record;
    const line = this.#line({ collection, utilisateur, id });
    if (line === undefined || (!line.supprime && namesState(ifMatch, line))) return;
    const actuel = line.supprime ? null : this.#records.read(collection, id, utilisateur);
    throw new Refusal('MODIFIE_ENTRETEMPS', { actuel: actuel ?? null });
  }

  #line({ collection, utilisateur, id }: RecordKey) {
    const owner = collections[collection].personal ? (utilisateur ?? '') : '';
    return this.#journal.revisionOf(collection, owner, id);
  }
}

export function idOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'number' ? value.id : null;
}

const formatTag = (revision: number): string => `"${String(revision)}"`;

/** A comma-separated list of tags, by § 13.1.1 and § 8.8.3 of RFC 9110. */
const TAGS = /^(?:[ \t,]|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?=[ \t]*(?:,|$)))*$/;

/**
 * Whether `If-Match` or `If-None-Match` names a tag, or any by `*`. A weak tag counts like a strong one: a compressing
 * proxy weakens ours. What is no list of tags names none.
 */
export const namesTag = (header: string, tag: string): boolean =>
  names(header, (each) => each === tag);

/** An automatic cover moves the tag, but is no change of the state that `If-Match` names. */
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

// Answers kept for a key (docs/rules.md § 29)

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEPT = 10_000;

/** By a clock that nobody sets while the service runs: one that was a day behind may be put right between two tries. */
const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/** Bounds on the answers of many records, which each backup holds, too. */
const LARGE_BYTES = 16 * 1024;
const MAX_LARGE_BYTES = 8 * 1024 * 1024;

interface IdempotencyRecord {
  /** Tells the answered request from another one with the same key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or empty. */
  readonly body: string;
}

export interface KeyOwner {
  readonly utilisateur: string;
  readonly key: string;
}

/** By method, path and query as sent, and the bytes of the body. */
export const fingerprint = (method: string, url: string, body: Buffer | null): string =>
  createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(body ?? '')
    .digest('base64');

/** Kept for a day, each in the transaction of its write, so that a power cut leaves both or neither. */
export class IdempotencyRecords {
  readonly #database: Reader;
  readonly #underWay = new Set<string>();

  constructor(database: Reader) {
    this.#database = database;
  }

  /** Until the returned function is called. Throws `DEMANDE_EN_COURS` while another request holds the key. */
  reserve({ utilisateur, key }: KeyOwner): () => void {
    const name = JSON.stringify([utilisateur, key]);
    if (this.#underWay.has(name)) throw new Refusal('DEMANDE_EN_COURS');
    this.#underWay.add(name);
    return () => void this.#underWay.delete(name);
  }

  /** The answer kept under a key, whichever request's it is. */
  under({ utilisateur, key }: KeyOwner): IdempotencyRecord | undefined {
    const row = this.#database.get<
      Omit<IdempotencyRecord, 'headers'> & { readonly headers: string }
    >(
      `SELECT fingerprint, status, headers, body FROM IdempotencyRecord
       WHERE utilisateur = @utilisateur AND key = @key AND date > @since`,
      { utilisateur, key, since: steadyNow() - KEPT_FOR_MS },
    );
    return row && { ...row, headers: parseKept<IdempotencyRecord['headers']>(row.headers) };
  }

  /** The kept answer of a request. Throws `CLE_REUTILISEE` where the key was another request's. */
  find(owner: KeyOwner, requestFingerprint: string): IdempotencyRecord | undefined {
    const kept = this.under(owner);
    if (kept !== undefined && kept.fingerprint !== requestFingerprint)
      throw new Refusal('CLE_REUTILISEE');
    return kept;
  }

  /** Keeps an answer, and deletes those that are too old, too many, or too large in all, the oldest first. */
  keep(tx: Transaction, owner: KeyOwner, { headers, ...answer }: IdempotencyRecord): void {
    const date = steadyNow();
    tx.run(
      `INSERT OR REPLACE INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, body)
       VALUES (@utilisateur, @key, @fingerprint, @date, @status, @headers, @body)`,
      { ...owner, ...answer, date, headers: JSON.stringify(headers) },
    );
    // By ids, without counting: where large answers have left holes, fewer are kept.
    tx.run(
      `DELETE FROM IdempotencyRecord
       WHERE date <= ? OR id <= (SELECT max(id) FROM IdempotencyRecord) - ?`,
      date - KEPT_FOR_MS,
      MAX_KEPT,
    );
    if (answer.body.length > LARGE_BYTES)
      tx.run(
        `DELETE FROM IdempotencyRecord WHERE id IN (
           SELECT id FROM (
             SELECT id, sum(octet_length(body)) OVER (ORDER BY id DESC) AS total
               FROM IdempotencyRecord WHERE octet_length(body) > ?)
             WHERE total > ?)`,
        LARGE_BYTES,
        MAX_LARGE_BYTES,
      );
  }
}

// A long write in a thread: it reads, asks for turns to write something short, says that it is ready, waits for its turn,
// writes and answers (`server/start/long-write.ts`).

export interface Job extends Omit<Write, 'endpoint' | 'operation' | 'readReply' | 'signal'> {
  readonly place: DatabasePlace;
  /** Of its operation. */
  readonly name: string;
  readonly reply: ReturnType<Write['readReply']>;
}

/**
 * A thread asks for a turn to write something short and says that it has had it, any number of times; it says that it is
 * ready to write, then sends its answer, a refusal or an unforeseen error.
 */
export type JobResult =
  | { readonly turn: 'asked' | 'over' }
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

type LongCall = Write & { readonly operation: AnyLongOperation };

class ThreadEnded extends Error {}

/** The lower the limit, the less V8 lets a heap grow between two collections; an import needs a third of this. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1000 };

class LongWrite {
  readonly #worker = new Worker(LONG_WRITE, { resourceLimits: HEAP_LIMITS });
  readonly #results: AsyncIterator<JobResult[], undefined>;

  constructor(
    place: DatabasePlace,
    { endpoint: _, operation, readReply, signal, ...write }: LongCall,
  ) {
    this.#results = on(this.#worker, 'message', { close: ['exit'] });
    this.#worker.postMessage({
      ...write,
      place,
      name: nameOf(operation),
      reply: readReply(),
    } satisfies Job);
    const end = () => void this.end();
    signal?.addEventListener('abort', end);
    this.#worker.once('exit', () => signal?.removeEventListener('abort', end));
    if (signal?.aborted === true) end();
  }

  /** Waits until it is ready to write; says whether it asks for a short turn before. */
  async prepared(): Promise<boolean> {
    return 'turn' in (await this.#next());
  }

  /** Writes something short, once the write lock is handed over. Throws what the write throws, or `ThreadEnded`. */
  async takeTurn(): Promise<void> {
    this.#worker.postMessage('go');
    await this.#next();
  }

  /** Writes, once the write lock is handed over. Throws what the write throws, or `ThreadEnded`. */
  async finish(): Promise<WriteAnswer> {
    this.#worker.postMessage('go');
    const result = await this.#next();
    if ('written' in result) {
      // Its memory is free before the service takes what it wrote.
      await this.end();
      return result.written;
    }
    throw new Error('A long write was ready twice');
  }

  /** Nothing that is not committed yet is written. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #next(): Promise<Exclude<JobResult, { refusal: RefusalParts } | { error: object }>> {
    const next = await this.#results.next();
    const result = next.done === true ? undefined : next.value[0];
    if (result === undefined) throw new ThreadEnded('The thread of a long write has ended');
    if ('refusal' in result) throw Refusal.of(result.refusal);
    if (!('error' in result)) return result;
    const { message, ...rest } = result.error;
    throw Object.assign(new Error(message), rest);
  }
}
