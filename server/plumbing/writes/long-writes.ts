import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Refusal, type RefusalParts } from '#shared/refusals';
import type { DatabasePlace } from '#server/plumbing/database/connection';
import { LONG_WRITE } from '#server/plumbing/paths';
import type { AnyCall } from './operation.ts';
import type { Write, Written } from './perform.ts';

/** A write for another thread, in values that can be sent there. */
export interface Job extends Omit<Write, 'endpoint' | 'run' | 'long' | 'sent' | 'signal'> {
  readonly place: DatabasePlace;
  readonly method: string;
  readonly path: string;
  readonly call: AnyCall;
  readonly sent: ReturnType<Write['sent']>;
}

/** Sent to the thread of a job that has told that it is ready, once it may write. */
export const GO = 'go';

/** What comes of a job: that it is ready to write, an outcome, a refusal or an error that nobody has foreseen. */
export type JobResult =
  | { readonly ready: true }
  | { readonly written: Written }
  | { readonly refusal: RefusalParts }
  | {
      readonly error: {
        readonly message: string;
        readonly stack?: string;
        readonly code?: unknown;
      };
    };

/** Runs writes in threads of their own; one at a time writes, as there is one write lock. */
export class LongWrites {
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
  async finish(): Promise<Written> {
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
    // Whoever waits is told; nobody may wait any more.
    next.catch(() => undefined);
    return next;
  }
}

const ENDED: JobResult = { error: { message: 'The thread of a long write has ended' } };

function writtenOf(result: JobResult): Written {
  if ('written' in result) return result.written;
  if ('refusal' in result) throw Refusal.of(result.refusal);
  if ('ready' in result) throw new Error('A long write was ready twice');
  const { message, ...rest } = result.error;
  throw Object.assign(new Error(message), rest);
}
