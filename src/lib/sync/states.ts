import type { FailureKind } from './failure.ts';

/**
 * What the device's copy is doing:
 * - `stopped`: nothing is open
 * - `identifying`: who is reading is being asked
 * - `opening`: the copy of that reader is being opened and read, however long it takes
 * - `following`: the copy is open, and another tab, or nobody while the page is hidden, pulls
 * - `firstCopy`: nothing whole is on the device; pages fill the first copy and are shown
 * - `behind`: a pull brings the copy in use up to the server
 * - `rebuilding`: a successor is filled beside the copy in use, which stays on the screen
 * - `taking`: a copy that is whole takes over from the one in use, if any
 * - `current`: equal to the server as far as is known
 * - `waiting`: the last try failed; one timer runs
 */
export type Phase =
  | 'stopped'
  | 'identifying'
  | 'opening'
  | 'following'
  | 'firstCopy'
  | 'behind'
  | 'rebuilding'
  | 'taking'
  | 'current'
  | 'waiting';

/** Whose copy: the user's name, or `null` for the one that nobody named. */
export type Reader = string | null;

/** What stands between this device and the server, for the screen. */
export type Hindrance =
  'offline' | 'sessionExpired' | 'storageFull' | 'serverFailing' | 'storageBlocked';

export interface State {
  readonly phase: Phase;
  /** Whose copy is open or opening; `undefined` before the first. */
  readonly reader: Reader | undefined;
  /** Who read last on this device: shown while nobody can say who reads. */
  readonly lastReader: Reader;
  /** True when a whole copy is open and on the screen. */
  readonly whole: boolean;
  /**
   * True when the copy in use is to be replaced: other shapes, another epoch, broken, mostly
   * superseded, on demand.
   */
  readonly stale: boolean;
  /** True while this tab pulls for all the tabs of this reader. */
  readonly leads: boolean;
  readonly visible: boolean;
  /** The revision that the copy has reached. */
  readonly known: number;
  /** The highest revision that an event or a write has told of since the last pull began. */
  readonly told: number;
  /** Tries that have failed one after the other. */
  readonly failures: number;
  /** Successors that were begun in vain one after the other. */
  readonly discards: number;
  /** When a copy last took over. */
  readonly takenAt: number;
  /** Copies that had to be replaced soon after they took over, one after the other. */
  readonly earlyReplacements: number;
  /** Event streams that have broken one after the other. */
  readonly brokenStreams: number;
  /** Why the last try failed; `null` after one that succeeded. */
  readonly trouble: 'offline' | 'sessionExpired' | 'serverFailing' | null;
  /** Why what is on the screen is not all on the device. */
  readonly storage: 'storageFull' | 'storageBlocked' | null;
  /** What the next try does. */
  readonly retry: 'identify' | 'open' | 'pull';
  /** When the last try began or failed, in milliseconds of the clock. */
  readonly triedAt: number;
  /** When the copy was last equal to the server. */
  readonly equalAt: number;
  /** When the event stream was opened; `Infinity` while it is not. */
  readonly streamAt: number;
  /** When the timer is due that runs; `Infinity` while none does. */
  readonly dueAt: number;
  /** True when something has happened that the pull under way may not have seen. */
  readonly again: boolean;
}

export const initialState: State = {
  phase: 'stopped',
  reader: undefined,
  lastReader: null,
  whole: false,
  stale: false,
  leads: false,
  visible: true,
  known: 0,
  told: 0,
  failures: 0,
  discards: 0,
  takenAt: -Infinity,
  earlyReplacements: 0,
  brokenStreams: 0,
  trouble: null,
  storage: null,
  retry: 'pull',
  triedAt: -Infinity,
  equalAt: -Infinity,
  streamAt: Infinity,
  dueAt: Infinity,
  again: false,
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
  /** Another tab has found out that someone else reads. */
  | { readonly type: 'otherReader' }
  /** The device's copy is open and on the screen; `stale` when its shapes are not today's. */
  | {
      readonly type: 'opened';
      readonly whole: boolean;
      readonly stale: boolean;
      readonly revision: number;
    }
  /** The pulling for all tabs has come to this one, or has left it. */
  | { readonly type: 'leads'; readonly leads: boolean }
  /** A page is on the screen, and on the device unless `storage` says why not. */
  | { readonly type: 'page'; readonly revision: number; readonly storage: State['storage'] }
  /** The page of another tab is on the screen. */
  | { readonly type: 'heard'; readonly revision: number; readonly whole: boolean }
  /** The last page of a pull is there. */
  | { readonly type: 'complete'; readonly revision: number }
  | { readonly type: 'tookOver'; readonly storage: State['storage'] }
  | { readonly type: 'failed'; readonly kind: FailureKind }
  /** How the tab that pulls stands with the server. */
  | { readonly type: 'status'; readonly trouble: State['trouble']; readonly equalAt: number }
  | { readonly type: 'timer' }
  /** The reader is back, or the network: worth a look. */
  | { readonly type: 'hint' }
  /** An exchange went wrong elsewhere: worth a look, however lately there was one. */
  | { readonly type: 'doubt' }
  | { readonly type: 'visible' }
  | { readonly type: 'hidden' }
  | { readonly type: 'told'; readonly revision: number }
  | { readonly type: 'streamOpened' }
  | { readonly type: 'streamBroke' }
  /** The copy in use is of no more use: deleted, evicted. */
  | { readonly type: 'lost' }
  /** The reader wants a fresh copy. */
  | { readonly type: 'renew' };

export type EventType = Event['type'];

/** What is to be done; the engine carries it out through its ports. */
export type Effect =
  | { readonly type: 'identify' }
  | { readonly type: 'open'; readonly reader: Reader }
  /** Shows nothing of this reader from here on, and lets go of the copies. */
  | { readonly type: 'close' }
  /** Asks for the pages that are missing, into the copy in use or into its successor. */
  | { readonly type: 'pull'; readonly into: 'inUse' | 'successor' }
  /** Gives up what was begun of a successor. */
  | { readonly type: 'discard' }
  /** Gives it up, and goes on in memory: the device keeps nothing. */
  | { readonly type: 'forget' }
  | { readonly type: 'takeOver' }
  /** Sets the one timer, in place of any before. */
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'stopWaiting' }
  | { readonly type: 'listen' }
  | { readonly type: 'stopListening' }
  | { readonly type: 'lead' }
  | { readonly type: 'yield' }
  /** Passes an event on to the tab that pulls. */
  | { readonly type: 'pass'; readonly event: Extract<Event, { type: 'told' | 'doubt' | 'renew' }> };
