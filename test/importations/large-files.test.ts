// @module-tag large
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import { openHouse } from '../support/house.ts';
import { table } from './samples.ts';
import { sendFile } from './support.ts';

/**
 * The limit fails if all rows are held as objects, or each with its comparison keys, for twelve thousand rows of a
 * kilobyte. Some eight megabytes are the messages of both languages.
 */
const MAX_HEAP_MB = 56;

async function runWithLittleMemory(...what: readonly string[]): Promise<void> {
  const script = join(import.meta.dirname, 'read-large-file.ts');
  const heap = [`--max-old-space-size=${MAX_HEAP_MB}`, '--max-semi-space-size=2'];
  const { stdout } = await promisify(execFile)(process.execPath, [...heap, script, ...what]);
  expect(stdout).toBe('true');
}

test('a file of many rows is read and planned without holding objects in memory', async () => {
  await runWithLittleMemory();
});

test('a file of many rows is imported without holding its rows in memory', async () => {
  await runWithLittleMemory('execute');
});

test('others write while a large file is kept as a dry run', async () => {
  const house = await openHouse();
  const count = 20_000;
  const file = table(
    ['Titre', 'Mon mot'],
    Array.from({ length: count }, (_, row) => ({ Titre: `Titre ${row}`, 'Mon mot': 'Un mot' })),
  );
  const state = { isSending: true };
  const sending = sendFile(house, file).finally(() => (state.isSending = false));
  const counts: number[] = [];
  while (state.isSending) {
    const livre = { titre: `Livre ${counts.length}`, format: 'Physique' };
    const { status } = await house.ask('bruno', 'POST', '/api/livres', livre);
    expect(status).toBe(201);
    counts.push(
      house.context.database.value<number>('SELECT count(*) FROM ImportationLigne') ?? count,
    );
  }
  expect((await sending).body).toMatchObject({ lignes: count });
  // Other writes ran between the rows.
  expect(counts.filter((rows) => rows > 0 && rows < count)).not.toEqual([]);
});

test('a compressed list returns its elements in order, any number of times', () => {
  const list = new CompressedList<{ readonly text: string; readonly nth: number }>();
  const values = Array.from({ length: 3000 }, (_, nth) => ({
    text: `é\n${'x'.repeat(nth % 97)}`,
    nth,
  }));
  for (const value of values) list.push(value);
  expect(list.length).toBe(3000);
  expect([...list]).toEqual(values);
  expect([...list]).toEqual(values);
});

test('a packed list that is drained gives every value once, and takes others', () => {
  for (const count of [3, 3000]) {
    const list = new CompressedList<string>();
    const values = Array.from({ length: count }, (_, nth) => `${nth} ${'x'.repeat(9000)}`);
    for (const value of values) list.push(value);
    const drained: string[] = [];
    for (const value of list.drain()) drained.push(value);
    expect(drained).toEqual(values);
    expect([...list]).toEqual([]);
    expect(list.length).toBe(0);
    list.push('again');
    expect([...list]).toEqual(['again']);
  }
});
