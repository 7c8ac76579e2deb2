import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { buildConnector, Dispatcher } from 'undici';
import { COVERS_SITE, fallbackCoverUrl } from '#shared/couvertures';
import { DAY_MS } from '#shared/days';
import { BNF_SITE } from '#shared/recherche';
import { type KnownArks, openAgent, type Source } from '#server/plumbing/upstream/sources';
import * as bnf from '#server/plumbing/upstream/bnf';
import {
  BadAnswer,
  Connections,
  createDnsLookup,
  discard,
  followRedirects,
  readBody,
  userAgent,
} from '#server/plumbing/upstream/http';
import { FairQueue, type QueueOwner } from '#server/plumbing/upstream/queue';
import { detectImageType, type ImageType } from './image.ts';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address, as sockets write it, is public: in no special-purpose block of the IANA registries, and in IPv6
 * within 2000::/3 (docs/rules.md § 27). The URL parser has normalised other notations (octal, `127.1`); any other
 * text is not public.
 */
export function isPublic(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address))
    return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(address)) return false;
  const ipv6 = ipaddr.IPv6.parse(address);
  return ipv6.zoneId === undefined && ipv6.range() === 'unicast' && ipv6.match(GLOBAL_UNICAST);
}

export const isAllowedUrl = ({ protocol, port, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') &&
  (port === '' || port === '80' || port === '443') &&
  username === '' &&
  password === '';

/**
 * Connects to public addresses only, ignoring proxies of the environment. The socket connects to the address that the
 * lookup accepted, even if the name resolves to another one a moment later. A literal address is checked without a
 * lookup.
 *
 * @param timeoutMs for each phase of a request
 * @param connections to one host at a time
 */
const openPublicAgent = (timeoutMs: number, connections: number): Connections =>
  new Connections(({ Agent, buildConnector: build }) => {
    const open = build({
      timeout: timeoutMs,
      allowH2: false,
      lookup: createDnsLookup({ admits: isPublic, maxConcurrent: 2, timeoutMs }),
    });
    const connect: buildConnector.connector = (options, callback) => {
      if (isIP(options.hostname) !== 0 && !isPublic(options.hostname))
        callback(new Error('Not a public address'), null);
      else open(options, callback);
    };
    return new Agent({
      connect,
      connections,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  });

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 10;

/** Images fetched at a time, each in memory until its type is known; in all, for one person, and waiting. */
const LIMITS = { total: 12, perOwner: 6, waiting: 200 } as const;

export interface Image {
  readonly type: ImageType;
  readonly content: Buffer;
}

export class NoImage extends BadAnswer {
  /** The HTTP status; 0 for a forbidden address. */
  readonly status: number;
  /** The source's Retry-After; `null` without one. */
  readonly retryAfterMs: number | null;

  constructor(status: number, retryAfterMs: number | null = null) {
    super(`No image, with status ${String(status)}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A longer wait is cut to a week. */
const MAX_RETRY_MS = 7 * DAY_MS;

/** In milliseconds, from a number of seconds or a date. */
export function readRetryAfter(
  header: string | string[] | undefined,
  now = Date.now(),
): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  const ms = /^\d+$/u.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_MS);
}

export class Relay {
  readonly #agent: Connections;
  readonly #houseAgent: Connections;
  readonly #timeoutMs: number;
  readonly #queue = new FairQueue(LIMITS);
  /** All headers that are sent: nothing of the caller's. */
  readonly #headers = { 'user-agent': userAgent(), accept: 'image/*' };

  /** @param timeoutMs for one image with redirects and body */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    // The same number of connections to one host as concurrent pictures, so that a started fetch never waits.
    this.#agent = openPublicAgent(timeoutMs, LIMITS.total);
    this.#houseAgent = openAgent(timeoutMs);
  }

  /** Throws without an image, for whatever reason. The timeout begins after the wait for a turn. */
  fetch(url: string, caller: QueueOwner, site: string | null = null): Promise<Image> {
    return this.#queue.run(caller, () => this.download(url, { signal: caller.signal, site }));
  }

  /**
   * Fetches without the queue, for a caller with its own limits. Throws NoImage if the source has none, another
   * BadAnswer for an unreadable response, and any other error without a response.
   *
   * @param site a configured origin that may be private; a redirect from it must stay there
   */
  async download(
    url: string,
    { signal, site = null }: { signal: AbortSignal; site?: string | null },
  ): Promise<Image> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    const ask = async (each: URL): Promise<Dispatcher.ResponseData> => {
      const isOfHouse = each.origin === site;
      if (!isOfHouse && !isAllowedUrl(each)) throw new NoImage(0);
      const agent = isOfHouse ? this.#houseAgent : this.#agent;
      return agent.request(each, { headers: this.#headers, signal: limit });
    };
    const start = URL.parse(url);
    if (start === null) throw new NoImage(0);
    return readImage(await followRedirects(start, MAX_REDIRECTS, ask));
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#houseAgent.destroy()]);
  }
}

async function readImage(response: Dispatcher.ResponseData): Promise<Image> {
  const { statusCode, headers, body } = response;
  if (statusCode !== 200) {
    await discard(body);
    throw new NoImage(statusCode, readRetryAfter(headers['retry-after']));
  }
  const content = await readBody(response, MAX_BYTES);
  const type = detectImageType(content, String(headers['content-type'] ?? ''));
  if (type === null) throw new NoImage(statusCode);
  return { type, content };
}

const BY_ISBN = /\/b\/isbn\/(\d{13})-L\.jpg(?:\?|$)/u;

/** The ISBN that an address is about, `null` for a picture's own address. */
export const isbnOf = (adresse: string): string | null =>
  adresse.startsWith('isbn:') ? adresse.slice(5) : (BY_ISBN.exec(adresse)?.[1] ?? null);

/** A record that does not exist: the BnF answers with its placeholder picture, which may change any day. */
const UNKNOWN_ARK = 'ark:/12148/cb000000000';
const PLACEHOLDER_MS = DAY_MS;
const NOT_LEARNT = { content: null, until: 0 };

/** The origin of a site that a setting names; `null` where it is the public site. */
const ownOrigin = (site: string, publicSite: string): string | null =>
  new URL(site).origin === new URL(publicSite).origin ? null : new URL(site).origin;

interface CoverSourcesParts {
  readonly relay: Relay;
  readonly bnf: Source;
  readonly arks: KnownArks;
  readonly coversSite: string;
  readonly bnfSruUrl: string;
}

/** The sources of pictures: an address, or for an ISBN the two sources in turn. */
export class CoverSources {
  readonly #parts: CoverSourcesParts;
  // Only a configured site may have a private address.
  readonly #coversOrigin: string | null;
  readonly #bnfOrigin: string | null;
  /** The BnF's placeholder; `null` where it sends none. */
  #placeholder: { readonly content: Buffer | null; readonly until: number } = NOT_LEARNT;

  constructor(parts: CoverSourcesParts) {
    this.#parts = parts;
    this.#coversOrigin = ownOrigin(parts.coversSite, COVERS_SITE);
    this.#bnfOrigin = ownOrigin(parts.bnfSruUrl, BNF_SITE);
  }

  adressesOf(url: string): string[] {
    const isbn = isbnOf(url);
    const isComposed = isbn !== null && url === fallbackCoverUrl(this.#parts.coversSite, isbn);
    return isComposed ? [url, `isbn:${isbn}`] : [url];
  }

  /** Throws as `Relay.download` does. */
  first(adresse: string, signal: AbortSignal): Promise<Image> {
    const { url, site } = this.#placeOf(adresse);
    return this.#parts.relay.download(url, { signal, site });
  }

  /** Like `first`, for a screen, which waits for its person's turn. */
  forScreen(adresse: string, caller: QueueOwner): Promise<Image> {
    const { url, site } = this.#placeOf(adresse);
    return this.#parts.relay.fetch(url, caller, site);
  }

  byNumber(number: number, signal: AbortSignal): Promise<Image> {
    const { relay, coversSite } = this.#parts;
    const url = `${coversSite.replace(/\/$/u, '')}/b/id/${String(number)}-L.jpg?default=false`;
    return relay.download(url, { signal, site: this.#coversOrigin });
  }

  /** Throws NoImage where the BnF has no such record or cover, and SourceUnreachable. */
  async second(isbn: string, caller: QueueOwner): Promise<Image> {
    const known = this.#parts.arks.take(isbn);
    if (known === null) throw new NoImage(404);
    if (known !== undefined) return this.byArk(known, caller.signal);
    for (const form of ['isbn13', 'isbn10'] as const) {
      const records = await bnf.recordsByIsbn(this.#parts.bnf, isbn, form, caller);
      const ark = records.find(({ id }) => id !== null)?.id ?? null;
      if (ark !== null) return this.byArk(ark, caller.signal);
    }
    throw new NoImage(404);
  }

  /** The BnF's placeholder counts as no cover. */
  async byArk(ark: string, signal: AbortSignal): Promise<Image> {
    const image = await this.#bnfCover(ark, signal);
    if (this.#placeholder.until <= Date.now()) await this.#learnPlaceholder(signal);
    if (this.#placeholder.content?.equals(image.content)) throw new NoImage(404);
    return image;
  }

  async #learnPlaceholder(signal: AbortSignal): Promise<void> {
    const placeholder = await this.#bnfCover(UNKNOWN_ARK, signal).catch((error: unknown) => {
      if (error instanceof NoImage && (error.status === 404 || error.status === 200)) return null;
      throw error;
    });
    const until = Date.now() + PLACEHOLDER_MS;
    this.#placeholder = { content: placeholder && placeholder.content, until };
  }

  /** The URL of an address, and the origin that may be private. */
  #placeOf(adresse: string): { readonly url: string; readonly site: string | null } {
    const isbn = isbnOf(adresse);
    const composed = isbn === null ? null : fallbackCoverUrl(this.#parts.coversSite, isbn);
    if (composed === null || (!adresse.startsWith('isbn:') && adresse !== composed))
      return { url: adresse, site: null };
    return { url: composed, site: this.#coversOrigin };
  }

  #bnfCover(ark: string, signal: AbortSignal): Promise<Image> {
    const url = new URL('/couverture', this.#parts.bnfSruUrl);
    url.search = `appName=NE&idArk=${ark}&couverture=1`;
    return this.#parts.relay.download(url.href, { signal, site: this.#bnfOrigin });
  }
}
