import type { Dispatcher } from 'undici';
import type { TypeDocument } from '#shared/livres';
import { Connections, createDnsLookup, discard, followRedirects, readBody } from './http.ts';
import { FairQueue, type Asker } from './queue.ts';

/** What one record of an outside catalogue says of a book, in the household's terms. */
export interface SourceRecord {
  /** The record's identifier in its own source; `null` where it has none. */
  readonly id: string | null;
  /** Never empty. */
  readonly titre: string;
  /** In reading order, without dates and role, each person once, in the record's order. */
  readonly auteurs: readonly string[];
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
  /** The valid ISBNs that the record holds, 13 digits, without hyphens. */
  readonly isbns: readonly string[];
  /** Given where the record tells it (docs/rules.md § 24). */
  readonly typeDocument?: TypeDocument;
}

/**
 * Thrown where a source could not be asked, or its answer cannot be read: never an empty list, which
 * would say that it has no such record (docs/rules.md § 22).
 */
export class SourceUnreachable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'SourceUnreachable';
  }
}

/** The longest answer that is read: a page of 500 records of the BnF has some 1 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

const MAX_REDIRECTS = 5;

/** Requests at a time to one source, which refuses too many at once; of these one person's, and theirs that wait. */
const LIMITS = { total: 4, perOwner: 2, waiting: 100 } as const;

interface SourceOptions {
  /** For one request, its redirects and its body included, in milliseconds. */
  readonly timeoutMs: number;
  /** Names the application and its contact, in ASCII. */
  readonly userAgent: string;
}

/** The connections to the outside catalogues, which use no proxy of the environment. */
export const openAgent = (timeoutMs: number): Connections =>
  new Connections(
    ({ Agent }) =>
      new Agent({
        // A catalogue may be anywhere: its address is the administrator's own setting.
        connect: {
          timeout: timeoutMs,
          lookup: createDnsLookup({ admits: () => true, maxConcurrent: 1, timeoutMs }),
        },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        allowH2: false,
      }),
  );

/** One outside catalogue: where it is, and the one way to ask it. */
export class Source {
  readonly base: URL;
  readonly #agent: Connections;
  readonly #options: SourceOptions;
  readonly #queue = new FairQueue(LIMITS);

  constructor(agent: Connections, base: string, options: SourceOptions) {
    this.#agent = agent;
    this.base = new URL(base);
    this.#options = options;
  }

  /**
   * The text at an address of the source, `null` where there is none (a plain 404). Throws
   * `SourceUnreachable` for everything else: no connection, a time-out, a 429, a 5xx, an answer that
   * is too long. The wait for a turn is bounded as well, apart from the request.
   */
  async read(url: URL, { owner, signal }: Asker): Promise<string | null> {
    try {
      return await this.#queue.run({ owner, signal: this.#withTimeout(signal) }, () =>
        this.#follow(url, this.#withTimeout(signal)),
      );
    } catch (error) {
      throw error instanceof SourceUnreachable
        ? error
        : new SourceUnreachable(`${this.base.hostname} does not answer`, error);
    }
  }

  #withTimeout(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]);
  }

  async #follow(start: URL, signal: AbortSignal): Promise<string | null> {
    return readText(
      await followRedirects(start, MAX_REDIRECTS, (url) => this.#request(url, signal)),
    );
  }

  async #request(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (url.hostname !== this.base.hostname)
      throw new SourceUnreachable(`${this.base.hostname} redirects to another host`);
    return this.#agent.request(url, {
      headers: { 'user-agent': this.#options.userAgent },
      signal,
    });
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
