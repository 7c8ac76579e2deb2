import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { cpuMsOf, sizeOf } from '#server/subjects/importations/importations';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { goodreads } from './samples.ts';
import { FORMATS } from './made-files.ts';
import { LIMITS, readInThread, readWithin } from './read-in-thread.ts';

test('a file that takes more processor time than its size allows, or more memory, is refused', async () => {
  const house = await openHouse();
  const books = Array.from({ length: 20_000 }, (_, at) => ({ Title: `Book ${at}` }));
  const file = goodreads(...books);
  await expect(readWithin(house, file, { cpuMs: 100 })).rejects.toMatchObject({
    details: { raison: 'tropDeTemps' },
  });
  await expect(readWithin(house, file, { heapMb: 30 })).rejects.toMatchObject({
    details: { raison: 'tropDeMemoire' },
  });
  expect(await readWithin(house, file, {})).toBe(true);
});

test('an upload that exceeds the limit while being stored is refused alike', async () => {
  const house = await openHouse();
  const bounds = { ...LIMITS };
  const thread = readInThread(house, goodreads({ Title: 'A' }), bounds);
  onTestFinished(() => thread.end());
  expect(await thread.prepared()).toBe(true);
  // Another process holds the write lock, so the import must wait.
  const other = new Sqlite(house.context.database.options.path);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const turn = thread.takeTurn();
  bounds.cpuMs = 0;
  await expect(turn).rejects.toMatchObject({ details: { raison: 'tropDeTemps' } });
});

test('a zip’s time limit depends on its uncompressed size', async () => {
  const rows = Array.from({ length: 2_000 }, () => [['note', 'mot '.repeat(100)]] as const);
  const file = FORMATS['tableur']?.file(rows) ?? '';
  const path = join(temporaryFolder(), 'livres.xlsx');
  writeFileSync(path, file);
  const size = await sizeOf(path);
  expect(size).toBeGreaterThan(20 * file.length);
  expect(cpuMsOf(size) - cpuMsOf(0)).toBeCloseTo(size / 500);
});
