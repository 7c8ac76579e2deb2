import type { Dispatcher } from 'undici';
import type { Connections } from '#server/plumbing/upstream/connections';
import {
  BadAnswer,
  discard,
  followRedirects,
  readBody,
  userAgent,
} from '#server/plumbing/upstream/http';
import { FairQueue, type Asker } from '#server/plumbing/upstream/queue';
import { openAgent } from '#server/plumbing/upstream/source';
import { isAllowedUrl } from './address.ts';
import { openPublicAgent } from './connection.ts';
import { detectImageType, type ImageType } from './image.ts';
import { readRetryAfter } from './retry-after.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 10;

/** Images at a time, each in memory until its type is known; and of these, one person's. */
const LIMITS = { total: 12, perOwner: 6, waiting: 200 } as const;

export interface Image {
  readonly type: ImageType;
  readonly content: Buffer;
}

/** A source answered without a picture. */
export class NoImage extends BadAnswer {
  /** The HTTP status of the answer; 0 for an address that is not asked at all. */
  readonly status: number;
  /** How long the source wants to be left alone, in milliseconds; `null` where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, retryAfterMs: number | null = null) {
    super(`No image, with status ${String(status)}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Fetches images from the public web for a page that may not request them itself. */
export class Relay {
  readonly #agent: Connections;
  readonly #houseAgent: Connections;
  readonly #timeoutMs: number;
  readonly #queue = new FairQueue(LIMITS);
  /** All that is sent: nothing of the caller. */
  readonly #headers = { 'user-agent': userAgent(), accept: 'image/*' };

  /** @param timeoutMs for one image, its redirects and its body included */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    // As many connections to one host as images at a time: a fetch that has begun waits for nothing.
    this.#agent = openPublicAgent(timeoutMs, LIMITS.total);
    this.#houseAgent = openAgent(timeoutMs);
  }

  /**
   * The image at an address; throws where there is none to show, whatever the reason. Its time-out
   * runs from when the fetch begins: the wait for a turn does not count.
   */
  fetch(url: string, asker: Asker, site: string | null = null): Promise<Image> {
    return this.#queue.run(asker, () => this.download(url, { signal: asker.signal, site }));
  }

  /**
   * The same without the queue, for a caller that limits its own requests. Throws NoImage where the
   * source has answered, another BadAnswer where its answer makes no sense, and any error where it
   * has not.
   *
   * @param site an origin that may be anywhere, because a setting names it; what it redirects to may not
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
