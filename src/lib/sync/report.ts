/** An error that did not stop the application, with its place and time. */
export interface ReportedError {
  readonly time: Date;
  readonly where: string;
  readonly message: string;
}

const MAX_ERRORS = 50;

const errors: ReportedError[] = [];
const listeners = new Set<() => void>();

/** Keeps an error for the about page, where no screen shows it. */
export function report(error: unknown, where: string): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  errors.push({ time: new Date(), where, message });
  if (errors.length > MAX_ERRORS) errors.shift();
  // In a microtask: reading a note may fail inside a derivation, where no state may change.
  queueMicrotask(() => {
    for (const listener of listeners) listener();
  });
}

/** The latest errors, oldest first. */
export const reportedErrors = (): readonly ReportedError[] => [...errors];

/** Calls `listener` at each report until the returned function is called. */
export function onReport(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
