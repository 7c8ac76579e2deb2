import { concat, defer, exhaustMap, map, Observable } from 'rxjs';
import { backOff } from './back-off.ts';
import type { ClockPort, ServerPort } from './ports.ts';
import { after } from './time.ts';

/** A stream that was open this long ends the back-off of streams, in milliseconds. */
const STREAM_LIVES_MS = 30_000;

/** A revision that the server has reached, or what becomes of the stream. */
type Announcement = number | 'opened' | 'broke';

/**
 * Listens to the server's event stream from each `equal$` on until it breaks. Changes before it is opened
 * are not announced, and after it broke a back-off goes by before that is told: both ask for a pull, after
 * which the copy is equal and another stream is opened.
 */
export function announcements(
  server: ServerPort,
  clock: ClockPort,
  equal$: Observable<void>,
): Observable<Announcement> {
  let broken = 0;
  const stream$ = new Observable<Announcement>((subscriber) => {
    const since = clock.now();
    return server.listen({
      opened: () => subscriber.next('opened'),
      announced: (revision) => subscriber.next(revision),
      broke: () => {
        broken = clock.now() - since > STREAM_LIVES_MS ? 1 : broken + 1;
        subscriber.complete();
      },
    });
  });
  const pause$ = defer(() =>
    after(
      clock,
      backOff(broken, false, () => clock.chance()),
    ),
  ).pipe(map((): Announcement => 'broke'));
  return equal$.pipe(exhaustMap(() => concat(stream$, pause$)));
}
