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
  let pauseMs = minMs;
  let timer = setTimeout(() => void next(), firstMs);
  async function next() {
    const isDone = await ask(signal).catch((error: unknown) => {
      if (!signal.aborted) report(error, purpose);
      return false;
    });
    if (isDone || signal.aborted) return;
    timer = setTimeout(() => void next(), pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, maxMs);
  }
  return () => {
    leaving.abort();
    clearTimeout(timer);
  };
}
