import type { Dispatcher } from 'undici';
import type { Detail } from '#shared/details';
import { MAX_LENGTHS } from '#shared/fields';
import type { TypeDocument } from '#shared/livres';
import {
  userAgent,
  Connections,
  createDnsLookup,
  discard,
  followRedirects,
  readBody,
} from './http.ts';
import { FairQueue, type QueueOwner } from './queue.ts';
import { truncate } from './texts.ts';

export interface SourceRecord {
  /** The identifier in the source; `null` without one. */
  readonly id: string | null;
  /** Never empty. */
  readonly titre: string;
  /** In reading order, without dates and roles, without repeats, in the record's order. */
  readonly auteurs: readonly string[];
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
  /** The valid ISBNs of the record, 13 digits without hyphens. */
  readonly isbns: readonly string[];
  /** Present if the record has it (docs/rules.md § 24). */
  readonly typeDocument?: TypeDocument;
  /** Further data of the record, under known names, without repeats. */
  readonly details: readonly Detail[];
}

/** Builds details, leaving out those without a value. */
export const detailsOf = (values: Readonly<Record<string, readonly string[]>>): Detail[] =>
  Object.entries(values).flatMap(([nom, texts]) => {
    const valeur = truncate([...new Set(texts)].join(', '), MAX_LENGTHS.freeText);
    return valeur === null ? [] : [{ nom, valeur }];
  });

/**
 * The source gave no usable response. An empty list would mean that the source has no such record (docs/rules.md §
 * 22).
 */
export class SourceUnreachable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'SourceUnreachable';
  }
}

/** A page of 500 records of the BnF has some 1 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

const MAX_REDIRECTS = 5;

/** Simultaneous requests to one source, which refuses too many: in all, for one person, and waiting. */
const LIMITS = { total: 4, perOwner: 2, waiting: 100 } as const;

/** The connections to the outside catalogues, which use no proxy of the environment. */
export const openAgent = (timeoutMs: number): Connections =>
  new Connections(
    ({ Agent }) =>
      new Agent({
        // Any address is admitted: it is the administrator's setting.
        connect: {
          timeout: timeoutMs,
          lookup: createDnsLookup({ admits: () => true, maxConcurrent: 1, timeoutMs }),
        },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        allowH2: false,
      }),
  );

export class Source {
  readonly base: URL;
  readonly #agent: Connections;
  readonly #timeoutMs: number;
  readonly #queue = new FairQueue(LIMITS);

  /** @param timeoutMs for one request with redirects and body */
  constructor(agent: Connections, base: string, timeoutMs: number) {
    this.#agent = agent;
    this.base = new URL(base);
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The text at an address, `null` on a plain 404. Throws `SourceUnreachable` on anything else: no connection, a
   * timeout, a 429, a 5xx, too long a response. The wait for a turn has its own timeout.
   */
  async read(url: URL, { owner, signal }: QueueOwner): Promise<string | null> {
    const limit = () => AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      return await this.#queue.run({ owner, signal: limit() }, () => this.#ask(url, limit()));
    } catch (error) {
      throw error instanceof SourceUnreachable
        ? error
        : new SourceUnreachable(`${this.base.hostname} does not answer`, error);
    }
  }

  async #ask(start: URL, signal: AbortSignal): Promise<string | null> {
    const ask = async (url: URL) => {
      if (url.hostname !== this.base.hostname)
        throw new SourceUnreachable(`${this.base.hostname} redirects to another host`);
      return this.#agent.request(url, { headers: { 'user-agent': userAgent() }, signal });
    };
    return readText(await followRedirects(start, MAX_REDIRECTS, ask));
  }
}

async function readText(response: Dispatcher.ResponseData): Promise<string | null> {
  if (response.statusCode === 200) {
    return new TextDecoder().decode(await readBody(response, MAX_BYTES));
  }
  await discard(response.body);
  if (response.statusCode === 404) return null;
  throw new SourceUnreachable(`The source answers ${String(response.statusCode)}`);
}

/** The oldest go first. */
const MAX_KNOWN = 1_000;

/**
 * The BnF's record identifiers by ISBN, learnt by lookups, `null` for none: the cover of a book just looked up needs
 * no further request. Each is returned once, so that a retry asks again.
 */
export class KnownArks {
  readonly #arks = new Map<string, string | null>();

  note(isbn: string, ark: string | null): void {
    this.#arks.delete(isbn);
    this.#arks.set(isbn, ark);
    const [oldest] = this.#arks.keys();
    if (this.#arks.size > MAX_KNOWN && oldest !== undefined) this.#arks.delete(oldest);
  }

  /** Returns and removes the entry; `undefined` if unknown. */
  take(isbn: string): string | null | undefined {
    const ark = this.#arks.get(isbn);
    this.#arks.delete(isbn);
    return ark;
  }
}

const MAX_SILENCES = 3;
const MIN_REST_MS = 60_000;
const MAX_REST_MS = 60 * 60_000;

/** How long to rest after so many silences in a row: longer each time from the third on (docs/rules.md § 44). */
export const restAfter = (silences: number): number =>
  silences < MAX_SILENCES ? 0 : Math.min(MIN_REST_MS * 2 ** (silences - MAX_SILENCES), MAX_REST_MS);

/** Each import and each completion of books has one question here at a time. */
const MAX_WAITING = 100;

/**
 * Background questions to catalogues, one at a time, each followed by a rest as long as it took. While the catalogues
 * are silent all wait until a person gets a response (docs/rules.md § 44).
 */
export class BackgroundQuestions {
  readonly #queue = new FairQueue({ total: 1, waiting: MAX_WAITING });
  #silences = 0;

  get areSilent(): boolean {
    return restAfter(this.#silences) > 0;
  }

  /**
   * Rejects without asking where the signal is aborted first. Throws QueueFull.
   *
   * @param isSilence whether an answer is empty because a catalogue did not answer
   */
  ask<T>(
    signal: AbortSignal,
    question: () => Promise<T>,
    isSilence: (answer: T) => boolean,
  ): Promise<T> {
    return this.#queue.run({ owner: '', signal }, async () => {
      const begin = performance.now();
      const answer = await question();
      signal.throwIfAborted();
      this.note(isSilence(answer), performance.now() - begin);
      return answer;
    });
  }

  /** Takes note of a question, a person's, too. */
  note(isSilence: boolean, tookMs = 0): void {
    if (isSilence && this.areSilent && this.#queue.isResting) return;
    this.#silences = isSilence ? this.#silences + 1 : 0;
    this.#queue.rest(restAfter(this.#silences) || tookMs);
  }
}

export interface Sources {
  readonly bnf: Source;
  readonly openLibrary: Source;
  readonly arks: KnownArks;
  readonly background: BackgroundQuestions;
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
  return {
    bnf: new Source(agent, config.bnfSruUrl, config.upstreamTimeout),
    openLibrary: new Source(agent, config.openLibraryUrl, config.upstreamTimeout),
    arks: new KnownArks(),
    background: new BackgroundQuestions(),
    close: () => agent.destroy(),
  };
}
