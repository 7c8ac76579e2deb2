import { concat, defer, exhaustMap, map, Observable } from 'rxjs';
import { backOff } from './status.ts';
import type { ClockPort, ServerPort } from './ports.ts';

/** A stream that was open this long ends the back-off of streams, in milliseconds. */
const STREAM_LIVES_MS = 30_000;

/** A stream that is silent for three heartbeats of the server is dead, in milliseconds. */
const SILENCE_MS = 60_000;

/**
 * The revisions that the server's event stream announces, `Infinity` where it may have announced others: when it is
 * opened, and a while after it broke or fell silent. It is opened at each `equal$`, and not before, so that nothing
 * competes with a first copy, and a server out of reach is asked for pages alone.
 */
export function announcements(
  server: ServerPort,
  clock: ClockPort,
  equal$: Observable<unknown>,
): Observable<number> {
  let broken = 0;
  const stream$ = new Observable<number>((subscriber) => {
    const since = clock.now();
    let stopTimer: (() => void) | null = null;
    const end = () => {
      broken = clock.now() - since > STREAM_LIVES_MS ? 1 : broken + 1;
      subscriber.complete();
    };
    const heard = () => {
      stopTimer?.();
      stopTimer = clock.after(SILENCE_MS, end);
    };
    heard();
    const close = server.listen({
      opened: () => subscriber.next(Infinity),
      announced: (revision) => subscriber.next(revision),
      heard,
      broke: end,
    });
    return () => {
      stopTimer?.();
      close();
    };
  });
  const pause$ = defer(() => after(clock, backOff(broken, false, clock))).pipe(map(() => Infinity));
  return equal$.pipe(exhaustMap(() => concat(stream$, pause$)));
}

/** Emits once, after so many milliseconds of the clock. */
export const after = (clock: ClockPort, ms: number): Observable<void> =>
  new Observable((subscriber) =>
    clock.after(ms, () => {
      subscriber.next();
      subscriber.complete();
    }),
  );
