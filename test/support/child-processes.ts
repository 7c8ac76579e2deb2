import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux tells what this process has begun. */
const THREADS = '/proc/self/task';

/** Whether this machine tells the processes that another has begun. */
export const tellsChildren = existsSync(THREADS);

/** The numbers of the processes that this one has begun and that go on. */
export const childProcesses = (): number[] =>
  readdirSync(THREADS).flatMap((thread) =>
    readFileSync(join(THREADS, thread, 'children'), 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
