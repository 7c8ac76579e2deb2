import PQueue from 'p-queue';
import { collections } from '#shared/collections';
import { statusOf, type Endpoint } from '#shared/endpoint';
import { Refusal } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { ETags, idOf } from './etags.ts';
import { IdempotencyRecords } from './idempotency.ts';
import type {
  SavedModification,
  InternalOperation,
  Outcome,
  Retry,
  Write,
  WriteAnswer,
} from './operations.ts';
import { LongWrite, ThreadEnded } from './thread.ts';

// All writes of the service. `execute` waits for the lock, here or in a thread; `perform` runs the
// transaction.

/** Larger operations run in a thread, so that others wait for less than 50 ms. */
const MAX_HERE = 100;

/** How long a write waits for the lock before `TRAVAIL_EN_COURS`; below the usual proxy timeout of 60 s. */
export const MAX_WAIT_MS = 45_000;

/** Starts capturing changes; the returned function saves the history entry once the write has run. */
type BeginModification = (
  records: Records<Transaction>,
  write: { readonly endpoint: Endpoint | null; readonly actor: string | null },
) => (answer: unknown) => SavedModification | undefined;

export class Writes {
  readonly records: Records<Database>;
  readonly etags: ETags;
  readonly keys: IdempotencyRecords;
  readonly #beginModification: BeginModification;
  readonly #threads = new Set<LongWrite>();
  /** At most one thread reads ahead beside the one that writes: each takes some 60 MB. */
  readonly #reading = new PQueue({ concurrency: 1 });
  #isClosing = false;

  constructor(records: Records<Database>, journal: Journal, beginModification: BeginModification) {
    this.records = records;
    this.#beginModification = beginModification;
    this.etags = new ETags(records, journal);
    this.keys = new IdempotencyRecords(records.database);
  }

