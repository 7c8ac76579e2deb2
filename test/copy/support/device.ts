import type {
  BulkWriteRow,
  RxStorage,
  RxStorageInstance,
  RxStorageInstanceCreationParams,
} from 'rxdb/plugins/core';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { BehaviorSubject, delayWhen, filter } from 'rxjs';
import { unsafeCast } from '../../../src/lib/api/unsafe-cast.ts';
import { Device as CopyDevice } from '../../../src/lib/sync/device.ts';
import { STATE, type Pack, type State } from '../../../src/lib/sync/packs.ts';
import * as replicaManager from '../../../src/lib/sync/replica-manager.ts';
import {
  replicaKey,
  databaseName,
  databasePrefix,
  firstNote,
  type Ports,
  type StoragePort,
  type TabMessage,
} from '../../../src/lib/sync/ports.ts';
import { Records } from '../../../src/lib/sync/records.ts';
import type { StoredPacks } from '../../../src/lib/sync/stored.ts';
import type { HouseServer } from './house-server.ts';
import { SimulatedLocks } from './locks.ts';
import { pass, type VirtualClock } from './virtual-clock.ts';

/** Faults and delays of a device's storage. */
interface StorageConditions {
  /** Milliseconds until RxDB is loaded. */
  loadMs: number;
  /** Milliseconds until the storage is open. */
  openMs: number;
  /** Milliseconds to read the stored replica, before RxDB is loaded. */
  storedMs: number;
  /** Turns of the event loop that each read takes while RxDB is loaded. */
  readTurns: number;
  /**
   * How many of the next calls fail: loading RxDB, opening, continuing in memory, reading, writing; `Infinity` for
   * all.
   */
  loadsFail: number;
  opensFail: number;
  memoryFails: number;
  readsFail: number;
  writesFail: number;
  /** How many packs the storage can hold. */
  room: number;
}

export const normalStorage = (): StorageConditions => ({
  loadMs: 0,
  openMs: 0,
  storedMs: 0,
  readTurns: 0,
  loadsFail: 0,
  opensFail: 0,
  memoryFails: 0,
  readsFail: 0,
  writesFail: 0,
  room: Infinity,
});

/** The name of a replica's packs in RxDB's memory storage. */
const COPY = /(rayonnage[^-]*?\|\d+)--memory--packs--/;

type Instance = RxStorageInstance<unknown, unknown, unknown>;

type States = ReturnType<typeof getRxStorageMemory>['collectionStates'];
const noStates = (): States => new Map<never, never>();

let storages = 0;
let devices = 0;

