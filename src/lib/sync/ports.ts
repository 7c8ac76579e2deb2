import type { RxStorage } from 'rxdb/plugins/core';
import type { Moi } from '#shared/moi';
import type { ChangePage, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { StreamListener } from '../api/link.ts';
import type { OtherHousehold } from './other-household.ts';
import type { ConnectionStatus, Reader } from './status.ts';
import type { StoredPacks } from './stored.ts';

/**
 * How long the device's storage may take to answer, in milliseconds. It is silent for as long as a tab of another version
 * or a frozen one keeps a database from being opened: all goes on without it until it answers.
 */
const STORAGE_ANSWER_MS = 5_000;

/** How long a start waits for the reader's identity, in milliseconds; then it is offline. */
export const IDENTITY_MS = 4_000;

/** The server as a device asks it; every refusal is thrown as a `Failure`. */
export interface ServerPort {
  /** The page after a checkpoint, from the beginning without one. */
  pull(
    checkpoint: Checkpoint | null,
    page: {
      readonly limit: number;
      /** Whether acts are included, after all other changes. */
      readonly modifications: boolean;
      /** How long the whole page may take, in milliseconds; without it a page may take as long as something arrives. */
      readonly timeoutMs?: number;
    },
    signal: AbortSignal,
  ): Promise<ChangePage>;
  /** Who is reading, all fields `null` where nobody says. */
  identify(signal: AbortSignal): Promise<Moi>;
  /**
   * Opens the event stream until the returned function is called.
   *
   * @param from how far the replica has come, `null` where that is not known
   */
  listen(from: Checkpoint | null, listener: StreamListener): () => void;
}

/** Where databases are kept: on the device, or in memory for as long as the page lives. */
export interface StoragePort {
  /**
   * The device's own. Throws where the browser blocks it, or cannot open it now.
   *
   * @param onClosed called with an RxDatabase's name when its packs are closed, by whomever
   */
  device(onClosed: (database: string) => void): Promise<RxStorage<unknown, unknown>>;
  memory(): Promise<RxStorage<unknown, unknown>>;
  /** The packs of a database on the device, read without RxDB; `null` where there is none. */
  stored(database: string): Promise<StoredPacks | null>;
  /** Deletes a reader's replicas, those that versions 0.1 and 1.0 have left too, except these numbers. */
  drop(reader: Reader, except: readonly number[]): Promise<unknown>;
  /** Deletes all that the device keeps of a reader, but what readers share; false where a frozen tab still has some. */
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
  /** Runs something once, after so many milliseconds, unless the returned function is called. */
  after(ms: number, run: () => void): () => void;
  /** Gives the browser a turn in the middle of long work. */
  pause(): Promise<void>;
  /** From 0 up to 1. */
  chance(): number;
}

export interface LocksPort {
  request(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void>;
}

/** What the tabs of one installation tell each other. */
export type TabNews =
  /** Another tab in view asks for a word of the one that replicates, and takes over where none comes. */
  | { readonly type: 'waits' }
  /** How the tab that replicates stands. */
  | {
      readonly type: 'status';
      readonly connection: ConnectionStatus;
      readonly equalOn: number | null;
    }
  /** Another database is in use: its note says which. */
  | { readonly type: 'replaced' }
  /** What answers in place of the replica's household has changed, or what a person says of it: the note says it. */
  | { readonly type: 'other' }
  /** The tab has learnt that this reader reads now. */
  | { readonly type: 'reads' }
  /** This reader's replica is deleted: nothing of it may be kept any more. */
  | { readonly type: 'forget' };

/** `reader`: whose replica it is about. */
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
  /** `null` where the browser has none, as on plain http: every tab that is looked at replicates then. */
  readonly locks: LocksPort | null;
}

/** Which databases hold a reader's replicas, by number. The note is the device's: all tabs follow it. */
export interface ReplicaNote {
  /** The complete replica that the screens show. */
  readonly inUse: number | null;
  /** The one that is being filled: a first replica, or what will replace the one in use. */
  readonly next: number | null;
  /** What answers in place of the household of the replica in use. */
  readonly other: OtherHousehold | null;
}

const NO_REPLICA: ReplicaNote = { inUse: null, next: null, other: null };

export const replicaKey = (reader: Reader): string => `copy|${encodeURIComponent(reader ?? '')}`;

/** The name of the note of what the list of all books begins with. */
export const firstNote = (reader: Reader): string => `first|${encodeURIComponent(reader ?? '')}`;

/** A note of an earlier version lacks what has come since. */
export const replicaNoteOf = (notes: KeyValuePort, reader: Reader): ReplicaNote => ({
  ...NO_REPLICA,
  ...unsafeCast<Partial<ReplicaNote> | null>(notes.get(replicaKey(reader))),
});

/** The name of the note of when a reader's replica was last equal to the server, in milliseconds since 1970. */
export const syncedKey = (reader: Reader): string => `equal.${reader ?? ''}`;

export const databasePrefix = (installation: string, reader: Reader): string =>
  ['rayonnage', encodeURIComponent(installation), encodeURIComponent(reader ?? '')].join('|');

export const databaseName = (prefix: string, replica: number): string =>
  `${prefix}|${String(replica)}`;

/** What the device's storage answers in time, else `null`; the request goes on. */
export const answeredInTime = <T>(request: Promise<T>, clock: ClockPort): Promise<T | null> =>
  new Promise((resolve, reject) => {
    const stop = clock.after(STORAGE_ANSWER_MS, () => resolve(null));
    request.then(resolve, reject).finally(stop);
  });
