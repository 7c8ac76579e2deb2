import type { OtherDatabase } from '#shared/refusal-details';
import type { OtherHousehold } from './other-household.ts';

/** The owner of a replica: the user's name, or `null` for the anonymous one. */
export type Reader = string | null;

/** Why the device cannot store the replica: no space, or storage is blocked. */
export type StorageTrouble = 'storageFull' | 'storageBlocked';

/** The state of the device: its connection, its reader and the reader's replica. */
export interface DeviceStatus {
  /** The reader of the open replica; `undefined` before the first. */
  readonly reader: Reader | undefined;
  readonly visible: boolean;
  /** True once the stored replica is shown. */
  readonly isOpen: boolean;
  /** True once a complete replica is on the screen. */
  readonly isComplete: boolean;
  /** The revision of the server's database that the screen shows. */
  readonly revision: number;
  /** True while this tab replicates for all the tabs of this reader. */
  readonly isLeader: boolean;
  readonly isPulling: boolean;
  /** True if a proxy buffers the event stream, so that the server is polled. */
  readonly isStreamBuffered: boolean;
  /** The changes received by a replica that will replace a complete one; `null` without one. */
  readonly rebuilding: number | null;
  readonly connection: ConnectionStatus;
  /** The identifier of the household that the screen shows; empty before it is known. */
  readonly bibliotheque: string;
  /** The household that answers instead of the shown one; `null` if none does. */
  readonly other: OtherHousehold | null;
  readonly storage: StorageTrouble | null;
  /** Since when the connection or the storage is not well, in milliseconds since 1970; `null` while both are. */
  readonly troubleSince: number | null;
  /** True where the browser has deleted the replica that this device had. */
  readonly isForgotten: boolean;
  /** When the replica was last equal to the server in this visit, by this page's clock; `-Infinity` before. */
  readonly syncedAtTick: number;
  /** The same moment in milliseconds since 1970. */
  readonly syncedAt: number | null;
}

export type SetStatus = (change: Partial<DeviceStatus>) => void;

export const CLOSED: DeviceStatus = {
  reader: undefined,
  visible: true,
  isOpen: false,
  isComplete: false,
  revision: 0,
  isLeader: false,
  isPulling: false,
  isStreamBuffered: false,
  rebuilding: null,
  connection: 'online',
  bibliotheque: '',
  other: null,
  storage: null,
  troubleSince: null,
  isForgotten: false,
  syncedAtTick: -Infinity,
  syncedAt: null,
};

export type ConnectionStatus =
  | 'online'
  | 'offline'
  | 'sessionExpired'
  | 'serverFailing'
  /** Another household than the shown one answers, or an earlier state of it. */
  | 'otherHousehold';

/**
 * Why a request failed: `offline` (no network or no server), `sessionExpired` (the sign-on requires a sign-in),
 * `serverFailing` (an unexpected response), `foreignEpoch` (another database's checkpoint), `otherReader` (another
 * reader's page).
 */
export type FailureKind =
  | Exclude<ConnectionStatus, 'online' | 'otherHousehold'>
  | 'foreignEpoch'
  | 'otherReader';

export class Failure extends Error {
  readonly kind: FailureKind;
  /** The database that answers instead of the checkpoint's, if named. */
  readonly other: OtherDatabase | null;

  constructor(kind: FailureKind, cause?: unknown, other: OtherDatabase | null = null) {
    super(cause instanceof Error ? `${kind}: ${cause.message}` : kind, { cause });
    this.name = 'Failure';
    this.kind = kind;
    this.other = other;
  }
}

export const connectionAfter = (kind: FailureKind): ConnectionStatus =>
  kind === 'offline' || kind === 'sessionExpired' ? kind : 'serverFailing';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 300_000;

/** A returning server is noticed within a minute; a failing one is left alone for longer. */
const LONGEST_OUT_OF_REACH_MS = 45_000;

/**
 * Exponential backoff after so many consecutive failures (from 1), in milliseconds, varied by a quarter, so that a
 * household's devices do not return all at once.
 */
export function backOff(
  failures: number,
  outOfReach: boolean,
  clock: { chance(): number },
): number {
  const longest = outOfReach ? LONGEST_OUT_OF_REACH_MS : LONGEST_MS;
  const ms = SHORTEST_MS * 2 ** Math.min(failures - 1, 20) * (0.75 + clock.chance() / 2);
  return Math.min(longest, Math.max(SHORTEST_MS, ms));
}

/** Whether the device has no room left: Dexie and RxDB wrap the browser's error, once or twice. */
export function isQuota(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  if (Reflect.get(error, 'name') === 'QuotaExceededError') return true;
  return ['inner', 'cause', 'failures', 'errors', 'parameters', 'writeError']
    .map((name): unknown => Reflect.get(error, name))
    .some((within) =>
      Array.isArray(within)
        ? within.some((one) => isQuota(one, depth + 1))
        : isQuota(within, depth + 1),
    );
}
