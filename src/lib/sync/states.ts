import type { FailureKind } from './failure.ts';

/**
 * What the device's copy is doing:
 * - `stopped`: nothing is open
 * - `identifying`: the server is asked who is reading
 * - `opening`: the copy of that reader is opened and read, however long it takes
 * - `following`: the copy is open; another tab pulls, or none while all pages are hidden
 * - `initialSync`: the device has no whole copy; pages fill the first one and are shown
 * - `catchingUp`: a pull brings the copy in use up to the server
 * - `resyncing`: a successor is filled beside the copy in use, which stays on the screen
 * - `swapping`: the successor is whole and takes the place of the copy in use, if any
 * - `current`: equal to the server as far as is known
 * - `waiting`: the last try failed; one timer runs
 */
export type Phase =
  | 'stopped'
  | 'identifying'
  | 'opening'
  | 'following'
  | 'initialSync'
  | 'catchingUp'
  | 'resyncing'
  | 'swapping'
  | 'current'
  | 'waiting';

/** Whose copy: the user's name, or `null` for the one that nobody named. */
export type Reader = string | null;

/** How the device stands with the server. */
export type ConnectionStatus = 'online' | 'offline' | 'sessionExpired' | 'serverFailing';

export interface State {
  readonly phase: Phase;
  /** Whose copy is open or opening; `undefined` before the first. */
  readonly reader: Reader | undefined;
  /** Who read last on this device: shown while the server does not say who reads. */
  readonly lastReader: Reader;
  /** True when a whole copy is open and on the screen. */
  readonly whole: boolean;
  /** True when the copy in use needs a resync: other shapes or epoch, broken, superseded, on demand. */
  readonly stale: boolean;
  /** True while this tab pulls for all the tabs of this reader. */
  readonly isLeader: boolean;
  readonly visible: boolean;
  /** The revision of the server's database that the copy has reached. */
  readonly known: number;
  /**
   * The highest revision that an event or a write has announced since the last pull began; `Infinity`
   * after an event that asks for another pull whatever this one brings.
   */
  readonly announced: number;
  /** Failed tries in a row. */
  readonly failures: number;
  /** Successors in a row that were begun and given up. */
  readonly discards: number;
  /** When the last swap was, in milliseconds of the clock. */
  readonly swappedAt: number;
  /** Resyncs in a row that became necessary soon after a swap. */
  readonly earlyResyncs: number;
  /** Event streams in a row that broke soon after they opened. */
  readonly brokenStreams: number;
  /** What the last try found. */
  readonly connection: ConnectionStatus;
  /** Why the device does not keep all that is on the screen. */
  readonly storage: 'storageFull' | 'storageBlocked' | null;
  /** What the next try does. */
  readonly retry: 'identify' | 'open' | 'pull';
  /** When the last try began or failed, in milliseconds of the clock. */
  readonly triedAt: number;
  /** When the copy was last equal to the server. */
  readonly equalAt: number;
  /** When the event stream was opened; `Infinity` while it is not. */
  readonly streamAt: number;
  /** When the running timer is due; `Infinity` while none runs. */
  readonly dueAt: number;
}

export const initialState: State = {
  phase: 'stopped',
  reader: undefined,
  lastReader: null,
  whole: false,
  stale: false,
  isLeader: false,
  visible: true,
  known: 0,
  announced: 0,
  failures: 0,
  discards: 0,
  swappedAt: -Infinity,
  earlyResyncs: 0,
  brokenStreams: 0,
  connection: 'online',
  storage: null,
  retry: 'pull',
  triedAt: -Infinity,
  equalAt: -Infinity,
  streamAt: Infinity,
  dueAt: Infinity,
};

/** What happens to the copy. */
export type Event =
  | {
      readonly type: 'start';
      readonly lastReader: Reader;
      readonly visible: boolean;
      readonly online: boolean;
    }
  | { readonly type: 'readerIs'; readonly reader: Reader }
  /** Another tab has learnt that someone else reads. */
  | { readonly type: 'otherReader' }
  /** The device's copy is open and on the screen; `stale` when its shapes are not today's. */
  | {
      readonly type: 'opened';
      readonly whole: boolean;
      readonly stale: boolean;
      readonly revision: number;
    }
  /** This tab was elected leader of the tabs, or is no longer. */
  | { readonly type: 'leader'; readonly isLeader: boolean }
  /** A page is on the screen, and on the device unless `storage` says why not. */
  | { readonly type: 'page'; readonly revision: number; readonly storage: State['storage'] }
  /** The page of another tab is on the screen. */
  | { readonly type: 'heard'; readonly revision: number; readonly whole: boolean }
  /** The last page of a pull is there. */
  | { readonly type: 'complete'; readonly revision: number }
  | { readonly type: 'swapped'; readonly storage: State['storage'] }
  | { readonly type: 'failed'; readonly kind: FailureKind }
  /** The leader's connection, as it told the other tabs. */
  | { readonly type: 'status'; readonly connection: ConnectionStatus; readonly equalAt: number }
  | { readonly type: 'timer' }
  /** The page or the network is back: pull unless the copy is fresh. */
  | { readonly type: 'hint' }
  /** An exchange failed elsewhere: pull, however fresh the copy is. */
  | { readonly type: 'doubt' }
  | { readonly type: 'visible' }
  | { readonly type: 'hidden' }
  /** The server's database has reached a revision. */
  | { readonly type: 'announced'; readonly revision: number }
  | { readonly type: 'streamOpened' }
  | { readonly type: 'streamBroke' }
  /** The database of the copy in use was deleted or evicted. */
  | { readonly type: 'lost' }
  /** The reader asks for a fresh copy. */
  | { readonly type: 'resync' };

export type EventType = Event['type'];

/** An event that a tab passes on to the leader. */
export type PassedEvent = Extract<Event, { type: 'announced' | 'doubt' | 'resync' }>;

/** What is to be done; the engine carries it out through its ports. */
export type Effect =
  | { readonly type: 'identify' }
  | { readonly type: 'open'; readonly reader: Reader }
  /** Clears the screen and closes the copies of this reader. */
  | { readonly type: 'close' }
  /** Asks for the missing pages, into the copy in use or into its successor. */
  | { readonly type: 'pull'; readonly into: 'inUse' | 'successor' }
  /** Gives up the successor. */
  | { readonly type: 'discard' }
  /** Gives up the successor; the next one is kept in memory only. */
  | { readonly type: 'forget' }
  | { readonly type: 'swap' }
  /** Sets the one timer, in place of any before. */
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'stopWaiting' }
  | { readonly type: 'listen' }
  | { readonly type: 'stopListening' }
  | { readonly type: 'requestLeadership' }
  | { readonly type: 'resign' }
  | { readonly type: 'pass'; readonly event: PassedEvent };
