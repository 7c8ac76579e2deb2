import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { BroadcastChannel, enforceOptions } from 'broadcast-channel';
import type { FastifyInstance } from 'fastify';
import { OPEN_COLLECTIONS, RxCollectionBase, RxDatabaseBase } from 'rxdb/plugins/core';
import { RxReplicationState } from 'rxdb/plugins/replication';
import { onTestFinished } from 'vitest';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext, type Context } from '#server/start/context';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { collectionNames, type CollectionName } from '#shared/collection-names';
import type { Livre } from '#shared/livres';
import { temporaryFolder } from '../../support/database.ts';
import type { Answer, House } from '../../support/house.ts';
import { writeEmptyDatabase } from '../../support/template.ts';
import { truth } from '../../sync/model/truth.ts';
import { Device, normalStorage, type Tab } from './device.ts';
import { normalConditions, HouseServer } from './house-server.ts';
import { signedIn } from '../../support/sign-on.ts';
import { InjectedRequest } from './inject.ts';
import { hastenTimers, track, VirtualClock } from './virtual-clock.ts';

enforceOptions({ type: 'simulate' });
// RxDB counts the open collections of a page, and from the thirteenth on waits until others close. Each tab stands
// for its own page, so disable that.
Object.defineProperty(OPEN_COLLECTIONS, 'size', { get: () => 0 });
track([RxDatabaseBase.prototype], ['addCollections', 'close']);
track([RxReplicationState.prototype], ['_start', 'cancel']);
track([BroadcastChannel.prototype], ['postMessage']);
track([Object.getPrototypeOf(crypto.subtle) as object], ['digest']);

/** The clock of the open world, also used for RxDB's delay between two tries. */
let clock: VirtualClock | null = null;
Reflect.set(RxCollectionBase.prototype, 'promiseWait', (ms: number) => clock?.sleep(ms));

const households = new Map<number, Promise<Buffer>>();

/** The database of a household with some books, created once per number. */
function householdOf(books: number): Promise<Buffer> {
  const template = households.get(books) ?? makeHousehold(books);
  households.set(books, template);
  return template;
}

async function makeHousehold(books: number): Promise<Buffer> {
  const path = join(mkdtempSync(join(tmpdir(), 'rayonnage-')), 'bibliotheque.sqlite');
  writeEmptyDatabase(path);
  const context = openContext(readConfig({ DATABASE_PATH: path, LOG_LEVEL: 'silent' }));
  const app = await createApp(context);
  for (let i = 1; i <= books; i++) {
    const payload = { titre: `Livre ${String(i).padStart(5, '0')}`, format: 'Physique' };
    await app.inject({ method: 'POST', url: '/api/livres?confirmerDoublon=true', payload });
  }
  await app.close();
  context.database.close();
  return readFileSync(path);
}

/** Gives a database the identity and history of another household. */
function becomeAnother(path: string): void {
  const db = new Sqlite(path);
  const drawn = randomBytes(16).toString('hex');
  db.prepare('UPDATE Installation SET epoque = @drawn, bibliotheque = @drawn').run({ drawn });
  db.close();
}

/** The open worlds; one that is closed early is released at once. */
const open = new Set<World>();
let restoreTimers = (): void => undefined;
const endAll = async (): Promise<void> => {
  await Promise.all([...open].map((world) => world.close()));
};

/** A household and its devices in one process, under one virtual clock. */
export class World {
  readonly clock: VirtualClock;
  app!: FastifyInstance;
  context!: Context;
  #path = '';
  /** The path of the previously served database. */
  #pathBefore = '';
  #backup: string | null = null;
  #isUp = false;
  #close = (): Promise<void> => Promise.resolve();
  readonly #devices = new Set<Device>();
  readonly #tabs = new Set<Tab>();

  constructor(seed = 1) {
    this.clock = new VirtualClock(seed);
    clock = this.clock;
    if (open.size === 0) restoreTimers = hastenTimers();
    open.add(this);
    onTestFinished(endAll);
  }

