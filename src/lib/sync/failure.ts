/**
 * Why a step of synchronisation failed, named where it happens:
 * `offline` (no network, or no server), `sessionExpired` (the sign-on asks to sign in again),
 * `serverFailing` (the server answers, and not what was asked), `foreignEpoch` (the checkpoint is
 * of another database), `otherReader` (a page for someone else), `unreadable` (the copy cannot be
 * opened, read or written, twice), `storageFull` (no room to write).
 */
export type FailureKind =
  | 'offline'
  | 'sessionExpired'
  | 'serverFailing'
  | 'foreignEpoch'
  | 'otherReader'
  | 'unreadable'
  | 'storageFull';

/** A step of synchronisation that failed. */
export class Failure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause?: unknown) {
    super(cause instanceof Error ? `${kind}: ${cause.message}` : kind, { cause });
    this.name = 'Failure';
    this.kind = kind;
  }
}
