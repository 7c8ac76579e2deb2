import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';

/** Runs work exclusively among the workers. SQLite releases the lock if its process ends. */
export async function runExclusively(work: () => Promise<void>): Promise<void> {
  const lock = new Database('.cache/alone.sqlite', { timeout: 0 });
  while (!isTaken(lock)) await setTimeout(250);
  try {
    await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch {
    return false;
  }
}
