import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Refusal, type RefusalParts } from '#shared/refusals';
import type { DatabaseOptions } from '#server/plumbing/database/connection';
import { LONG_WRITE } from '#server/plumbing/paths';
import type { ReadingBounds, Write, WriteAnswer } from './operations.ts';

// A long write in a thread: it reads, asks for turns to write something short, says that it is ready, waits for its turn,
// writes and answers (`server/start/long-write.ts`).

export interface Job extends Omit<Write, 'operation' | 'signal' | 'recheckAccess'> {
  readonly place: DatabaseOptions;
  /** Of its operation. */
  readonly name: string;
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

export class ThreadEnded extends Error {}

/** The lower the limit, the less V8 lets a heap grow between two collections. */
const MAX_HEAP_MB = 1000;
const MAX_YOUNG_HEAP_MB = 8;

/** How often it is looked at what the reading of a thread has taken. */
const LOOKED_AT_MS = 250;

/** Node ends a thread that has filled its heap; SQLite takes back what it had not committed. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

export class LongWrite {
  readonly #worker: Worker;
  readonly #results: AsyncIterator<JobResult[], undefined>;
  readonly #bounds: ReadingBounds | undefined;

  constructor(place: DatabaseOptions, { operation, signal, recheckAccess: _, ...write }: Write) {
    this.#bounds = operation.size === undefined ? undefined : operation.bounds?.(write.call);
    this.#worker = new Worker(LONG_WRITE, {
      resourceLimits: {
        maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB,
        maxOldGenerationSizeMb: this.#bounds?.heapMb ?? MAX_HEAP_MB,
      },
    });
    this.#results = on(this.#worker, 'message', { close: ['exit'] });
    this.#worker.postMessage({ ...write, place, name: operation.name } satisfies Job);
    const end = () => void this.end();
    signal.addEventListener('abort', end);
    this.#worker.once('exit', () => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
  }

  /**
   * Waits until it is ready to write; says whether it asks for a short turn before. Throws what the bounds of its reading
   * say of more.
   */
  async prepared(): Promise<boolean> {
    if (this.#bounds === undefined) return 'turn' in (await this.#next());
    const { cpuMs, refuse } = this.#bounds;
    const taken = { isBeyond: false };
    const looking = setInterval(() => {
      void this.#cpuMs().then((ms) => {
        if (ms <= cpuMs) return;
        taken.isBeyond = true;
        void this.end();
      });
    }, LOOKED_AT_MS);
    try {
      return 'turn' in (await this.#next());
    } catch (error) {
      if (taken.isBeyond) throw Object.assign(refuse('time'), { cause: error });
      if (error instanceof Refusal && error.code === 'MEMOIRE_INSUFFISANTE')
        throw Object.assign(refuse('memory'), { cause: error });
      throw error;
    } finally {
      clearInterval(looking);
    }
  }

  /** Of a thread that has ended none. */
  async #cpuMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
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
