import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const THREADS = '/proc/self/task';

export const tellsChildren = existsSync(THREADS);

export const childProcesses = (): number[] =>
  readdirSync(THREADS).flatMap((thread) =>
    childrenOf(thread).trim().split(' ').filter(Boolean).map(Number),
  );

function childrenOf(thread: string): string {
  try {
    return readFileSync(join(THREADS, thread, 'children'), 'utf8');
  } catch (error) {
    // The thread has ended since the folder was listed.
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
