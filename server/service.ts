import { m } from '#messages';
import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createApp, createDamagedApp } from '#server/app';
import type { Config } from '#server/config';
import { openContext, type Context } from '#server/start/context';
import { mayWrite } from '#server/plumbing/database/files';
import {
  DamagedDatabase,
  isOfDatabase,
  toUnusable,
  UnusableDatabase,
} from '#server/plumbing/database/unusable';
import type { Upgrade } from '#server/plumbing/database/migrations';
import { readerNotices } from '#server/start/known-readers';
import { findImpossibleValues } from '#server/start/impossible-values';
import { startNotices } from '#server/subjects/sauvegardes';
import { firstCode } from '#server/subjects/identity/invitations';

/** From the signal: when open connections are cut, and when the process ends. The system allows five seconds. */
const CLOSE_TIMEOUT_MS = 3_000;
const EXIT_TIMEOUT_MS = 4_000;

/** How often a damaged or read-only database is checked for a repair. */
const MENDED_PERIOD_MS = 2_000;

const MISSING = '';

/**
 * The service of a household: one database behind one port. It restarts on the same port after a restore, and after
 * the operator has replaced a damaged database or made a read-only one writable.
 */
export class Service {
  readonly #config: Config;
  readonly #fail: (error: unknown) => void;
  #openedState = MISSING;
  /** `null` while the database is damaged. */
  #context: Context | null;
  #app: FastifyInstance | null = null;
  #mendedTimer: NodeJS.Timeout | undefined;
  #firstLink: string | null = null;

  /**
   * Throws like `openContext`, except for a damaged database, which is reported on standard error.
   *
   * @param fail called if the service cannot restart
   */
  constructor(config: Config, fail: (error: unknown) => void) {
    this.#config = config;
    this.#fail = fail;
    this.#context = this.#open(DamagedDatabase);
  }

  /** For example `http://127.0.0.1:3000/biblio`; valid while it listens. */
  get url(): string {
    const { tls, basePath } = this.#config;
    const host = reachableHost(this.#config);
    return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${this.#port}${basePath}`;
  }

  get upgrade(): Upgrade | null {
    return this.#context?.database.upgrade ?? null;
  }

  /** The link for becoming the first member; `null` with members or without accounts. */
  get welcome(): string | null {
    const link = this.#firstLink;
    return link && m.operator_start_first_member({ url: link });
  }

  /** Warnings about the opened library: that it is new, that backups have more books, invalid dates and codes. */
  get notices(): string[] {
    const context = this.#context;
    return context === null
      ? []
      : [...startNotices(context), ...valuesNotices(context), ...readerNotices(context.readers)];
  }

  async listen(port = this.#config.port): Promise<void> {
    const context = this.#context;
    const app = await (context === null ? createDamagedApp(this.#config) : createApp(context));
    this.#app = app;
    await app.listen({ host: this.#config.host, port });
    if (context?.database.isReadOnly === false) context.covers.fetcher.start();
    this.#firstLink = context && (await firstLinkOf(context, this.url));
    if (context === null || context.database.isReadOnly) this.#restartOnceMended();
  }

  /** Answers the running requests, then closes connections and database. */
  async close(): Promise<void> {
    clearInterval(this.#mendedTimer);
    const app = this.#app;
    if (app !== null) {
      setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref();
      await Promise.race([app.close(), delay(EXIT_TIMEOUT_MS, undefined, { ref: false })]);
    }
    this.#context?.database.close();
  }

  get #port(): number {
    const bound = this.#app?.server.address();
    return typeof bound === 'object' && bound !== null ? bound.port : 0;
  }

  /** @param mendable errors reported on standard error and answered with `null` until the file is repaired */
  #open(mendable: typeof UnusableDatabase): Context | null {
    try {
      const restart = (work: () => void): void => void this.#restart(work);
      return openContext(this.#config, restart, print);
    } catch (error) {
      if (!(error instanceof mendable)) throw error;
      print(error.message);
      return null;
    } finally {
      this.#openedState = stateOf(this.#config.databasePath);
    }
  }

  #restartOnceMended(): void {
    this.#mendedTimer = setInterval(() => {
      const state = stateOf(this.#config.databasePath);
      if (state !== this.#openedState && state !== MISSING) void this.#restart(() => undefined);
    }, MENDED_PERIOD_MS).unref();
  }

  /** Closes the database, lets `work` change its files and reopens it. */
  async #restart(work: () => void): Promise<void> {
    const port = this.#port;
    const app = this.#app;
    // The file that replaces a damaged database may be half copied, or locked: it is looked at again.
    const mendable = this.#context === null ? UnusableDatabase : DamagedDatabase;
    try {
      try {
        await this.close();
        work();
      } catch (error) {
        app?.log.error(error, 'Nothing was replaced');
      }
      this.#context = this.#open(mendable);
      await this.listen(port);
      if (this.welcome !== null) print(this.welcome);
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** For a service that listens on every address: the first name of its certificate, else an address of the machine. */
function reachableHost({ host, tls }: Config): string {
  if (!['0.0.0.0', '::'].includes(host)) return host;
  const names = (tls && new X509Certificate(tls.cert).subjectAltName) ?? '';
  const [, named] = /DNS:([^,*]+)(?:,|$)/.exec(names) ?? [];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const inHouse = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
  return named ?? inHouse?.address ?? hostname();
}

const print = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

function valuesNotices({ database }: Context): string[] {
  try {
    return findImpossibleValues(database);
  } catch (error) {
    if (!isOfDatabase(error)) throw error;
    // A page that nothing else reads may be damaged: the rest is served.
    database.health.doubt();
    return [toUnusable(database.options.path, error, true).message];
  }
}

async function firstLinkOf({ config, database }: Context, url: string): Promise<string | null> {
  if (!config.accounts || database.isReadOnly) return null;
  const code = await database.writeLock.whenFree(() => database.write(firstCode));
  return code && `${url}/invitation#${code}`;
}

/** Changes when the file is replaced or its rights change; `MISSING` without a file. */
function stateOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || file.size === 0) return MISSING;
  return `${file.ino} ${file.ctimeMs} ${mayWrite(path)}`;
}
