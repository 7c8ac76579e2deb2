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
// Each tab is a page of its own: RxDB counts what is open in one, and from the thirteenth collection on waits for others to close.
Object.defineProperty(OPEN_COLLECTIONS, 'size', { get: () => 0 });
track([RxDatabaseBase.prototype], ['addCollections', 'close']);
track([RxReplicationState.prototype], ['_start', 'cancel']);
track([BroadcastChannel.prototype], ['postMessage']);
track([Object.getPrototypeOf(crypto.subtle) as object], ['digest']);

/** The clock of the world that is open: RxDB waits between two tries by a timer of its own. */
let clock: VirtualClock | null = null;
Reflect.set(RxCollectionBase.prototype, 'promiseWait', (ms: number) => clock?.sleep(ms));

const households = new Map<number, Promise<Buffer>>();

/** The database of a household of so many books, made once. */
function householdOf(books: number): Promise<Buffer> {
  const made = households.get(books) ?? makeHousehold(books);
  households.set(books, made);
  return made;
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

/** Gives a database another history, of another household. */
function becomeAnother(path: string): void {
  const db = new Sqlite(path);
  const drawn = randomBytes(16).toString('hex');
  db.prepare('UPDATE Installation SET epoque = @drawn, bibliotheque = @drawn').run({ drawn });
  db.close();
}

/** What is open: a world that has ended before its test is not held until then. */
const open = new Set<World>();
let restoreTimers = (): void => undefined;
const endAll = async (): Promise<void> => {
  await Promise.all([...open].map((world) => world.close()));
};

/** A house and its devices in one process, under one virtual clock. */
export class World {
  readonly clock: VirtualClock;
  app!: FastifyInstance;
  context!: Context;
  #path = '';
  /** The database that was served before this one. */
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
   * Opens a house with a database of its own, in place of the one before. Houses of as many books
   * are copies of one, epoch and all, unless it is said to be another.
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

  /** The house that was replaced by another one comes back, if there is one. */
  async comeBack(): Promise<void> {
    if (this.#pathBefore === '') return;
    [this.#path, this.#pathBefore] = [this.#pathBefore, this.#path];
    await this.#serve();
  }

  /** The house goes down until it is opened, restarted or restored. */
  async shut(): Promise<void> {
    await this.#close();
  }

  /** The house goes down and up again with the same database. */
  async restart(): Promise<void> {
    await this.#close();
    await this.#serve();
  }

  /** Ends, with all tabs and all that devices have kept: before the test does, or with it. */
  async close(): Promise<void> {
    open.delete(this);
    const closing = Promise.all([...this.#tabs].map((tab) => tab.close()));
    // A storage that is still opening is closed once it is open.
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

  /** A tab of a device with a way of its own to the house; not started yet. */
  tab(device: Device, user: string | null = 'alice'): Tab {
    const house = () => (this.#isUp ? { app: this.app, context: this.context } : null);
    const server = new HouseServer(house, this.clock, normalConditions(user));
    const tab = device.openTab(server);
    this.#tabs.add(tab);
    return tab;
  }

  /** Asks the house as another device would. */
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

  /** The same, with headers, and with a refusal as an answer. */
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
    const told = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: answer.statusCode,
      headers: new Headers(told as [string, string][]),
      body: answer.body === '' ? null : JSON.parse(answer.body),
    };
  }

  /** The house as tests of the service ask it. */
  readonly house: Pick<House, 'ask'> = {
    ask: (user, method, url, body) => this.send(user, method, url, { body }),
  };

  /** Makes a backup while the house is open. */
  async backUp(): Promise<void> {
    this.#backup = (await makeBackup(this.#path, temporaryFolder())).path;
  }

  /** The house goes back to its last backup, if there is one, as `npm run restore` does it. */
  async restore(): Promise<void> {
    if (this.#backup === null) return;
    await this.#close();
    await restoreBackup(this.#backup, { databasePath: this.#path });
    await this.#serve();
  }

  /** How many records of a kind a user's whole copy holds. */
  truthCount(user: string | null, name: CollectionName): number {
    return Object.keys(this.truth(user, [name])).length;
  }

  async add(titre: string, auteurs: readonly string[] = []): Promise<number> {
    const body = { titre, format: 'Physique', auteurs };
    const livre = await this.ask('alice', 'POST', '/api/livres?confirmerDoublon=true', body);
    return (livre as Livre).id;
  }

  /** What a user's whole copy holds, read from the tables by other ways than the house's. */
  truth(user: string | null, names = collectionNames): Record<string, unknown> {
    const { database } = this.context;
    return byKey(names, (name) => truth(database, name, user));
  }
}

/** What a tab has on its screen, by collection and id. */
export const shown = (tab: Tab): Record<string, unknown> =>
  byKey(collectionNames, (name) =>
    name === 'livres' ? tab.records.livres : tab.records.tables[name].values(),
  );

/** The documents of collections, by collection and id. */
export const byKey = (
  names: readonly CollectionName[],
  of: (name: CollectionName) => Iterable<object>,
): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) =>
      [...of(name)].map((document) => [`${name}/${String(Reflect.get(document, 'id'))}`, document]),
    ),
  );
