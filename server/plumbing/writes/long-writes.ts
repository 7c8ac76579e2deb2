import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Refusal, type RefusalParts } from '#shared/refusals';
import type { DatabasePlace } from '#server/plumbing/database/connection';
import { LONG_WRITE } from '#server/plumbing/paths';
import type { AnyCall } from './operation.ts';
import type { Write, Written } from './perform.ts';

/** A write for another thread, in values that can be sent there. */
export interface Job extends Omit<Write, 'endpoint' | 'run' | 'long' | 'sent'> {
  readonly place: DatabasePlace;
  readonly method: string;
  readonly path: string;
  readonly call: AnyCall;
  readonly sent: ReturnType<Write['sent']>;
}

/** What comes of a job: an outcome, a refusal or an error that nobody has foreseen. */
export type JobResult =
  | { readonly written: Written }
  | { readonly refusal: RefusalParts }
  | {
      readonly error: {
        readonly message: string;
        readonly stack?: string;
        readonly code?: unknown;
      };
    };

/** Runs writes in threads of their own, one at a time. */
export class LongWrites {
  #worker: Worker | null = null;
  #isClosing = false;

  /** Throws what the write throws, and `SERVICE_ARRETE` after `close`; an error where its thread ends before it has answered. */
  async run(
    place: DatabasePlace,
    { endpoint: _, run: __, long: ___, sent, ...write }: Write,
    { operation, call }: NonNullable<Write['long']>,
  ): Promise<Written> {
    const { method, path } = operation.endpoint;
    const job: Job = { ...write, place, method, path, call, sent: sent() };
    const worker = new Worker(LONG_WRITE, { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    worker.postMessage(job);
    this.#worker = worker;
    worker.once('exit', () => (this.#worker = null));
    const ended = once(worker, 'exit').then(() => []);
    const [result]: JobResult[] = await Promise.race([once(worker, 'message'), ended]);
    if (result === undefined && this.#isClosing) throw new Refusal('SERVICE_ARRETE');
    return writtenOf(result ?? ENDED);
  }

  /** Ends the thread of a write under way, which is then not done at all. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#worker?.terminate();
  }
}

const ENDED: JobResult = { error: { message: 'The thread of a long write has ended' } };

function writtenOf(result: JobResult): Written {
  if ('written' in result) return result.written;
  if ('refusal' in result) throw Refusal.of(result.refusal);
  const { message, ...rest } = result.error;
  throw Object.assign(new Error(message), rest);
}
