import { concat, defer, exhaustMap, map, Observable } from 'rxjs';
import { backOff } from './status.ts';
import type { Checkpoint } from '#shared/replication';
import type { ClockPort, ServerPort } from './ports.ts';

/** A stream that was open this long ends the back-off of streams, in milliseconds. */
const STREAM_LIVES_MS = 30_000;

/** A stream that is silent for three heartbeats of the server is dead, in milliseconds. */
const SILENCE_MS = 60_000;

/**
 * Within this time a stream has to bring two heartbeats (`HEARTBEAT`), in milliseconds. Otherwise a proxy buffers its
 * body, or only passes on what comes with the headers.
 */
const PROOF_MS = 12_000;
const PROOFS = 2;

/** The polling interval that replaces a buffered stream, in milliseconds. */
const ASKING_MS = 10_000;

/** When such a stream is tried again, in milliseconds: the proxy may be mended. */
const BUFFERED_MS = 300_000;

/** Until when no stream is tried, on the page's clock, whichever tab replicates meanwhile. */
export interface BufferedStream {
  until: number;
}

/**
 * Emits the revisions announced over SSE; `Infinity` when some may have been missed (no resume, a broken or silent
 * stream). The stream opens at each `equal$`, so that it never competes with the first replica, and an unreachable
 * server only gets pulls. If a proxy buffers it, emits `Infinity` every ten seconds instead.
 *
 * @param checkpoint the replica's progress
 * @param onBuffered called with whether the stream is buffered
 */
export function announcements(
  server: ServerPort,
  clock: ClockPort,
  equal$: Observable<unknown>,
  checkpoint: () => Checkpoint | null,
  buffered: BufferedStream,
  onBuffered: (isHeld: boolean) => void,
): Observable<number> {
  let broken = 0;
  const stream$ = new Observable<number>((subscriber) => {
    const since = clock.now();
    let stopTimer: (() => void) | null = null;
    let beats = 0;
    const end = () => {
      broken = clock.now() - since > STREAM_LIVES_MS ? 1 : broken + 1;
      subscriber.complete();
    };
    const stopProof = clock.after(PROOF_MS, () => {
      buffered.until = clock.now() + BUFFERED_MS;
      onBuffered(true);
      subscriber.complete();
    });
    const heard = () => {
      if (++beats === PROOFS) {
        stopProof();
        onBuffered(false);
      }
      stopTimer?.();
      stopTimer = clock.after(SILENCE_MS, end);
    };
    stopTimer = clock.after(SILENCE_MS, end);
    const close = server.listen(checkpoint(), {
      opened: (isWhole) => {
        if (!isWhole) subscriber.next(Infinity);
      },
      announced: (revision) => subscriber.next(revision),
      heard,
      broke: end,
    });
    return () => {
      stopTimer?.();
      stopProof();
      close();
    };
  });
  const pause$ = defer(() => after(clock, backOff(broken, false, clock))).pipe(map(() => Infinity));
  const ask$ = after(clock, ASKING_MS).pipe(map(() => Infinity));
  return equal$.pipe(
    exhaustMap(() => (clock.now() < buffered.until ? ask$ : concat(stream$, pause$))),
  );
}

/** Emits once, after so many milliseconds of the clock. */
export const after = (clock: ClockPort, ms: number): Observable<void> =>
  new Observable((subscriber) =>
    clock.after(ms, () => {
      subscriber.next();
      subscriber.complete();
    }),
  );
