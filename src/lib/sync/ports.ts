import type { RxStorage } from 'rxdb/plugins/core';
import type { Moi } from '#shared/moi';
import type { ChangePage, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { StreamListener } from '../api/link.ts';
import type { OtherHousehold } from './other-household.ts';
import type { ConnectionStatus, Reader } from './status.ts';
import type { StoredPacks } from './stored.ts';

/**
 * How long to wait for the device's storage, in milliseconds. A tab of another version, or a frozen one, blocks a
 * database that it has open; meanwhile everything works in memory.
 */
const STORAGE_ANSWER_MS = 5_000;

/** How long a start waits for the reader's identity, in milliseconds, before it counts as offline. */
export const IDENTITY_MS = 4_000;

/** The server's interface for a device; every refusal is thrown as a `Failure`. */
export interface ServerPort {
  /** The page after a checkpoint, or the first one without a checkpoint. */
  pull(
    checkpoint: Checkpoint | null,
    page: {
      readonly limit: number;
      /** Whether to include history entries, after all other changes. */
      readonly modifications: boolean;
      /** Timeout of the whole page in milliseconds; without it the connection only has to stay alive. */
      readonly timeoutMs?: number;
    },
    signal: AbortSignal,
  ): Promise<ChangePage>;
  /** The reader, all fields `null` if unknown. */
  identify(signal: AbortSignal): Promise<Moi>;
  /**
   * Opens the event stream until the returned function is called.
   *
   * @param from the replica's progress, `null` if unknown
   */
  listen(from: Checkpoint | null, listener: StreamListener): () => void;
}

/** The storage of databases: on the device, or in memory for the page's lifetime. */
export interface StoragePort {
  /**
   * The storage on the device. Throws if the browser blocks it, or cannot open it now.
   *
   * @param onClosed called with an RxDatabase's name when its packs are closed, by whomever
   */
  device(onClosed: (database: string) => void): Promise<RxStorage<unknown, unknown>>;
  memory(): Promise<RxStorage<unknown, unknown>>;
  /** The packs of a stored database, read without RxDB; `null` without one. */
  stored(database: string): Promise<StoredPacks | null>;
  /** Deletes a reader's replicas except these numbers, including those of versions 0.1 and 1.0. */
  drop(reader: Reader, except: readonly number[]): Promise<unknown>;
  /** Deletes a reader's data, except data shared by readers; false if a frozen tab still has some. */
  forget(reader: Reader): Promise<boolean>;
}

/** Small values that outlive the page, unless the browser keeps nothing. */
export interface KeyValuePort {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface ClockPort {
  /** Milliseconds of a clock that nobody sets. */
  now(): number;
  /** Milliseconds since 1970, as the device is set. */
  date(): number;
  /** Runs a function once, after this many milliseconds, unless the returned one is called. */
  after(ms: number, run: () => void): () => void;
  /** Gives the browser a turn in the middle of long work. */
  pause(): Promise<void>;
  /** A random number from 0 inclusive to 1 exclusive. */
  chance(): number;
}

export interface LocksPort {
  request(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void>;
}

/** Messages between the tabs of an installation. */
export type TabNews =
  /** A visible tab pings the leader, and takes over without a reply. */
  | { readonly type: 'waits' }
  /** The state of the leader. */
  | {
      readonly type: 'status';
      readonly connection: ConnectionStatus;
      readonly equalOn: number | null;
    }
  /** Another database is active: see the note. */
  | { readonly type: 'replaced' }
  /** The answering household, or the person's answer about it, has changed: see the note. */
  | { readonly type: 'other' }
  /** The present reader, as this tab has learnt. */
  | { readonly type: 'reads' }
  /** This reader's replica is deleted: nothing of it may be stored any more. */
  | { readonly type: 'forget' };

/** `reader`: the owner of the replica. */
export type TabMessage = TabNews & { readonly reader: Reader };

export interface ChannelPort {
  post(message: TabMessage): void;
  onMessage(listener: (message: TabMessage) => void): void;
}

export interface Ports {
  readonly server: ServerPort;
  readonly storage: StoragePort;
  readonly notes: KeyValuePort;
  readonly clock: ClockPort;
  readonly channel: ChannelPort;
  /** `null` without the Web Locks API, as over plain HTTP: then every visible tab replicates. */
  readonly locks: LocksPort | null;
}

/** The databases of a reader's replicas, by number. Stored on the device and followed by all tabs. */
export interface ReplicaNote {
  /** The complete replica that the screens show. */
  readonly inUse: number | null;
  /** The staging replica: a first one, or the replacement of the active one. */
  readonly next: number | null;
  /** The household that answers instead of the active replica's. */
  readonly other: OtherHousehold | null;
}

const NO_REPLICA: ReplicaNote = { inUse: null, next: null, other: null };

export const replicaKey = (reader: Reader): string => `copy|${encodeURIComponent(reader ?? '')}`;

/** The key for the beginning of the list of all books. */
export const firstNote = (reader: Reader): string => `first|${encodeURIComponent(reader ?? '')}`;

/** A note of an earlier version lacks newer fields. */
export const replicaNoteOf = (notes: KeyValuePort, reader: Reader): ReplicaNote => ({
  ...NO_REPLICA,
  ...unsafeCast<Partial<ReplicaNote> | null>(notes.get(replicaKey(reader))),
});

/** The key of the time at which a reader's replica was last in sync, in milliseconds since 1970. */
export const syncedKey = (reader: Reader): string => `equal.${reader ?? ''}`;

export const databasePrefix = (installation: string, reader: Reader): string =>
  ['rayonnage', encodeURIComponent(installation), encodeURIComponent(reader ?? '')].join('|');

export const databaseName = (prefix: string, replica: number): string =>
  `${prefix}|${String(replica)}`;

/** The result of a storage request if it comes in time, else `null`; the request continues. */
export const answeredInTime = <T>(request: Promise<T>, clock: ClockPort): Promise<T | null> =>
  new Promise((resolve, reject) => {
    const stop = clock.after(STORAGE_ANSWER_MS, () => resolve(null));
    request.then(resolve, reject).finally(stop);
  });
