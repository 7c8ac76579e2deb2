import { Observable } from 'rxjs';
import type { ClockPort } from './ports.ts';

/** Emits once, after so many milliseconds of the clock. */
export const after = (clock: ClockPort, ms: number): Observable<void> =>
  new Observable((subscriber) =>
    clock.after(ms, () => {
      subscriber.next();
      subscriber.complete();
    }),
  );
