/** How the device stands with the server. */
export type ConnectionStatus = 'online' | 'offline' | 'sessionExpired' | 'serverFailing';

/**
 * Why a request failed, named where it happens: `offline` (no network, or no server),
 * `sessionExpired` (the sign-on asks to sign in again), `serverFailing` (the server answers, and not what
 * was asked), `foreignEpoch` (the checkpoint is of another database), `otherReader` (a page for someone
 * else).
 */
export type FailureKind = Exclude<ConnectionStatus, 'online'> | 'foreignEpoch' | 'otherReader';

/** A request that failed. */
export class Failure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause?: unknown) {
    super(cause instanceof Error ? `${kind}: ${cause.message}` : kind, { cause });
    this.name = 'Failure';
    this.kind = kind;
  }
}

/** The connection that a failure tells of. */
export const connectionAfter = (kind: FailureKind): ConnectionStatus =>
  kind === 'offline' || kind === 'sessionExpired' ? kind : 'serverFailing';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 300_000;

/**
 * The longest wait for a server that is out of reach: the reader learns within a minute that it is back.
 * A server that answers and fails is left alone for longer.
 */
const LONGEST_OUT_OF_REACH_MS = 45_000;

/**
 * How long to wait after so many failures (from 1) in a row, in milliseconds: twice as long each
 * time, up or down by a quarter, so that the devices of a household do not come back all at once.
 *
 * @param chance a number from 0 up to 1
 */
export function backOff(failures: number, outOfReach: boolean, chance: () => number): number {
  const longest = outOfReach ? LONGEST_OUT_OF_REACH_MS : LONGEST_MS;
  const ms = SHORTEST_MS * 2 ** Math.min(failures - 1, 20) * (0.75 + chance() / 2);
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
