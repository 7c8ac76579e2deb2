import { catchError, defer, of, repeat, switchMap, takeWhile, timer } from 'rxjs';
import { report } from './report.ts';

interface Pauses {
  /** Before the first question, in milliseconds; at once where it is left out. */
  readonly firstMs?: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Asks more and more seldom until there is nothing left to ask for; a failure is reported, and asked
 * again after. Returns how to stop.
 *
 * @param ask gives true when there is nothing left to ask for
 * @param purpose what it is for, as a report says it
 */
export function poll(
  ask: (signal: AbortSignal) => Promise<boolean>,
  purpose: string,
  { firstMs = 0, minMs, maxMs }: Pauses,
): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const answers$ = defer(() => ask(signal)).pipe(
    catchError((error: unknown) => {
      if (!signal.aborted) report(error, purpose);
      return of(false);
    }),
    repeat({ delay: (count) => timer(Math.min(minMs * 1.5 ** (count - 1), maxMs)) }),
    takeWhile((isDone) => !isDone),
  );
  const subscription = timer(firstMs)
    .pipe(switchMap(() => answers$))
    .subscribe();
  return () => {
    leaving.abort();
    subscription.unsubscribe();
  };
}
