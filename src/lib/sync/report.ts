/** An error that was met and gone on from, with where and when it was. */
export interface Trouble {
  readonly time: Date;
  readonly where: string;
  readonly message: string;
}

/** How many are kept: the latest ones. */
const MAX_TROUBLES = 50;

const troubles: Trouble[] = [];
const listeners = new Set<() => void>();

/** Keeps an error that nobody is told of otherwise, for the about page. */
export function report(error: unknown, where: string): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  troubles.push({ time: new Date(), where, message });
  if (troubles.length > MAX_TROUBLES) troubles.shift();
  // Not at once: a note that cannot be read is met while a screen is computed, which may change nothing.
  queueMicrotask(() => {
    for (const listener of listeners) listener();
  });
}

/** The latest errors, oldest first. */
export const reportedTroubles = (): readonly Trouble[] => [...troubles];

/** Calls `listener` at each report until the returned function is called. */
export function onReport(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
