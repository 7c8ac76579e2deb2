import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatCount } from '#shared/text';
import { formatRaison } from '#server/plumbing/common/raisons';
import { HEADERS, READERS, readTable, SIGNS, tableOf } from './long-cells.ts';

/** A linear reader takes some seconds; a quadratic one would take hours. */
const TIMEOUT_MS = 500_000;

test(
  'half a megabyte of any one sign is read by all readers of cells',
  { timeout: TIMEOUT_MS },
  async () => {
    const process = join(import.meta.dirname, 'read-long-cells.ts');
    const { stdout } = await promisify(execFile)(globalThis.process.execPath, [process], {
      timeout: TIMEOUT_MS,
    });
    expect(Number(stdout)).toBe(SIGNS.length * (Object.keys(READERS).length + 2 * HEADERS.length));
  },
);

test('a cell that is too long is reported with its column', async () => {
  const file = tableOf(['Titre', 'Auteur', 'Mon mot'], 'a'.repeat(10_001), ',').replace(
    /\n"a+"/,
    '\n"Un"',
  );
  const { records } = await readTable(file);
  const [{ record, cells } = { record: null, cells: [] }] = records;
  expect(record?.notes?.map((note) => formatRaison(note))).toEqual([
    `Auteur : plus de ${formatCount(2000)} caractères, la suite laissée de côté`,
    `Mon mot : plus de ${formatCount(10_000)} caractères, la suite laissée de côté`,
  ]);
  expect(record?.lectures?.avis).toHaveLength(10_000);
  // A refused row is exported unabridged.
  expect(cells[2]).toHaveLength(10_001);
});

test('a review of ten thousand characters beyond the first plane is kept completely', async () => {
  const { records } = await readTable(`Titre,Mon mot\nUn,${'😀'.repeat(10_000)}`);
  const [{ record } = { record: null }] = records;
  expect(record?.notes).toEqual([]);
  expect(Array.from(record?.lectures?.avis ?? '')).toHaveLength(10_000);
});
