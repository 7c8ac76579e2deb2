import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { NIGHTLY_BACKUP } from '#server/plumbing/paths';
import { lastNight } from './backup.ts';

const HOUR_MS = 60 * 60 * 1000;
/** The hour of the local night at which the service makes its backup. */
const HOUR = 3;
/** Delay of an overdue backup after the start of the service, in milliseconds. */
const CATCH_UP_MS = 60 * 1000;

/** What is backed up, and into which folder. */
export interface Source {
  readonly databasePath: string;
  readonly coversPath: string;
  readonly folder: string;
}

/** The result of one nightly backup, for the log. */
interface Report {
  readonly done: (path: string) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Has a database backed up into a folder every night at three, and soon after the start where the
 * last one is more than a day old. Returns the function that ends it.
 */
export function backUpNightly(source: Source, report: Report): () => void {
  let timer: NodeJS.Timeout | undefined;
  const plan = (delay: number): void => {
    timer = setTimeout(() => void run(), delay).unref();
  };
  const run = async (): Promise<void> => {
    try {
      report.done(await backUpInThread(source));
    } catch (error) {
      report.failed(error);
    }
    if (timer !== undefined) plan(untilNight(new Date()));
  };
  plan(untilFirst(source.folder, new Date(), report));
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Makes a backup and returns its path. Throws what is wrong with it. */
export async function backUpInThread(source: Source): Promise<string> {
  const worker = new Worker(NIGHTLY_BACKUP);
  worker.postMessage(source);
  const ended = once(worker, 'exit').then(() => []);
  // An error of the thread rejects.
  const [path]: string[] = await Promise.race([once(worker, 'message'), ended]);
  if (path === undefined) throw new Error('The thread of the nightly backup has ended');
  return path;
}

/** How long a service that has just started waits for its first backup, in milliseconds. */
function untilFirst(folder: string, now: Date, { failed }: Report): number {
  try {
    if (now.getTime() - lastNight(folder) > 24 * HOUR_MS) return CATCH_UP_MS;
  } catch (error) {
    failed(error);
  }
  return untilNight(now);
}

/** From an instant to the next three o'clock of this machine's time, in milliseconds. */
export function untilNight(now: Date): number {
  const night = new Date(now);
  night.setHours(HOUR, 0, 0, 0);
  if (night <= now) night.setDate(night.getDate() + 1);
  return night.getTime() - now.getTime();
}
