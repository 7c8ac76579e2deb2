import { on } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Refusal, type RefusalParts } from '#shared/refusals';
import type { DatabaseOptions } from '#server/plumbing/database/connection';
import { LONG_WRITE } from '#server/plumbing/paths';
import type { ReadingBounds, Write, WriteAnswer } from './operations.ts';

// A long write in a thread: it reads, asks for turns for short writes, reports that it is ready,
// waits for its turn, writes and answers (`server/start/long-write.ts`).

export interface Job extends Omit<Write, 'operation' | 'signal' | 'recheckAccess'> {
  readonly options: DatabaseOptions;
  /** The name of the operation. */
  readonly name: string;
}

/**
 * Messages of the thread: any number of requests for a short write and their ends, then « ready », then the response,
 * a refusal or an unexpected error.
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

type Progress = Exclude<JobResult, { refusal: RefusalParts } | { error: object }>;

export class ThreadEnded extends Error {}

/** The heap of a write without `ReadingBounds`. */
const MAX_HEAP_MB = 1000;

/**
 * If a large allocation fails, as of a growing map, V8 ends the whole process. The limit is therefore higher than the
 * watched bound, up to the size at which V8 collects less often.
 */
const heapLimitMb = (heapMb: number): number => Math.min(3 * heapMb, 2000);
const MAX_YOUNG_HEAP_MB = 8;

/** Interval at which the time and memory of a thread are checked. */
const LOOKED_AT_MS = 100;

/** Node ends a thread with a full heap; SQLite rolls back its transaction. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

export class LongWrite {
  readonly #worker: Worker;
  readonly #results: AsyncIterator<JobResult[], undefined>;
  readonly #bounds: ReadingBounds | undefined;
  readonly #heapMb: number;
  #isReading = true;
  #hasEnded = false;
  /** The bound that the thread exceeded, if it was ended for that. */
  #beyond: 'time' | 'memory' | null = null;

  constructor(options: DatabaseOptions, { operation, signal, recheckAccess: _, ...write }: Write) {
    this.#bounds = operation.size === undefined ? undefined : operation.bounds?.(write.call);
    this.#heapMb = this.#bounds?.heapMb ?? MAX_HEAP_MB;
    this.#worker = new Worker(LONG_WRITE, {
      resourceLimits: {
        maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB,
        maxOldGenerationSizeMb: heapLimitMb(this.#heapMb),
      },
    });
    this.#results = on(this.#worker, 'message', { close: ['exit'] });
    this.#worker.postMessage({ ...write, options, name: operation.name } satisfies Job);
    const end = () => void this.end();
    signal.addEventListener('abort', end);
    this.#worker.once('exit', () => {
      this.#hasEnded = true;
      signal.removeEventListener('abort', end);
    });
    if (signal.aborted) end();
    void this.#watch();
  }

  /**
   * Waits until the thread is ready to write (false) or asks for a short write (true). Throws the refusal of its
   * `ReadingBounds` if it exceeds them.
   */
  async prepared(): Promise<boolean> {
    return 'turn' in (await this.#whileReading());
  }

  /** Ends the thread once it exceeds its bounds. */
  async #watch(): Promise<void> {
    while (!this.#hasEnded && this.#beyond === null) {
      await setTimeout(LOOKED_AT_MS, undefined, { ref: false });
      const { cpuMs, heapMb } = await this.#taken();
      if (heapMb > this.#heapMb) this.#beyond = 'memory';
      else if (this.#isReading && cpuMs > (this.#bounds?.cpuMs ?? Infinity)) this.#beyond = 'time';
    }
    await this.end();
  }

  /** The resources that the thread has used; zero before it runs and after it has ended. */
  async #taken(): Promise<{ readonly cpuMs: number; readonly heapMb: number }> {
    try {
      const { used_heap_size: bytes } = await this.#worker.getHeapStatistics();
      const { user, system } = await this.#worker.cpuUsage();
      return { cpuMs: (user + system) / 1000, heapMb: bytes / 1_000_000 };
    } catch {
      return { cpuMs: 0, heapMb: 0 };
    }
  }

  /**
   * Lets the thread run a short write; the write lock has to be handed over. Throws the write's error, the refusal of
   * its `ReadingBounds` or `ThreadEnded`.
   */
  async takeTurn(): Promise<void> {
    this.#worker.postMessage('go');
    await this.#whileReading();
  }

  /**
   * Lets the thread write; the write lock has to be handed over. Throws the write's error, `MEMOIRE_INSUFFISANTE` or
   * `ThreadEnded`.
   */
  async finish(): Promise<WriteAnswer> {
    this.#isReading = false;
    this.#worker.postMessage('go');
    const result = await this.#next();
    if ('written' in result) {
      // Frees its memory before the service reads the changes.
      await this.end();
      return result.written;
    }
    throw new Error('A long write was ready twice');
  }

  /** Ends the thread; a transaction that is not committed is rolled back. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #whileReading(): Promise<Progress> {
    try {
      return await this.#next();
    } catch (error) {
      const beyond =
        error instanceof Refusal && error.code === 'MEMOIRE_INSUFFISANTE' ? 'memory' : this.#beyond;
      throw beyond === null || this.#bounds === undefined
        ? error
        : Object.assign(this.#bounds.refuse(beyond), { cause: error });
    }
  }

  async #next(): Promise<Progress> {
    const next = await this.#results.next().catch((error: unknown) => {
      throw isOutOfMemory(error)
        ? Object.assign(new Refusal('MEMOIRE_INSUFFISANTE'), { cause: error })
        : error;
    });
    const result = next.done === true ? undefined : next.value[0];
    if (result === undefined) {
      if (this.#beyond === 'memory') throw new Refusal('MEMOIRE_INSUFFISANTE');
      throw new ThreadEnded('The thread of a long write has ended');
    }
    if ('refusal' in result) throw Refusal.of(result.refusal);
    if (!('error' in result)) return result;
    const { message, ...rest } = result.error;
    throw Object.assign(new Error(message), rest);
  }
}
