import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { attempt } from '../scripts/support/attempt.ts';
import { buildServerIfStale } from '../scripts/support/build.ts';
import { Server } from '../test/e2e/support/server.ts';

/**
 * `npm run prove -- foreign-lock`: another program has the database's lock for three seconds while people write; nobody
 * who reads waits for it.
 */

const HELD_MS = 3_000;
const MAX_READ_MS = 100;
const WRITERS = 20;

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function write(url: string, nth: number): Promise<number> {
  const body = JSON.stringify({ titre: `Livre ${String(nth)}`, format: 'Physique' });
  return (await fetch(`${url}/api/livres`, { method: 'POST', headers: JSON_TYPE, body })).status;
}

/** The longest of reads that follow each other until `ended` settles, in milliseconds. */
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

async function prove(begin: string, path: string, url: string): Promise<boolean> {
  const usual = await longestRead(url, delay(HELD_MS));
  const foreign = new Sqlite(path);
  foreign.exec(begin);
  const held = delay(HELD_MS).then(() => foreign.exec('ROLLBACK').close());
  const start = performance.now();
  const writes = Promise.all(Array.from({ length: WRITERS }, (_, nth) => write(url, nth)));
  const [longest, statuses] = await Promise.all([longestRead(url, held), writes]);
  const isMet = longest < MAX_READ_MS && statuses.every((status) => [201, 409].includes(status));
  console.log(
    `${isMet ? '✓' : '✗'} ${begin} of ${String(HELD_MS)} ms: ${String(WRITERS)} writes answered after ${(performance.now() - start).toFixed(0)} ms, the longest read took ${longest.toFixed(0)} ms (at most ${String(MAX_READ_MS)} ms; ${usual.toFixed(0)} ms while nobody writes)`,
  );
  return isMet;
}

await attempt(async () => {
  await buildServerIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-lock-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const server = await Server.start(path, 0, { BACKUP_PATH: 'non' });
  try {
    // The first of each takes longer for reasons of its own.
    await write(server.url, WRITERS);
    await longestRead(server.url, delay(500));
    const first = await prove('BEGIN IMMEDIATE', path, server.url);
    const second = await prove('BEGIN EXCLUSIVE', path, server.url);
    process.exitCode = first && second ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
