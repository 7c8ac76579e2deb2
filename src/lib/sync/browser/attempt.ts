import { report } from '../report.ts';

/** Uses `localStorage`: a browser that blocks site data, or has no room, throws. `undefined` where it did. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    report(error, what);
    return undefined;
  }
}
