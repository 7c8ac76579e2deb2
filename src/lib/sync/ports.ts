import type { RxStorage } from 'rxdb/plugins/core';
import type { Moi } from '#shared/moi';
import type { Change, ChangePage, Checkpoint } from '#shared/replication';
import type { StreamListener } from '../api/link.ts';
import type { Reader } from './status.ts';
import type { TabMessage } from './tab-message.ts';

/** The server as a device asks it; every refusal is thrown as a `Failure`. */
export interface ServerPort {
  /** The page after a checkpoint, from the beginning without one. */
  pull(checkpoint: Checkpoint | null, page: PageSize, signal: AbortSignal): Promise<ChangePage>;
  /** Who is reading, all fields `null` where nobody says. */
  identify(signal: AbortSignal): Promise<Moi>;
  /** Opens the event stream until the returned function is called. */
  listen(listener: StreamListener): () => void;
}

export interface PageSize {
  readonly limit: number;
  /** Whether acts are included, after all other changes. */
  readonly modifications: boolean;
}

/** Where databases are kept: on the device, or in memory for as long as the page lives. */
export interface StoragePort {
  /**
   * The device's own. Throws where the browser blocks it, or cannot open it now.
   *
   * @param onClosed called with a collection's name when its database is closed, by whom or what ever
   */
  device(onClosed: (collection: string) => void): Promise<RxStorage<unknown, unknown>>;
  memory(): Promise<RxStorage<unknown, unknown>>;
  /** Deletes what RxDB leaves behind of a collection that it has removed. */
  sweep(database: string, collection: string): Promise<void>;
  /** What an earlier version of the application has kept of a reader; `null` without any. */
  earlier(reader: Reader): Promise<EarlierCopy | null>;
  dropEarlier(reader: Reader): Promise<void>;
}

/** The whole copy of an earlier version. */
export interface EarlierCopy {
  readonly changes: readonly Change[];
  /** How far it has come; `null` where today's server does not know that checkpoint. */
  readonly checkpoint: Checkpoint | null;
}

/** Small values that outlive the page, unless the browser keeps nothing. */
export interface NotesPort {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface ClockPort {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once, after so many milliseconds, unless the returned function is called. */
  after(ms: number, run: () => void): () => void;
  /** Gives the browser a turn in the middle of long work. */
  pause(): Promise<void>;
  /** From 0 up to 1. */
  chance(): number;
}

/** What the tabs of one installation tell each other. */
export interface ChannelPort {
  post(message: TabMessage): void;
  hear(listener: (message: TabMessage) => void): void;
}

export interface Ports {
  readonly server: ServerPort;
  readonly storage: StoragePort;
  readonly notes: NotesPort;
  readonly clock: ClockPort;
  readonly channel: ChannelPort;
}