  /**
   * Opens a household with its own database, in place of the previous one. Households with the same number of books
   * are copies with the same epoch, unless `another` is set.
   */
  async open(books = 0, { another = false } = {}): Promise<this> {
    this.#pathBefore = this.#path;
    this.#path = join(temporaryFolder(), 'bibliotheque.sqlite');
    if (books === 0) writeEmptyDatabase(this.#path);
    else {
      writeFileSync(this.#path, await householdOf(books));
      if (another) becomeAnother(this.#path);
    }
    await this.#serve();
    return this;
  }

  /** Serves the previous household again, if there is one. */
  async comeBack(): Promise<void> {
    if (this.#pathBefore === '') return;
    [this.#path, this.#pathBefore] = [this.#pathBefore, this.#path];
    await this.#serve();
  }

  /** Stops the household until it is opened, restarted or restored. */
  async shut(): Promise<void> {
    await this.#close();
  }

  /** Restarts the household with the same database. */
  async restart(): Promise<void> {
    await this.#close();
    await this.#serve();
  }

  /** Closes all tabs and deletes all stored data, at the test's end at the latest. */
  async close(): Promise<void> {
    open.delete(this);
    const closing = Promise.all([...this.#tabs].map((tab) => tab.close()));
    // A storage that is being opened is closed afterwards, so open it without delay.
    for (const device of this.#devices) Object.assign(device.conditions, normalStorage());
    try {
      await Promise.all([closing, this.clock.advance(60_000)]);
      await this.#close();
    } finally {
      if (open.size === 0) restoreTimers();
    }
  }

  async #serve(): Promise<void> {
    await this.#close();
    const config = readConfig({ DATABASE_PATH: this.#path, LOG_LEVEL: 'silent' });
    const context = openContext(config);
    const app = await createApp(context);
    this.context = context;
    this.app = app;
    this.#isUp = true;
    this.#close = async () => {
      this.#close = () => Promise.resolve();
      this.#isUp = false;
      await app.close();
      context.database.close();
    };
  }

  device(): Device {
    const device = new Device(this.clock);
    this.#devices.add(device);
    return device;
  }

  /** A tab with its own connection to the household; not started yet. */
  tab(device: Device, user: string | null = 'alice'): Tab {
    const house = () => (this.#isUp ? { app: this.app, context: this.context } : null);
    const server = new HouseServer(house, this.clock, normalConditions(user));
    const tab = device.openTab(server);
    this.#tabs.add(tab);
    return tab;
  }

  /** Sends a request to the household as another device. */
  async ask(
    user: string | null,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
  ): Promise<unknown> {
    const answer = await this.send(user, method, url, { body });
    if (answer.status >= 400)
      throw new Error(`${method} ${url}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Like `ask`, with headers; a refusal is returned instead of thrown. */
  async send(
    user: string | null,
    method: string,
    url: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await this.app.inject({
      method: method as 'GET',
      url,
      headers: { ...signedIn(user), ...headers },
      Request: InjectedRequest,
      ...(body === undefined ? {} : { payload: body as object | string }),
    });
    const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: answer.statusCode,
      headers: new Headers(pairs as [string, string][]),
      body: answer.body === '' ? null : JSON.parse(answer.body),
    };
  }

  /** The household in the form that the service's test helpers take. */
  readonly house: Pick<House, 'ask'> = {
    ask: (user, method, url, body) => this.send(user, method, url, { body }),
  };

  /** Backs up the open database. */
  async backUp(): Promise<void> {
    this.#backup = (await makeBackup(this.#path, temporaryFolder())).path;
  }

  /** Restores the last backup, if there is one, as `npm run restore` does. */
  async restore(): Promise<void> {
    if (this.#backup === null) return;
    await this.#close();
    await restoreBackup(this.#backup, { databasePath: this.#path });
    await this.#serve();
  }

  /** The number of records in a user's complete replica. */
  truthCount(user: string | null, name: CollectionName): number {
    return Object.keys(this.truth(user, [name])).length;
  }

  async add(titre: string, auteurs: readonly string[] = []): Promise<number> {
    const body = { titre, format: 'Physique', auteurs };
    const livre = await this.ask('alice', 'POST', '/api/livres?confirmerDoublon=true', body);
    return (livre as Livre).id;
  }

  /** The records of a user's complete replica, read from the tables independently of the service. */
  truth(user: string | null, names = collectionNames): Record<string, unknown> {
    const { database } = this.context;
    return byKey(names, (name) => truth(database, name, user));
  }
}

/** The records on a tab's screen, by collection and id. */
export const shown = (tab: Tab): Record<string, unknown> =>
  byKey(collectionNames, (name) =>
    name === 'livres' ? tab.records.livres : tab.records.tables[name].values(),
  );

/** The documents by collection and id. */
export const byKey = (
  names: readonly CollectionName[],
  of: (name: CollectionName) => Iterable<object>,
): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) =>
      [...of(name)].map((document) => [`${name}/${String(Reflect.get(document, 'id'))}`, document]),
    ),
  );
