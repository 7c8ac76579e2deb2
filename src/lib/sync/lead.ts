import { distinctUntilChanged, Observable, of, startWith, switchMap, tap } from 'rxjs';
import type { ClockPort, LocksPort } from './ports.ts';
import { report } from './report.ts';
import { after } from './stream.ts';

/**
 * Heartbeat timeout in milliseconds: a visible tab pings the leader after this silence, and takes over after the same
 * time again without a reply. Two waits, because a tab that was busy itself first has to process queued messages.
 */
const LEADER_TIMEOUT_MS = 1_300;

/**
 * Whether this tab is the leader, which replicates for all tabs of its reader: the visible one. A tab that becomes
 * visible steals the lock, since the former leader may be frozen; a hidden tab never has it.
 *
 * @param visible$ whether this tab is visible
 * @param used$ emits when this tab is used: of two windows side by side it takes the lock
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
 * Emits when the leader does not reply to a ping.
 *
 * @param word$ its heartbeats
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
