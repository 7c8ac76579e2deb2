import { distinctUntilChanged, Observable, of, startWith, switchMap, tap } from 'rxjs';
import type { ClockPort, LocksPort } from './ports.ts';
import { report } from './report.ts';
import { after } from './stream.ts';

/**
 * How long after a word of the tab that replicates another one in view asks for one, and then takes it for frozen, in
 * milliseconds: one wait after the other, so that a tab that was busy itself first hears what came meanwhile.
 */
const LEADER_TIMEOUT_MS = 1_300;

/**
 * Whether this tab replicates for all tabs of its reader: the one that is looked at does. A tab that comes into view
 * steals the lock, as the one before may be frozen and cannot give it away; a hidden tab holds none.
 *
 * @param visible$ whether someone looks at this tab
 * @param used$ emits where someone uses it: of two windows side by side that one takes the lock
 */
export const isLeader$ = (
  locks: LocksPort | null,
  name: string,
  visible$: Observable<boolean>,
  used$: Observable<unknown>,
): Observable<boolean> =>
  visible$.pipe(
    distinctUntilChanged(),
    switchMap((isVisible) => {
      if (!isVisible) return of(false);
      return locks === null ? of(true) : holds(locks, name, used$);
    }),
    distinctUntilChanged(),
  );

const holds = (locks: LocksPort, name: string, used$: Observable<unknown>): Observable<boolean> =>
  new Observable((subscriber) => {
    let hasLock = false;
    let queue = new AbortController();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const hold = async () => {
      if (subscriber.closed) return;
      hasLock = true;
      subscriber.next(true);
      await released;
    };
    const request = (steal: boolean) => {
      queue.abort();
      queue = new AbortController();
      const { signal } = queue;
      locks.request(name, steal ? { steal } : { signal }, hold).catch((error: unknown) => {
        if (subscriber.closed || signal.aborted) return;
        if (!(error instanceof DOMException) || error.name !== 'AbortError') {
          // The browser blocks locks with all site data. Two tabs that both replicate end equal, too.
          report(error, 'asking for the lock');
          subscriber.next(true);
          return;
        }
        hasLock = false;
        subscriber.next(false);
        request(false);
      });
    };
    request(true);
    const using = used$.subscribe(() => {
      if (!hasLock) request(true);
    });
    return () => {
      using.unsubscribe();
      queue.abort();
      release(undefined);
    };
  });

/**
 * Emits where the tab that replicates is silent although it was asked for a word.
 *
 * @param word$ its words
 */
export const silent = (
  word$: Observable<void>,
  clock: ClockPort,
  ask: () => void,
): Observable<void> =>
  word$.pipe(
    startWith(undefined),
    switchMap(() =>
      after(clock, LEADER_TIMEOUT_MS).pipe(
        tap(ask),
        switchMap(() => after(clock, LEADER_TIMEOUT_MS)),
      ),
    ),
  );
