import { Refusal } from '#shared/refusals';
import { isFullDisk } from '#server/plumbing/database/disk-errors';
import { BadAnswer } from '#server/plumbing/upstream/http';
import type { Raison } from '../store/queue.ts';
import { DeadlyPicture, DotPicture, UnreadablePicture } from './picture.ts';
import { NoImage } from './relay.ts';

/** What a fetch that gave no picture says of the address, and of its host. */
type Verdict =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'later';
      readonly raison: Raison;
      /** As the source wants it, in milliseconds. */
      readonly retryAfterMs: number | null;
    };

const NONE: Verdict = { kind: 'none' };
const REFUSING = new Set([403, 429]);
const TRANSIENT = new Set([408, 425]);

/** Whether a failed fetch says that there is no picture, or only none for now (docs/rules.md § 43). */
export function judge(error: unknown): Verdict {
  if (error instanceof DotPicture || error instanceof DeadlyPicture) return NONE;
  if (error instanceof NoImage) return judgeStatus(error);
  if (error instanceof BadAnswer || error instanceof UnreadablePicture) return later('erreur');
  if (isFullDisk(error) || (error instanceof Refusal && error.code === 'DISQUE_PLEIN'))
    return later('disque');
  return later('injoignable');
}

/** Whether nothing is known to have failed: neither the source, nor the picture, nor the disk. */
export const isUnexpected = (verdict: Verdict): boolean =>
  verdict.kind === 'later' && verdict.raison === 'injoignable';

function judgeStatus({ status, retryAfterMs }: NoImage): Verdict {
  if (REFUSING.has(status)) return later('refus', retryAfterMs);
  const isFailure = status >= 500 || TRANSIENT.has(status) || (status >= 200 && status < 400);
  // Who says when to come back means all of its covers, whatever the status.
  return isFailure ? later(retryAfterMs === null ? 'erreur' : 'refus', retryAfterMs) : NONE;
}

const later = (raison: Raison, retryAfterMs: number | null = null): Verdict => ({
  kind: 'later',
  raison,
  retryAfterMs,
});

/** The first wait after a failure, twice as long each time, and the longest. */
const BACK_OFF_MS = 10 * 60_000;
const MAX_BACK_OFF_MS = 7 * 24 * 3_600_000;
/** The shortest wait, whatever the source says. */
const MIN_WAIT_MS = 60_000;

/**
 * How long to wait after a failure, in milliseconds.
 *
 * @param essais how often it has failed before
 * @param retryAfterMs as the source wants it
 */
export const waitAfter = (essais: number, retryAfterMs: number | null): number =>
  Math.max(retryAfterMs ?? Math.min(BACK_OFF_MS * 2 ** essais, MAX_BACK_OFF_MS), MIN_WAIT_MS);
