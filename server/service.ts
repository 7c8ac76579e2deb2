import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createApp } from '#server/app';
import type { Config } from '#server/config';
import { openContext, type Context } from '#server/context';
import type { Upgrade } from '#server/database/upgrade';
import { withSmallHeap } from '#server/domain/small-heap';

/** From the signal to the end of open connections, and to the end of the process, which may take
 * five seconds at most. */
const CLOSE_TIMEOUT_MS = 3_000;
const EXIT_TIMEOUT_MS = 4_000;

/** The service of a household: one database behind one port, opened anew after a restore. */
export class Service {
  readonly #config: Config;
  readonly #fail: (error: unknown) => void;
  #context: Context;
  #app: FastifyInstance | null = null;

  /**
   * Opens the database, which is synchronous and may be long. Throws what `openContext` throws.
   *
   * @param fail told when the service cannot begin anew after a restore
   */
  constructor(config: Config, fail: (error: unknown) => void) {
    this.#config = config;
    this.#fail = fail;
    this.#context = this.#open();
  }

  /** Where it is, such as `http://127.0.0.1:3000` or `http://127.0.0.1:3000/biblio`, while it listens. */
  get url(): string {
    const { host, tls, basePath } = this.#config;
    return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${this.#port}${basePath}`;
  }

  /** What the start has changed of the database; `null` for one of this version. */
  get upgrade(): Upgrade | null {
    return this.#context.database.upgrade;
  }

  async listen(port = this.#config.port): Promise<void> {
    const app = await createApp(this.#context);
    this.#app = app;
    await app.listen({ host: this.#config.host, port });
    this.#context.covers.fetcher.start();
  }

  /** Answers the requests under way, then closes the connections and the database. */
  async close(): Promise<void> {
    const app = this.#app;
    if (app !== null) {
      setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref();
      await Promise.race([app.close(), delay(EXIT_TIMEOUT_MS, undefined, { ref: false })]);
    }
    this.#context.database.close();
  }

  get #port(): number {
    const bound = this.#app?.server.address();
    return typeof bound === 'object' && bound !== null ? bound.port : 0;
  }

  #open(): Context {
    return withSmallHeap(() => openContext(this.#config, (work) => void this.#restart(work)));
  }

  async #restart(work: () => void): Promise<void> {
    const port = this.#port;
    const app = this.#app;
    try {
      await this.close()
        .then(work)
        .catch((error: unknown) => {
          app?.log.error(error, 'Nothing was replaced');
        });
      this.#context = this.#open();
      await this.listen(port);
    } catch (error) {
      this.#fail(error);
    }
  }
}
