import PQueue from 'p-queue';
import { userAgent } from './http.ts';
import { QueueFull } from './queue.ts';
import { openAgent, Source } from './source.ts';

/** The most ISBNs that are remembered; the oldest go first. */
const MAX_KNOWN = 1_000;

/**
 * What lookups have heard of the national library's record of an ISBN, `null` for none: whoever fetches the cover
 * of the book that was looked up asks it no more. Told once, so that a later try asks anew.
 */
export class KnownArks {
  readonly #arks = new Map<string, string | null>();

  note(isbn: string, ark: string | null): void {
    this.#arks.delete(isbn);
    this.#arks.set(isbn, ark);
    const [oldest] = this.#arks.keys();
    if (this.#arks.size > MAX_KNOWN && oldest !== undefined) this.#arks.delete(oldest);
  }

  /** Tells it, and forgets it; `undefined` where nobody has asked. */
  take(isbn: string): string | null | undefined {
    const ark = this.#arks.get(isbn);
    this.#arks.delete(isbn);
    return ark;
  }
}

/** After this many questions in a row without an answer the catalogues are left alone for a while. */
const MAX_SILENCES = 3;
/** How long: a minute, then twice as long each time, an hour at most. */
const MIN_REST_MS = 60_000;
const MAX_REST_MS = 60 * 60_000;
/** Questions that may wait: each import and what completes books asks one at a time. */
const MAX_WAITING = 100;

/**
 * The questions that nobody waits for, one at a time and with as long a rest after each as it took. While
 * the catalogues are silent all of them rest together, and an answer that a person gets ends that rest
 * (docs/rules.md § 44).
 */
export class BackgroundQuestions {
  readonly #queue = new PQueue({ concurrency: 1 });
  #silences = 0;
  #restMs = MIN_REST_MS;
  #wake: NodeJS.Timeout | undefined;

  /** Whether the catalogues are taken for out of reach, and not one question for too hard. */
  get areSilent(): boolean {
    return this.#silences >= MAX_SILENCES;
  }

  /**
   * Asks when its turn has come. Rejects without asking when the signal is aborted before. Throws QueueFull.
   *
   * @param isSilence whether an answer tells nothing because a catalogue has not answered
   */
  async ask<T>(
    signal: AbortSignal,
    question: () => Promise<T>,
    isSilence: (answer: T) => boolean,
  ): Promise<T> {
    const turn = async (): Promise<T> => {
      const begin = performance.now();
      const answer = await question();
      signal.throwIfAborted();
      this.note(isSilence(answer), performance.now() - begin);
      return answer;
    };
    if (this.#queue.size >= MAX_WAITING) throw new QueueFull('Too much is waiting');
    return this.#queue.add(turn, { signal });
  }

  /** Takes note of a question that was asked, by a person, too. */
  note(isSilence: boolean, tookMs = 0): void {
    if (!isSilence) {
      this.#silences = 0;
      this.#restMs = MIN_REST_MS;
      this.#rest(tookMs);
      return;
    }
    this.#silences++;
    if (this.#queue.isPaused) return;
    this.#rest(this.areSilent ? this.#restMs : tookMs);
    if (this.areSilent) this.#restMs = Math.min(2 * this.#restMs, MAX_REST_MS);
  }

  #rest(ms: number): void {
    this.#queue.pause();
    clearTimeout(this.#wake);
    this.#wake = setTimeout(() => this.#queue.start(), ms).unref();
  }
}

/** The outside catalogues, each with the one queue that all its questions go through. */
export interface Sources {
  readonly bnf: Source;
  readonly openLibrary: Source;
  readonly arks: KnownArks;
  /** What imports and completions ask goes through it. */
  readonly background: BackgroundQuestions;
  /** Ends the requests under way, which then fail. */
  readonly close: () => Promise<void>;
}

interface SourcesConfig {
  readonly bnfSruUrl: string;
  readonly openLibraryUrl: string;
  /** For one request, in milliseconds. */
  readonly upstreamTimeout: number;
}

export function openSources(config: SourcesConfig): Sources {
  const agent = openAgent(config.upstreamTimeout);
  const options = { timeoutMs: config.upstreamTimeout, userAgent: userAgent() };
  return {
    bnf: new Source(agent, config.bnfSruUrl, options),
    openLibrary: new Source(agent, config.openLibraryUrl, options),
    arks: new KnownArks(),
    background: new BackgroundQuestions(),
    close: () => agent.destroy(),
  };
}
