import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Refusal, type RefusalParts } from '#shared/refusals';
import type { DatabasePlace } from '#server/plumbing/database/connection';
import { LONG_WRITE } from '#server/plumbing/paths';
import { nameOf, type AnyLongOperation, type Write, type WriteAnswer } from './operations.ts';

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

export type LongCall = Write & { readonly operation: AnyLongOperation };

export class ThreadEnded extends Error {}

/** The lower the limit, the less V8 lets a heap grow between two collections; an import needs a third of this. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1000 };

/** Node ends a thread that has filled its heap; SQLite takes back what it had not committed. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

export class LongWrite {
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

  /** Writes, once the write lock is handed over. Throws what the write throws, `MEMOIRE_INSUFFISANTE`, or `ThreadEnded`. */
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
    const next = await this.#results.next().catch((error: unknown) => {
      throw isOutOfMemory(error)
        ? Object.assign(new Refusal('MEMOIRE_INSUFFISANTE'), { cause: error })
        : error;
    });
    const result = next.done === true ? undefined : next.value[0];
    if (result === undefined) throw new ThreadEnded('The thread of a long write has ended');
    if ('refusal' in result) throw Refusal.of(result.refusal);
    if (!('error' in result)) return result;
    const { message, ...rest } = result.error;
    throw Object.assign(new Error(message), rest);
  }
}