/** A browser's storage and locks, whatever tabs are open. */
export class Device {
  readonly conditions = normalStorage();
  /** False: tabs receive no messages; once true, they receive the queued ones in order. */
  readonly isConnected$ = new BehaviorSubject(true);
  /** The number of documents in each written page. */
  readonly writes: number[] = [];
  readonly notes = new Map<string, unknown>();
  /** `null` over plain HTTP, where the Web Locks API is missing. */
  locks: SimulatedLocks | null = new SimulatedLocks();
  readonly #clock: VirtualClock;
  /** Keeps the devices of a process apart, which would otherwise elect one leader. */
  readonly #prefix = `device ${String(++devices)} `;
  #states = noStates();
  /** How often the browser has deleted everything. */
  #evictions = 0;
  readonly #tabs = new Set<Tab>();
  #sleeping = 0;
  #waitsForFiles = false;
  readonly #onClosed = new Set<(database: string) => void>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    clock.waitsFor(() => this.#isOpening);
  }

  /** The databases that contain replicas. */
  get replicas(): string[] {
    return [...this.#states.keys()].flatMap((key) => COPY.exec(key)?.[1] ?? []);
  }

  /** The browser deletes all data, while tabs are open. */
  evict(): void {
    this.#evictions++;
    const { replicas } = this;
    this.#states = noStates();
    const listeners = [...this.#onClosed];
    this.#onClosed.clear();
    for (const onClosed of listeners) for (const name of replicas) onClosed(name);
  }

  /** Deletes the checkpoints that RxDB stores beside the packs, as by a crash between the two writes. */
  forgetCheckpoints(): void {
    for (const key of [...this.#states.keys()])
      if (key.includes('rx-replication-meta')) this.#states.delete(key);
  }

  /** Removes a field from the stored records, as if an earlier version had written them. */
  ageShapes(field: string): void {
    for (const [key, { documents }] of this.#states)
      if (COPY.test(key))
        for (const document of documents.values()) {
          const records: unknown = Reflect.get(document, 'records');
          if (typeof records !== 'string') throw new Error('A pack has no records');
          const without = records.replaceAll(new RegExp(`"${field}":[^,}]*,`, 'g'), '');
          Object.assign(document, { shapes: 'earlier', records: without });
        }
  }

  /** Removes the household from the replicas' state, as versions without it stored them. */
  ageState(): void {
    for (const [key, { documents }] of this.#states) {
      const state: unknown = COPY.test(key) ? documents.get(STATE) : undefined;
      if (typeof state !== 'object' || state === null) continue;
      const { bibliotheque, ...rest } = unsafeCast<State>(
        JSON.parse(unsafeCast<Pack>(state).records),
      );
      Object.assign(state, { records: JSON.stringify(rest) });
    }
  }

  /** True while a tab opens its replica without waiting for the virtual clock. */
  get #isOpening(): boolean {
    if (this.isSleeping || this.#waitsForFiles) return false;
    return [...this.#tabs].some(({ status }) => status.reader !== undefined && !status.isOpen);
  }

  /** True while a database waits for the disk. */
  get isSleeping(): boolean {
    return this.#sleeping > 0;
  }

  async #sleep(ms: number): Promise<void> {
    if (ms === 0) return;
    this.#sleeping++;
    await this.#clock.sleep(ms);
    this.#sleeping--;
  }

  /** The storage port of one tab. */
  storage(): StoragePort {
    return {
      device: async (onClosed) => {
        this.#waitsForFiles = false;
        await this.#sleep(this.conditions.openMs);
        this.#fail('opensFail', 'no database opens');
        this.#onClosed.add(onClosed);
        return this.#shared(onClosed);
      },
      memory: async () => {
        await Promise.resolve();
        this.#waitsForFiles = this.conditions.memoryFails > 0;
        this.#fail('memoryFails', 'no file comes');
        return this.#alone();
      },
      forget: (reader) => {
        for (const key of [...this.#states.keys()])
          if (key.includes(databasePrefix('', reader))) this.#states.delete(key);
        this.notes.delete(replicaKey(reader));
        this.notes.delete(firstNote(reader));
        return Promise.resolve(true);
      },
      stored: async (database) => {
        await this.#sleep(this.conditions.storedMs);
        return this.#stored(database);
      },
      drop: (reader, except) => {
        const prefix = databasePrefix('', reader);
        const kept = except.map((number) => databaseName(prefix, number));
        for (const key of [...this.#states.keys()]) {
          const [, name = ''] = /(rayonnage.*?)--/.exec(key) ?? [];
          if (name.startsWith(`${prefix}|`) && !kept.includes(name)) this.#states.delete(key);
        }
        return Promise.resolve();
      },
    };
  }

  /** The stored packs of a database, read without RxDB and without its faults. */
  #stored(database: string): StoredPacks | null {
    const key = [...this.#states.keys()].find((one) => COPY.exec(one)?.[1] === database);
    const documents = key === undefined ? undefined : this.#states.get(key)?.documents;
    if (documents === undefined) return null;
    const findDocumentsById = (ids: readonly string[]) => {
      const found = ids.map((id) => unsafeCast<Pack | undefined>(documents.get(id)));
      return Promise.resolve(found.filter((pack) => pack !== undefined));
    };
    return { storageInstance: { findDocumentsById }, close: () => undefined };
  }

  #shared(onClosed: (database: string) => void): RxStorage<unknown, unknown> {
    const states = this.#states;
    const inner = { ...getRxStorageMemory(), collectionStates: states };
    const evictions = this.#evictions;
    const storage = {
      ...inner,
      // A new name each time: RxDB rejects a second database with the same storage and name, and elects a leader
      // among them.
      name: `memory ${String(++storages)}`,
      createStorageInstance: async <T>(params: RxStorageInstanceCreationParams<T, unknown>) => {
        const databaseName = this.#prefix + params.databaseName;
        const instance = await this.#clock.real(
          inner.createStorageInstance<T>({ ...params, databaseName } as never),
        );
        // RxDB types a storage by its documents; the faults do not depend on them.
        this.#trouble(instance as unknown as Instance, evictions);
        const close = instance.close.bind(instance);
        instance.close = () => {
          if (params.collectionName === 'packs') onClosed(params.databaseName);
          return close();
        };
        return instance;
      },
    };
    return storage;
  }

  #alone(): RxStorage<unknown, unknown> {
    return {
      ...getRxStorageMemory(),
      collectionStates: new Map(),
      name: `memory ${String(++storages)}`,
    } as unknown as RxStorage<unknown, unknown>;
  }

  /** Makes the instance fail according to the conditions. */
  #trouble(instance: Instance, evictions: number): void {
    const isPacks = instance.collectionName === 'packs';
    const bulkWrite = instance.bulkWrite.bind(instance);
    const findDocumentsById = instance.findDocumentsById.bind(instance);
    const changeStream = instance.changeStream.bind(instance);
    const check = () => {
      if (evictions !== this.#evictions) throw new SimulatedFault('the database is gone');
    };
    const real = <A extends unknown[], T>(work: (...args: A) => Promise<T>) => {
      return async (...args: A): Promise<T> => this.#clock.real(work.apply(instance, args));
    };
    const connected$ = this.isConnected$.pipe(filter((isConnected) => isConnected));
    instance.changeStream = () => changeStream().pipe(delayWhen(() => connected$));
    instance.bulkWrite = real(async (rows: BulkWriteRow<unknown>[], context: string) => {
      check();
      if (isPacks) {
        this.#fail('writesFail', 'nothing is written');
        if (rows.length > this.conditions.room) throw quotaError();
        this.conditions.room -= rows.length;
        this.writes.push(rows.length);
      }
      return bulkWrite(rows, context);
    });
    instance.findDocumentsById = real(async (ids, deleted) => {
      check();
      const { readTurns } = this.conditions;
      await pass(readTurns);
      if (isPacks && !ids.includes(STATE)) {
        // A storage reports a failure asynchronously.
        await pass(1);
        this.#fail('readsFail', 'nothing is read');
      }
      return findDocumentsById(ids, deleted);
    });
  }

  /** Loads RxDB and the modules that depend on it. */
  async load(): Promise<typeof replicaManager> {
    await this.#sleep(this.conditions.loadMs);
    this.#waitsForFiles = this.conditions.loadsFail > 0;
    this.#fail('loadsFail', 'no file comes');
    return replicaManager;
  }

  /** Opens a tab with its own connection to the household. */
  openTab(server: HouseServer): Tab {
    const tab = new Tab(this, server, this.#clock);
    this.#tabs.add(tab);
    return tab;
  }

  closeTab(tab: Tab): void {
    this.#tabs.delete(tab);
  }

  tell(from: Tab, message: TabMessage): void {
    if (from.isFrozen) return;
    for (const tab of this.#tabs)
      if (tab !== from && !tab.isFrozen)
        setImmediate(() => {
          if (this.#tabs.has(tab)) tab.onMessage(structuredClone(message));
        });
  }

  #fail(
    what: 'loadsFail' | 'opensFail' | 'memoryFails' | 'readsFail' | 'writesFail',
    message: string,
  ): void {
    if (this.conditions[what] === 0) return;
    this.conditions[what]--;
    throw new SimulatedFault(message);
  }
}

/** A fault of the simulated storage. RxDB leaves some in promises that nobody can await (vitest.config.ts). */
class SimulatedFault extends Error {
  override readonly name = 'SimulatedFault';
}

const quotaError = () => Object.assign(new Error('no room'), { name: 'QuotaExceededError' });

/** One tab of a device's browser. */
export class Tab {
  readonly records = new Records();
  readonly device: CopyDevice;
  readonly server: HouseServer;
  onMessage: (message: TabMessage) => void = () => undefined;
  /** True while the browser runs nothing in the tab; its locks stay. */
  isFrozen = false;
  readonly #browser: Device;

  constructor(browser: Device, server: HouseServer, clock: VirtualClock) {
    this.#browser = browser;
    this.server = server;
    const ports: Ports = {
      server,
      clock,
      storage: browser.storage(),
      locks: browser.locks,
      notes: {
        get: (key) => structuredClone(browser.notes.get(key) ?? null),
        set: (key, value) => void browser.notes.set(key, structuredClone(value)),
      },
      channel: {
        post: (message) => browser.tell(this, message),
        onMessage: (listener) => {
          this.onMessage = listener;
        },
      },
    };
    this.device = new CopyDevice(ports, this.records, '', () => browser.load());
  }

  get status() {
    return this.device.status;
  }

  /** True while the replica is in sync, as far as it knows, and nothing is pending. */
  get isCurrent(): boolean {
    const { syncedAtTick, isPulling, rebuilding, connection } = this.status;
    return (
      Number.isFinite(syncedAtTick) && !isPulling && rebuilding === null && connection === 'online'
    );
  }

  /** The titles on the screen. */
  get titres(): string[] {
    return this.records.livres.map(({ titre }) => titre);
  }

  /** Freezes the tab at any point, as a phone does: it receives nothing and releases nothing. */
  freeze(): void {
    this.isFrozen = true;
    this.server.silenceStreams();
  }

  /** Ends the tab without any cleanup; the browser releases its locks. */
  async crash(): Promise<void> {
    this.freeze();
    await this.close();
  }

  start({ visible = true, showsBooks = true } = {}): this {
    this.device.start({ visible, showsBooks });
    return this;
  }

  async close(): Promise<void> {
    this.#browser.closeTab(this);
    const stopped = this.device.stop();
    // A browser closes a tab while its disk is busy, too; then the virtual clock stands still.
    if (!this.#browser.isSleeping) await stopped;
  }
}
