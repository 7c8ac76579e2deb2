import type { Moi } from '#shared/moi';
import type { ChangePage, Checkpoint } from '#shared/replication';
import type { StreamListener } from '../api/link.ts';
import type { Envelope } from './envelope.ts';
import type { Reader } from './states.ts';
import type { TabMessage } from './tab-messages.ts';

/** The server as the engine asks it; every refusal is thrown as a `Failure`. */
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

/** One open database of envelopes. Every function may throw an error of the storage. */
export interface Storage {
  /** Hands over all rows in portions, the kinds of a first screen first. */
  read(receive: (envelopes: readonly Envelope[]) => Promise<void>): Promise<void>;
  /** Writes all of them or, where it throws, none. */
  write(envelopes: readonly Envelope[]): Promise<void>;
  get(key: string): Promise<Envelope | null>;
  close(): Promise<void>;
}

/** Where databases are kept: in IndexedDB, or in memory for as long as the page lives. */
export interface StoragePort {
  /** Opens or makes a database; `onLost` is called when it goes while it is open. */
  open(name: string, onLost: () => void): Promise<Storage>;
  /** Opens one that lasts as long as the page. */
  openInMemory(name: string): Promise<Storage>;
  drop(name: string): Promise<void>;
  /** Opens the copy of the application's first version, for reading only. */
  openEarlier(reader: Reader): Promise<Storage | null>;
  dropEarlier(reader: Reader): Promise<void>;
  /** The names of all databases, where the browser can list them. */
  names(): Promise<readonly string[]>;
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

/** The other tabs of this reader. */
export interface TabsPort {
  /** Asks to become the leader, of which there is one at a time; the returned function resigns. */
  requestLeadership(name: string, onLeader: () => void): () => void;
  broadcast(message: TabMessage): void;
  hear(listener: (message: TabMessage) => void): void;
}

export interface Ports {
  readonly server: ServerPort;
  readonly storage: StoragePort;
  readonly notes: NotesPort;
  readonly clock: ClockPort;
  readonly tabs: TabsPort;
}