  /**
   * Runs a write once it gets the lock: small ones on this thread, large ones in a worker, whose reading phase does
   * not hold the lock. Throws `TRAVAIL_EN_COURS` after 45 s or the sender's limit; an operation with `readAhead`
   * waits without limit.
   */
  async execute(write: Write): Promise<WriteAnswer> {
    const { operation, call } = write;
    const { database } = this.records;
    if (operation.size === undefined || operation.size(database, call) <= MAX_HERE) {
      const ahead = await operation.readAhead?.(database, call, (work) =>
        this.#inTurn(write, () => database.write(work)),
      );
      return this.#inTurn(write, () => this.perform(write, ahead));
    }
    const withLock = <T>(work: () => Promise<T>) =>
      this.#inTurn(write, () => {
        write.signal.throwIfAborted();
        return database.handOver(operation.holder, work);
      });
    if (operation.readAhead === undefined)
      return withLock(() =>
        // Once started the write completes even if the client disconnects, so that the signal is
        // dropped.
        this.#inThread({ ...write, signal: NEVER }, async (thread) => {
          await thread.prepared();
          return thread.finish();
        }),
      );
    return this.#inReadingTurn((release) =>
      this.#inThread(write, async (thread) => {
        while (await thread.prepared()) {
          await database.writeLock.yieldToWaiters();
          await withLock(() => thread.takeTurn());
        }
        return withLock(() => {
          release();
          return thread.finish();
        });
      }),
    );
  }

  /**
   * Runs the transaction, again as long as the operation returns `retry`; a refusal that a person has to answer is
   * stored for the key.
   *
   * @param hasBody serializes the response before the commit: running out of memory afterwards would report a
   * committed write as failed
   */
  perform(
    write: Omit<Write, 'signal' | 'recheckAccess'>,
    ahead: unknown,
    hasBody = write.key !== null,
  ): WriteAnswer {
    try {
      let written = this.#transact(write, { ahead, hasBody });
      while ('retry' in written)
        written = this.#transact(write, { ahead, hasBody, retried: written.retry });
      return written;
    } catch (error) {
      this.#keepRefusal(write, error);
      throw error;
    }
  }

  /** `If-Match`, the operation, its history entry and the stored response are one transaction (docs/rules.md § 29). */
  #transact(
    write: Omit<Write, 'signal' | 'recheckAccess'>,
    {
      ahead,
      hasBody,
      retried,
    }: { readonly ahead: unknown; readonly hasBody: boolean; readonly retried?: unknown },
  ): WriteAnswer | Retry {
    const { operation, call, key, actor } = write;
    const { endpoint } = operation;
    return this.records.database.write((tx) => {
      const records = this.records.within(tx);
      // ETags are read on the transaction's connection, so that they include its writes.
      this.etags.requireUnchanged(write);
      const saveModification = this.#beginModification(records, { endpoint, actor });
      const outcome = operation.run(tx, { ...call, ahead, records, retried });
      if ('retry' in outcome) {
        tx.isRolledBack = true;
        return outcome;
      }
      const saved = saveModification(outcome.answer) ?? outcome.saved;
      const sent = {
        message: saved?.message ?? null,
        status: outcome.status ?? (endpoint === null ? 204 : statusOf(endpoint)),
        headers: this.#headersOf(write, outcome, saved, tx.revision()),
      };
      const answer = endpoint?.response ? outcome.answer : undefined;
      const body = hasBody ? (answer === undefined ? '' : JSON.stringify(answer)) : null;
      if (key !== null) this.keys.keep(tx, key, { ...sent, body: body ?? '' });
      return { answer, ...sent, body };
    });
  }

  /** The revision that shows the write, its history entry, and the record's tag and address. */
  #headersOf(
    { operation: { endpoint }, utilisateur }: Pick<Write, 'operation' | 'utilisateur'>,
    { answer, headers }: Outcome,
    saved: SavedModification | undefined,
    revision: number,
  ): Record<string, string> {
    const record = endpoint?.record;
    const id = idOf(answer);
    const tag = record && id !== null ? this.etags.of({ ...record, utilisateur, id }) : undefined;
    const hasAddress =
      endpoint?.method === 'POST' &&
      record &&
      id !== null &&
      'hasAddress' in collections[record.collection];
    return {
      'X-Revision': String(revision),
      ...(saved !== undefined && { 'X-Modification': String(saved.id) }),
      ...(tag !== undefined && { ETag: tag }),
      ...(hasAddress && { Location: `/api/${record.collection}/${String(id)}` }),
      ...headers,
    };
  }

  /** A refusal that a person has to answer is stored for its key, too. */
  #keepRefusal({ key }: Pick<Write, 'key'>, error: unknown): void {
    if (key === null || !isRefusal(error) || error.code !== 'DOUBLON') return;
    const body = JSON.stringify(errorBody(error, key.locale));
    const kept = { status: error.status, headers: {}, message: null, body };
    this.records.database.write((tx) => this.keys.keep(tx, key, kept));
  }

  /** Calls `work` once nobody has the write lock, if the caller may still write by then. */
  #inTurn<T>(
    { operation, maxWaitMs = MAX_WAIT_MS, signal, recheckAccess }: Write,
    work: () => T,
  ): Promise<Awaited<T>> {
    const { writeLock } = this.records.database;
    const hasToWait = writeLock.isHeld;
    return writeLock.whenFree(
      () => {
        if (hasToWait) signal.throwIfAborted();
        recheckAccess();
        return work();
      },
      operation.readAhead === undefined ? Math.min(maxWaitMs, MAX_WAIT_MS) : Infinity,
    );
  }

  /** Performs a write of the service's own, in its turn. */
  async runInternal<C extends object>(
    operation: InternalOperation<C>,
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
    const recheckAccess = () => undefined;
    await this.execute({
      ...nobody,
      operation,
      call: { ...call, prepared: undefined },
      signal,
      recheckAccess,
      maxWaitMs: undefined,
    });
  }

  /** @param work has the reading slot until it calls `release` or settles */
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
    write: Write,
    work: (thread: LongWrite) => Promise<WriteAnswer>,
  ): Promise<WriteAnswer> {
    write.signal.throwIfAborted();
    this.#requireOpen();
    const thread = new LongWrite(this.records.database.options, write);
    this.#threads.add(thread);
    try {
      return await work(thread);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      if (this.#isClosing) throw new Refusal('SERVICE_ARRETE');
      // Its caller has gone: no failure of the service.
      write.signal.throwIfAborted();
      throw error;
    } finally {
      this.#threads.delete(thread);
      await thread.end();
    }
  }

  /** Throws `SERVICE_ARRETE` once the service closes, so that queued work does not begin. */
  #requireOpen(): void {
    if (this.#isClosing) throw new Refusal('SERVICE_ARRETE');
  }

  /** Ends the running long writes, which are rolled back. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#threads].map((each) => each.end()));
  }
}

const NEVER = new AbortController().signal;
