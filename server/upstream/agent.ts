import { Agent, request, type Dispatcher } from 'undici';
import { discard, readBody } from './body.ts';
import { Gate } from './gate.ts';
import { createLookup } from './names.ts';
import { redirection } from './redirect.ts';
import { SourceInjoignable } from './silence.ts';

/** The longest answer read: a page of 500 records of the BnF has some 1 MB. */
const TAILLE_MAXIMUM = 4 * 1024 * 1024;

const REDIRECTIONS_MAXIMUM = 5;

/** Requests at a time to one source: they refuse who calls too often at once. */
const SIMULTANEES = 4;

export interface UpstreamOptions {
  /** The whole of one request, its redirects and its body included, in milliseconds. */
  readonly timeoutMs: number;
  /** Names the application and its contact, in ASCII. */
  readonly userAgent: string;
}

/** The connections to the outside catalogues, which know no proxy of the environment. */
export function openAgent(timeoutMs: number): Agent {
  return new Agent({
    // A catalogue may be anywhere: its address is the administrator's own setting.
    connect: {
      timeout: timeoutMs,
      lookup: createLookup({ admits: () => true, places: 1, timeoutMs }),
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    allowH2: false,
  });
}

/** One outside catalogue: where it is, and the one way to ask it. */
export class Source {
  readonly base: URL;
  readonly #agent: Dispatcher;
  readonly #options: UpstreamOptions;
  readonly #gate = new Gate(SIMULTANEES);

  constructor(agent: Dispatcher, base: string, options: UpstreamOptions) {
    this.#agent = agent;
    this.base = new URL(base);
    this.#options = options;
  }

  /**
   * The text at an address of the source, `null` where there is none (a plain 404). Throws
   * `SourceInjoignable` for everything else: no connection, a timeout, a 429, a 5xx, an answer
   * too long. Waiting for its turn is bounded like the request itself.
   */
  async lire(url: URL, signal: AbortSignal): Promise<string | null> {
    try {
      return await this.#gate.run(this.#bounded(signal), () =>
        this.#suivre(url, this.#bounded(signal)),
      );
    } catch (error) {
      throw error instanceof SourceInjoignable
        ? error
        : new SourceInjoignable(`${this.base.hostname} ne répond pas`, error);
    }
  }

  #bounded(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]);
  }

  async #suivre(depart: URL, signal: AbortSignal): Promise<string | null> {
    let url = depart;
    for (let saut = 0; saut <= REDIRECTIONS_MAXIMUM; saut++) {
      const reponse = await this.#demander(url, signal);
      const suite = redirection(reponse, url);
      if (suite === null) return lireReponse(reponse);
      await discard(reponse.body);
      if (suite.hostname !== this.base.hostname) {
        throw new SourceInjoignable(`${this.base.hostname} renvoie à un autre hôte`);
      }
      url = suite;
    }
    throw new SourceInjoignable(`${this.base.hostname} renvoie sans fin`);
  }

  #demander(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    return request(url, {
      dispatcher: this.#agent,
      headers: { 'user-agent': this.#options.userAgent },
      signal,
    });
  }
}

async function lireReponse(reponse: Dispatcher.ResponseData): Promise<string | null> {
  if (reponse.statusCode === 200) {
    return new TextDecoder().decode(await readBody(reponse, TAILLE_MAXIMUM));
  }
  await discard(reponse.body);
  if (reponse.statusCode === 404) return null;
  throw new SourceInjoignable(`La source répond ${String(reponse.statusCode)}`);
}
