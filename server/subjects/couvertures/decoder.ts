import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Refusal } from '#shared/refusals';
import { DECODER } from '#server/plumbing/paths';
import { FairQueue, QueueFull, type QueueOwner } from '#server/plumbing/upstream/queue';
import {
  DeadlyPicture,
  DotPicture,
  isHeic,
  pixelsOf,
  UnreadablePicture,
  type DecodingResults,
} from './image.ts';

interface Limits {
  readonly bytes: number;
  readonly ms: number;
}

const LIMITS: Limits = { bytes: 512_000_000, ms: 30_000 };
/** An idle process ends after this long. */
const REST_MS = 10_000;
/** A picture that ended the process is tried once more: memory may have been short for another reason. */
const TRIES = 2;

/** How many pictures may wait for one owner, and for one person's own of up to 10 MiB each. */
const MAX_WAITING = 200;
const MAX_WAITING_OWN = 12;

const FROM_PERSON: ReadonlySet<keyof DecodingResults> = new Set([
  'fromPerson',
  'portrait',
] as const);

const FETCHED: QueueOwner = { owner: 'covers', signal: new AbortController().signal };

export interface Job<W extends keyof DecodingResults = keyof DecodingResults> {
  readonly work: W;
  readonly content: Buffer;
}

export type DecodingOutcome<W extends keyof DecodingResults = keyof DecodingResults> =
  | { readonly result: DecodingResults[W] }
  | { readonly problem: 'dot' | 'unreadable'; readonly message: string };

/**
 * Decodes pictures one at a time in a child process, started on demand: a picture that crashes it does not affect the
 * service (docs/rules.md § 43). Owners take turns, the smallest picture of each first.
 */
export class Decoder {
  readonly #limits: Limits;
  #child: ChildProcess | null = null;
  #rest: NodeJS.Timeout | undefined;
  readonly #queue = new FairQueue({ total: 1, waiting: MAX_WAITING });

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** Throws UnreadablePicture, DeadlyPicture, DotPicture; `IMAGES_EN_ATTENTE` for too many, or without a process. */
  async make<W extends keyof DecodingResults>(
    work: W,
    content: Buffer,
    caller = FETCHED,
  ): Promise<DecodingResults[W]> {
    const waiting = FROM_PERSON.has(work) ? MAX_WAITING_OWN : MAX_WAITING;
    try {
      return await this.#queue.run(caller, () => this.#try({ work, content }), {
        weight: pixelsOf(content),
        waiting,
      });
    } catch (error) {
      throw error instanceof QueueFull ? refusal('IMAGES_EN_ATTENTE', error) : error;
    }
  }

  async #try<W extends keyof DecodingResults>(job: Job<W>): Promise<DecodingResults[W]> {
    for (let tries = 0; tries < TRIES; tries++) {
      const outcome = await this.#ask(job);
      if (outcome === null) continue;
      if ('result' in outcome) return outcome.result;
      throw outcome.problem === 'dot'
        ? new DotPicture(outcome.message)
        : new UnreadablePicture(outcome.message);
    }
    throw new DeadlyPicture('Ended the process that decodes');
  }

  /** `null` where the process ended instead of answering. */
  async #ask<W extends keyof DecodingResults>(job: Job<W>): Promise<DecodingOutcome<W> | null> {
    clearTimeout(this.#rest);
    const child = (this.#child ??= this.#start());
    const done = new AbortController();
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#limits.ms);
    child.ref();
    child.channel?.ref();
    try {
      const ended = once(child, 'exit', done).then(() => null);
      const answered = new Promise<DecodingOutcome<W>>((resolve) => {
        child.once('message', (outcome: DecodingOutcome<W>) => resolve(outcome));
      });
      // A process to which no job can be sent has ended, or is of no use.
      child.send(job, (error) => error && child.kill('SIGKILL'));
      return await Promise.race([ended, answered]);
    } finally {
      done.abort();
      child.removeAllListeners('message');
      clearTimeout(timer);
      child.unref();
      child.channel?.unref();
      this.#rest = setTimeout(() => this.end(), REST_MS).unref();
    }
  }

  end(): void {
    clearTimeout(this.#rest);
    const child = this.#child;
    this.#child = null;
    if (child?.connected === true) child.disconnect();
  }

  /** Throws `IMAGES_EN_ATTENTE` where the system has no process or file left. */
  #start(): ChildProcess {
    let child: ChildProcess;
    try {
      child = fork(DECODER, [String(this.#limits.bytes)], {
        execArgv: ['--max-semi-space-size=1'],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
    } catch (error) {
      throw refusal('IMAGES_EN_ATTENTE', error);
    }
    // Without a listener the error event of a process that fails to start would end the service.
    child.on('error', () => undefined);
    if (child.pid === undefined) {
      if (child.connected) child.disconnect();
      throw refusal('IMAGES_EN_ATTENTE', new Error('No process could be started'));
    }
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }
}

const refusal = (
  code: 'IMAGES_EN_ATTENTE' | 'IMAGE_HEIC' | 'IMAGE_INVALIDE',
  cause: unknown,
): Refusal => Object.assign(new Refusal(code), { cause });

const decoder = new Decoder();

export const endDecoder = (): void => decoder.end();

/**
 * Throws like `Decoder.make`, but `IMAGE_INVALIDE` for a person's undecodable picture, and `IMAGE_HEIC` for an iPhone
 * photograph.
 */
export async function decode<W extends keyof DecodingResults>(
  work: W,
  content: Buffer,
  caller?: QueueOwner,
): Promise<DecodingResults[W]> {
  try {
    return await decoder.make(work, content, caller);
  } catch (error) {
    const isOfPerson =
      FROM_PERSON.has(work) && !(error instanceof Refusal) && !caller?.signal.aborted;
    if (!isOfPerson) throw error;
    throw refusal(isHeic(content) ? 'IMAGE_HEIC' : 'IMAGE_INVALIDE', error);
  }
}
