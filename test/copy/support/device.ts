import type { Envelope } from '../../../src/lib/sync/envelope.ts';
import type { Storage, StoragePort } from '../../../src/lib/sync/ports.ts';
import type { TabMessage } from '../../../src/lib/sync/tab-messages.ts';
import type { Engine } from '../../../src/lib/sync/engine.ts';
import { Failure } from '../../../src/lib/sync/failure.ts';
import { dropInMemory, openInMemory } from '../../../src/lib/sync/memory-storage.ts';
import { changesIn } from '../../../src/lib/sync/packs.ts';
import type { Records } from '../../../src/lib/sync/records.ts';
import { TODAY, type Client } from '../../released/clients.ts';
import type { HouseServer } from './house-server.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What goes wrong with a device's storage. */
interface StorageConditions {
  /** How long a database takes to open, in milliseconds. */
  openMs: number;
  /** How long the look for the copy of an earlier version takes, in milliseconds. */
  earlierMs: number;
  /** How long a note takes to reach other tabs, in milliseconds: a browser tells it later than a message. */
  notesMs: number;
  /** How often from here on opening, reading or writing fails; `Infinity` for ever. */
  opensFail: number;
  readsFail: number;
  writesFail: number;
  /** How many records there is room for in all. */
  room: number;
  /** True where a database that a tab has open is not deleted, as some browsers have it. */
  deletesWait: boolean;
}

export const normalStorage = (): StorageConditions => ({
  openMs: 0,
  earlierMs: 0,
  notesMs: 0,
  opensFail: 0,
  readsFail: 0,
  writesFail: 0,
  room: Infinity,
  deletesWait: false,
});

/** A copy of the first version, but for what it holds. */
const READ_ONLY: Omit<Storage, 'read'> = {
  get: () => Promise.resolve(null),
  write: () => Promise.reject(new Error('only read')),
  close: () => Promise.resolve(),
};

/** A tab that asks for a lock, or holds it. */
interface LockRequest {
  readonly tab: Tab;
  readonly onHeld: () => void;
}

let devices = 0;

