import PQueue from 'p-queue';
import { collections } from '#shared/collections';
import type { Endpoint } from '#shared/endpoint';
import { Refusal } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import type { DatabasePlace, Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { IdempotencyRecords } from './kept-answers.ts';
import type { OperationResult, OwnLongOperation, Write, WriteAnswer } from './operations.ts';
import { idOf, Tags } from './tags.ts';
import { LongWrite, ThreadEnded, type LongCall } from './thread.ts';

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
    const isPatient = long?.readAhead !== undefined;
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
      const prepared = await long.readAhead?.(records, call, (work) =>
        whenFree(() => records.database.write(work)),
      );
      return whenFree(() => this.perform(write, prepared));
    }
    const handOver = <T>(work: () => Promise<T>) =>
      whenFree(() => {
        write.signal?.throwIfAborted();
        return records.database.handOver(long.holder, work);
      });
    if (long.readAhead === undefined)
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
   * @param hasBody whether its answer is JSON before the commit: memory that ends behind it would refuse what is written
   */
  perform(write: Write, prepared?: unknown, hasBody = write.key !== null): WriteAnswer {
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
        const { answer, act, location } = outcome;
        const sent = {
          told: act?.told ?? null,
          status: location === undefined ? status : 201,
          headers: { ...headers, ...headersOf(tags, write, outcome, tx.revision()) },
        };
        if (!hasBody) return { answer, ...sent, body: null };
        const body = bodyOf(answer);
        if (key !== null) keys.keep(tx, key.owner, { fingerprint: key.fingerprint, ...sent, body });
        return { answer, ...sent, body };
      });
    } catch (error) {
      if (key !== null && isRefusal(error) && error.code === 'DOUBLON') {
        const body = JSON.stringify(errorBody(error, key.locale));
        const kept = {
          fingerprint: key.fingerprint,
          status: error.status,
          headers: {},
          told: null,
          body,
        };
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
    ...(act !== undefined && { 'X-Modification': String(act.id) }),
    ...(tag !== undefined && { ETag: tag }),
    ...(address !== undefined && { Location: address }),
  };
}

const bodyOf = (answer: unknown): string => (answer === undefined ? '' : JSON.stringify(answer));
