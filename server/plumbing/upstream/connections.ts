import type * as Undici from 'undici';

type Library = typeof Undici;

/** What a request tells besides its address. */
interface Options {
  readonly method?: Undici.Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly signal: AbortSignal;
}

/**
 * Connections to other sites. The library that keeps them is loaded with the first request: it is a third of the
 * service's code, and most days nobody asks.
 */
export class Connections {
  readonly #open: (library: Library) => Undici.Agent;
  #agent: Undici.Agent | null = null;
  #isClosed = false;

  constructor(open: (library: Library) => Undici.Agent) {
    this.#open = open;
  }

  async request(url: URL, options: Options): Promise<Undici.Dispatcher.ResponseData> {
    const library = await import('undici');
    if (this.#isClosed) throw new Error('The connections are closed');
    this.#agent ??= this.#open(library);
    return library.request(url, { ...options, dispatcher: this.#agent });
  }

  /** Ends the requests under way, which then fail. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    await this.#agent?.destroy();
  }
}
