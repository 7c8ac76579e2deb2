import type { RxStorage } from 'rxdb/plugins/core';
import type { BehaviorSubject, Subject, Subscription } from 'rxjs';
import { openDatabase, type ReplicaDatabase } from './database.ts';
import type { OtherHousehold } from './other-household.ts';
import { stateOf } from './packs.ts';
import type { Pages } from './pages.ts';
import {
  answeredInTime,
  replicaKey,
  replicaNoteOf,
  databaseName,
  type ReplicaNote,
  type Ports,
} from './ports.ts';
import { report } from './report.ts';
import type { ShownReplica } from './shown-replica.ts';
import type { DeviceStatus, Reader, SetStatus } from './status.ts';

/** An open storage, with the note of its replicas. */
export interface Store {
  readonly storage: RxStorage<unknown, unknown>;
  /** An open database for the replica of its name. */
  database: ReplicaDatabase | null;
  /** False for a storage in memory, which other tabs cannot see. */
  readonly isShared: boolean;
  note: ReplicaNote;
}

/** The device's storage, with the database of the replica that is opened first; `null` where that did not open. */
export type DeviceStorage = Pick<Store, 'storage' | 'database'>;

/** A replica in its own database. */
export interface Replica {
  readonly number: number;
  readonly database: ReplicaDatabase;
  /** The replication and its listeners, until it is closed. */
  readonly following: Subscription;
  readonly announced$: Subject<number>;
  /** True once another database replaces it. */
  readonly isSuperseded$: BehaviorSubject<boolean>;
}

export interface ReplicaManagerOptions {
  readonly ports: Ports;
  /** The shown records, read from the storage before RxDB was loaded. */
  readonly screen: ShownReplica;
  readonly reader: Reader;
  /** The prefix of the reader's database names. */
  readonly prefix: string;
  /** Aborted when it is to close. */
  readonly signal: AbortSignal;
  readonly status: () => DeviceStatus;
  readonly set: SetStatus;
  /** The first pages being loaded, for an empty device. */
  readonly pages: Pages | null;
  readonly onOtherReader: () => void;
}

/**
 * Opens the device's storage, one call at a time: RxDB waits for a database forever, and rejects a second one of its
 * name.
 */
export class DeviceOpening {
  triedAt = -Infinity;
  #pending: Promise<DeviceStorage> | null = null;
  readonly #options: ReplicaManagerOptions;
  readonly #onClosed: (storage: unknown, name: string) => void;

  /** @param onClosed called with the storage and the name of one of its databases when that is closed */
  constructor(options: ReplicaManagerOptions, onClosed: (storage: unknown, name: string) => void) {
    this.#options = options;
    this.#onClosed = onClosed;
  }

  get isPending(): boolean {
    return this.#pending !== null;
  }

  /** Resolves once the storage answers, however late. */
  open(): Promise<DeviceStorage> {
    this.triedAt = this.#options.ports.clock.now();
    return (this.#pending ??= this.#open().finally(() => (this.#pending = null)));
  }

  async #open(): Promise<DeviceStorage> {
    const { ports, reader, prefix } = this.#options;
    const storage = await ports.storage.device((name) => this.#onClosed(storage, name));
    const { inUse, next } = replicaNoteOf(ports.notes, reader);
    const number = inUse ?? next;
    if (number === null) return { storage, database: null };
    // Failures are found again when the replica is opened.
    const name = databaseName(prefix, number);
    const database = await openDatabase(name, storage, true).catch(() => null);
    if (database !== null) await stateOf(database.packs).catch(() => null);
    return { storage, database };
  }
}

/** The device's storage, whose note all tabs follow. */
export const deviceStore = (
  { notes }: Ports,
  reader: Reader,
  { storage, database }: DeviceStorage,
): Store => ({
  storage,
  database,
  isShared: true,
  get note() {
    return replicaNoteOf(notes, reader);
  },
  set note(note) {
    notes.set(replicaKey(reader), note);
  },
});

export const memoryStore = async (
  { storage }: Ports,
  other: OtherHousehold | null,
): Promise<Store> => ({
  storage: await storage.memory(),
  database: null,
  isShared: false,
  note: { inUse: null, next: 1, other },
});

/** Opens a database of a store; throws where that is silent for too long. */
export async function openIn(
  store: Store,
  name: string,
  { clock }: Ports,
): Promise<ReplicaDatabase> {
  const { database: open, storage, isShared } = store;
  store.database = null;
  if (open?.name === name && !open.closed) return open;
  await open?.close();
  const opening = openDatabase(name, storage, isShared);
  const database = await answeredInTime(opening, clock);
  if (database !== null) return database;
  opening.then(
    (late) => void late.close(),
    (error: unknown) => report(error, 'opening a database late'),
  );
  throw new Error('the database does not open');
}

/** Deletes the databases of a reader's former replicas, once other tabs have left them. */
export function dropReplaced({ isShared, note }: Store, { storage }: Ports, reader: Reader): void {
  if (!isShared || note.inUse === null) return;
  storage
    .drop(reader, [note.inUse, note.next ?? note.inUse])
    .catch((error: unknown) => report(error, 'removing replaced replicas'));
}