/** A device: what its browser keeps, whatever tabs are open. */
export class Device implements StoragePort {
  readonly conditions = normalStorage();
  /** The databases that there are. */
  readonly databases = new Set<string>();
  /** Every write that was made: how many envelopes each. */
  readonly writes: number[] = [];
  readonly notes = new Map<string, unknown>();
  /** The copy that the application's first version has left. */
  earlier: readonly Envelope[] = [];
  readonly #clock: VirtualClock;
  readonly #prefix = `device ${String(++devices)} `;
  readonly #lost = new Map<string, Set<() => void>>();
  /** Every database that was ever opened: RxDB holds what is in memory until it is told otherwise. */
  readonly #opened = new Set<string>();
  readonly #tabs = new Set<Tab>();
  /** Who asks for each lock, the one that holds it first. */
  readonly #locks = new Map<string, LockRequest[]>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  async open(name: string, onLost: () => void): Promise<Storage> {
    if (this.conditions.openMs > 0) await this.#clock.sleep(this.conditions.openMs);
    this.#fail('opensFail', 'no database opens');
    this.databases.add(name);
    const losers = this.#lost.get(name) ?? new Set();
    this.#lost.set(name, losers.add(onLost));
    this.#opened.add(this.#prefix + name);
    const storage = await this.#clock.real(openInMemory(this.#prefix + name));
    const gone = () => {
      if (!this.databases.has(name)) throw new Error('the database is gone');
    };
    return {
      read: async (receive) => {
        gone();
        this.#fail('readsFail', 'nothing is read');
        await this.#clock.real(storage.read(receive));
      },
      get: async (key) => {
        gone();
        return storage.get(key);
      },
      write: async (envelopes) => {
        gone();
        this.#fail('writesFail', 'nothing is written');
        const records = envelopes.reduce(
          (sum, one) => sum + Math.max(1, changesIn(one, false).length),
          0,
        );
        if (records > this.conditions.room) throw new Failure('storageFull');
        this.conditions.room -= records;
        this.writes.push(envelopes.length);
        await this.#clock.real(storage.write(envelopes));
      },
      close: async () => {
        losers.delete(onLost);
        await storage.close();
      },
    };
  }

  openInMemory(name: string): Promise<Storage> {
    const own = `${this.#prefix}${name} ${String(Math.random())}`;
    this.#opened.add(own);
    return this.#clock.real(openInMemory(own));
  }

  /** Forgets all that it has kept, once its tabs are closed. */
  async end(): Promise<void> {
    await Promise.all([...this.#opened].map(dropInMemory));
  }

  async drop(name: string): Promise<void> {
    if (this.conditions.deletesWait) return new Promise(() => undefined);
    this.databases.delete(name);
    for (const lost of this.#lost.get(name) ?? []) lost();
    await this.#clock.real(dropInMemory(this.#prefix + name));
  }

  async openEarlier(): Promise<Storage | null> {
    if (this.conditions.earlierMs > 0) await this.#clock.sleep(this.conditions.earlierMs);
    const { earlier } = this;
    return earlier.length === 0 ? null : { ...READ_ONLY, read: (receive) => receive(earlier) };
  }

  dropEarlier(): Promise<void> {
    this.earlier = [];
    return Promise.resolve();
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve([...this.databases]);
  }

  /** Has other tabs read a note, at once or later; `arrived` is called then. */
  note(key: string, value: unknown, arrived: () => void): void {
    const arrive = () => {
      this.notes.set(key, value);
      arrived();
    };
    if (this.conditions.notesMs === 0) arrive();
    else this.#clock.after(this.conditions.notesMs, arrive);
  }

  /** Opens a tab that reaches the house by its own way. */
  openTab(server: HouseServer, client: Client = TODAY): Tab {
    const tab = new Tab(this, server, this.#clock, client);
    this.#tabs.add(tab);
    return tab;
  }

  closeTab(tab: Tab): void {
    this.#tabs.delete(tab);
    for (const [name, queue] of this.#locks)
      for (const request of queue) if (request.tab === tab) this.#release(name, request);
  }

  tell(from: Tab, message: TabMessage): void {
    for (const tab of this.#tabs)
      if (tab !== from)
        setImmediate(() => {
          if (this.#tabs.has(tab)) tab.hear(structuredClone(message));
        });
  }

  /** Gives a lock to one tab at a time, in turn; the returned function gives it back. */
  lock(name: string, tab: Tab, onHeld: () => void): () => void {
    const request = { tab, onHeld };
    const queue = this.#locks.get(name) ?? [];
    this.#locks.set(name, [...queue, request]);
    if (queue.length === 0) this.#grant(name);
    return () => this.#release(name, request);
  }

  #release(name: string, request: LockRequest): void {
    const queue = this.#locks.get(name) ?? [];
    const left = queue.filter((other) => other !== request);
    this.#locks.set(name, left);
    if (queue[0] === request) this.#grant(name);
  }

  #grant(name: string): void {
    const next = this.#locks.get(name)?.[0];
    setImmediate(() => {
      if (next !== undefined && this.#locks.get(name)?.[0] === next) next.onHeld();
    });
  }

  #fail(what: 'opensFail' | 'readsFail' | 'writesFail', message: string): void {
    if (this.conditions[what] === 0) return;
    this.conditions[what]--;
    throw new Error(message);
  }
}

/** One tab of a device's browser. */
export class Tab {
  readonly records: Records;
  readonly engine: Engine;
  hear: (message: TabMessage) => void = () => undefined;
  readonly #device: Device;
  readonly server: HouseServer;

  constructor(device: Device, server: HouseServer, clock: VirtualClock, client: Client) {
    this.#device = device;
    this.server = server;
    this.records = new client.Records();
    // What it has noted itself it reads at once.
    const own = new Map<string, unknown>();
    const notes = {
      get: (key: string) => structuredClone(own.get(key) ?? device.notes.get(key) ?? null),
      set: (key: string, value: unknown) => {
        const kept = structuredClone(value);
        own.set(key, kept);
        device.note(key, kept, () => own.get(key) === kept && own.delete(key));
      },
    };
    const tabs = {
      requestLeadership: (name: string, onLeader: () => void) => device.lock(name, this, onLeader),
      broadcast: (message: TabMessage) => device.tell(this, message),
      hear: (listener: (message: TabMessage) => void) => {
        this.hear = listener;
      },
    };
    this.engine = new client.Engine(
      { server, storage: device, notes, clock, tabs },
      this.records,
      '',
    );
  }

  /** The titles on the screen. */
  get titres(): string[] {
    return this.records.livres.map(({ titre }) => titre);
  }

  start({ visible = true, online = true, showsBooks = true } = {}): this {
    this.engine.start({ visible, online, showsBooks });
    return this;
  }

  async close(): Promise<void> {
    this.#device.closeTab(this);
    await this.engine.stop();
  }
}
