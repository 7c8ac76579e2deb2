import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import { FairQueue } from './queue.ts';
import application from '../../../package.json' with { type: 'json' };

type DatabaseSummary = typeof Undici;

interface Options {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly signal: AbortSignal;
}

/** Undici is loaded by the first request: it is a third of the service's code, and most days have no request. */
export class Connections {
  readonly #open: (library: DatabaseSummary) => Undici.Agent;
  #agent: Undici.Agent | null = null;
  #isClosed = false;

  constructor(open: (library: DatabaseSummary) => Undici.Agent) {
    this.#open = open;
  }

  async request(url: URL, options: Options): Promise<Dispatcher.ResponseData> {
    const library = await import('undici');
    if (this.#isClosed) throw new Error('The connections are closed');
    this.#agent ??= this.#open(library);
    return library.request(url, { ...options, dispatcher: this.#agent });
  }

  async destroy(): Promise<void> {
    this.#isClosed = true;
    await this.#agent?.destroy();
  }
}

const MAX_WAITING = 100;

interface LookupOptions {
  readonly admits: (address: string) => boolean;
  /**
   * How many lookups may run at once. Node resolves names on its pool of four threads, which also reads files, and a
   * dead name server blocks a thread for many seconds: one thread has to stay free.
   */
  readonly maxConcurrent: number;
  /** How long a lookup may wait for its turn, in milliseconds. */
  readonly timeoutMs: number;
}

export function createDnsLookup(options: LookupOptions): LookupFunction {
  const { admits, maxConcurrent, timeoutMs } = options;
  const queue = new FairQueue({ total: maxConcurrent, waiting: MAX_WAITING });
  const lookUp = (hostname: string) =>
    queue.run({ owner: '', signal: AbortSignal.timeout(timeoutMs) }, () =>
      dns.promises.lookup(hostname, { all: true }),
    );
  return (hostname, { all: wantsAll }, callback) => {
    lookUp(hostname).then(
      (all) => {
        const admitted = all.filter(({ address }) => admits(address));
        const first = admitted[0];
        if (first === undefined) callback(new Error('No address to connect to'), '');
        else if (wantsAll === true) callback(null, admitted);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('No such name'), ''),
    );
  };
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** A longer discarded answer closes its connection. */
const MAX_DISCARDED_BYTES = 16_384;

/** An answer that cannot be used: too long, compressed, a redirect to nowhere. */
export class BadAnswer extends Error {}

/** A contact that the build inserts; '' for none. */
declare const CONTACT_EMAIL: string;

/**
 * The service's name for other sites, with its contact: Open Library allows more requests then. ASCII only, since old
 * filters refuse anything else.
 */
export function userAgent(
  contact = typeof CONTACT_EMAIL === 'undefined' ? '' : CONTACT_EMAIL,
): string {
  const { name, version } = application;
  const product = `${name.charAt(0).toUpperCase()}${name.slice(1)}/${version}`;
  const named = contact === '' ? product : `${product} (${contact})`;
  return named.replace(/[^\x20-\x7e]/gu, '');
}

/** Follows redirects; the error of `ask` for a forbidden address ends the chain. */
export async function followRedirects(
  start: URL,
  max: number,
  ask: (url: URL) => Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  let url = start;
  for (let redirects = 0; redirects <= max; redirects++) {
    const response = await ask(url);
    if (!REDIRECT_STATUSES.has(response.statusCode)) return response;
    await discard(response.body);
    url = redirectTarget(response, url);
  }
  throw new BadAnswer('Too many redirects');
}

function redirectTarget({ headers }: Pick<Dispatcher.ResponseData, 'headers'>, from: URL): URL {
  const { location } = headers;
  if (typeof location !== 'string') throw new BadAnswer('A redirect without a location');
  const target = URL.parse(location, from.href);
  if (target === null) throw new BadAnswer('A redirect to no address');
  return target;
}

/**
 * Reads a body. Throws on more than `limit` bytes, announced or not, and on a compressed body, whose decompressed
 * size has no bound.
 */
export async function readBody(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  limit: number,
): Promise<Buffer> {
  const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isCompressed || Number(headers['content-length'] ?? 0) > limit) {
    await discard(body);
    throw new BadAnswer(isCompressed ? 'The answer is compressed' : 'The answer is too long');
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limit) throw new BadAnswer('The answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: MAX_DISCARDED_BYTES });
}
