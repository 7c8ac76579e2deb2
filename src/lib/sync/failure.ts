import type { ConnectionStatus } from './status.ts';

/**
 * Why an exchange failed, named where it happens: `offline` (no network, or no server),
 * `sessionExpired` (the sign-on asks to sign in again), `serverFailing` (the server answers, and not what
 * was asked), `foreignEpoch` (the checkpoint is of another database), `otherReader` (a page for someone
 * else).
 */
export type FailureKind =
  | 'offline'
  | 'sessionExpired'
  | 'serverFailing'
  | 'foreignEpoch'
  | 'otherReader';

/** An exchange that failed. */
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
