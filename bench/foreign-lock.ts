import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { exitOnError } from '../scripts/support/exit-on-error.ts';
import { buildServerIfStale } from '../scripts/support/server-build.ts';
import { Server } from '../test/e2e/support/server.ts';

/**
 * `npm run prove -- foreign-lock`: another program holds the database's lock for three seconds while people write.
 * Readers must not wait. Since time is unreliable on a busy machine, this checks that the service's main thread never
 * sleeps, as SQLite does while it waits for a lock.
 */

const HELD_MS = 3_000;
const WRITERS = 20;
const LOOK_EVERY_MS = 2;

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function write(url: string, nth: number): Promise<number> {
  const body = JSON.stringify({ titre: `Livre ${String(nth)}`, format: 'Physique' });
  return (await fetch(`${url}/api/livres`, { method: 'POST', headers: JSON_TYPE, body })).status;
}

/** The longest of successive reads until `ended` resolves, in milliseconds. */
async function longestRead(url: string, ended: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  void ended.finally(() => (state.isOver = true));
  let longest = 0;
  while (!state.isOver) {
    const begin = performance.now();
    await (await fetch(`${url}/api/livres?limite=1`)).text();
    longest = Math.max(longest, performance.now() - begin);
  }
  return longest;
}

/** The Linux kernel function in which a process's main thread waits, `0` while it runs. */
const waitsIn = (pid: number): string =>
  readFileSync(`/proc/${String(pid)}/task/${String(pid)}/wchan`, 'utf8');

/** How often the main thread was checked until `ended` resolves, and how often it was sleeping. */
async function countSleeps(pid: number, ended: Promise<unknown>): Promise<[number, number]> {
  const state = { isOver: false };
  void ended.finally(() => (state.isOver = true));
  let [looks, sleeps] = [0, 0];
  while (!state.isOver) {
    looks++;
    if (waitsIn(pid).includes('nanosleep')) sleeps++;
    await delay(LOOK_EVERY_MS);
  }
  return [looks, sleeps];
}

async function prove(begin: string, path: string, { url, pid }: Server): Promise<boolean> {
  const usual = await longestRead(url, delay(HELD_MS));
  const foreign = new Sqlite(path);
  foreign.exec(begin);
  const held = delay(HELD_MS).then(() => foreign.exec('ROLLBACK').close());
  const start = performance.now();
  const writes = Promise.all(Array.from({ length: WRITERS }, (_, nth) => write(url, nth)));
  const [longest, [looks, sleeps], statuses] = await Promise.all([
    longestRead(url, held),
    countSleeps(pid, held),
    writes,
  ]);
  const isMet = sleeps === 0 && statuses.every((status) => [201, 409].includes(status));
  console.log(
    `${isMet ? '✓' : '✗'} ${begin} of ${String(HELD_MS)} ms: the main thread slept in ${String(sleeps)} of ${String(looks)} looks at it, ${String(WRITERS)} writes were answered after ${(performance.now() - start).toFixed(0)} ms, the longest read took ${longest.toFixed(0)} ms (${usual.toFixed(0)} ms while nobody writes)`,
  );
  return isMet;
}

await exitOnError(async () => {
  await buildServerIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-lock-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const server = await Server.start(path, 0, { BACKUP_PATH: 'non' });
  try {
    // The first request of each kind is slower for other reasons.
    await write(server.url, WRITERS);
    await longestRead(server.url, delay(500));
    const first = await prove('BEGIN IMMEDIATE', path, server);
    const second = await prove('BEGIN EXCLUSIVE', path, server);
    process.exitCode = first && second ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
