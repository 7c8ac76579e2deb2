import { report } from './report.ts';

interface Pauses {
  /** Before the first question, in milliseconds; at once where it is left out. */
  readonly firstMs?: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Asks more and more seldom until there is nothing left to ask for; a failure is reported, and asked
 * again after. Returns how to stop. Without rxjs, which the first screen does not wait for.
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryOnce = () =>
    ask(signal).catch((error: unknown) => {
      if (!signal.aborted) report(error, purpose);
      return false;
    });
  const wait = (ms: number, nextMs: number) => {
    const next = (isDone: boolean) => {
      if (!isDone && !signal.aborted) wait(nextMs, Math.min(nextMs * 1.5, maxMs));
    };
    timer = setTimeout(() => void tryOnce().then(next), ms);
  };
  wait(firstMs, minMs);
  return () => {
    leaving.abort();
    clearTimeout(timer);
  };
}
