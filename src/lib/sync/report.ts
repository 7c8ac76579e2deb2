import { createSubscriber } from 'svelte/reactivity';

/** An error that did not stop the application, with its place and time. */
export interface ReportedError {
  readonly time: Date;
  readonly where: string;
  readonly message: string;
}

const MAX_ERRORS = 50;

const errors: ReportedError[] = [];
let notify: () => void = () => undefined;
const follow = createSubscriber((change) => void (notify = change));

/** Keeps an error for the about page, where no screen shows it. */
export function report(error: unknown, where: string): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  errors.push({ time: new Date(), where, message });
  if (errors.length > MAX_ERRORS) errors.shift();
  // In a microtask: reading a note may fail inside a derivation, where state must not change.
  queueMicrotask(() => notify());
}

/** Runs work without awaiting it; its failure is reported on the about page. */
export function unawaited(work: Promise<unknown>, where: string): void {
  work.catch((error: unknown) => report(error, where));
}

/** The latest errors, oldest first; reactive. */
export function reportedErrors(): readonly ReportedError[] {
  follow();
  return [...errors];
}
