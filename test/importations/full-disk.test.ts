import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { goodreads } from './samples.ts';
import { importFile, sendFile } from './support.ts';

const fileOf = (count: number, length: number): string =>
  goodreads(
    ...Array.from({ length: count }, (_, index) => ({
      Title: `Titre ${index} ${'x'.repeat(length)}`,
      Author: `Prénom Nom${index}`,
    })),
  );
/** Few enough to be read and imported by the service's own connection, which has the limit. */
const FEW_ROWS = 40;

/** Leaves the database room for so many more pages. */
function limitPages({ context: { database } }: House, more: number): void {
  const { page_count: count = 0 } =
    database.prepare<[], { page_count: number }>('PRAGMA page_count').get() ?? {};
  database.prepare(`PRAGMA max_page_count = ${count + more}`).get();
}

const livres = async (house: House) => (await house.ask('alice', 'GET', '/api/livres')).body;

test.each([0, 1, 8])('a disk full after %i pages of reading keeps nothing', async (pages) => {
  const house = await openHouse();
  const file = fileOf(FEW_ROWS, 150);
  limitPages(house, pages);
  const { status, body } = await sendFile(house, file, { essai: 'false' });
  expect([status, body]).toMatchObject([507, { code: 'DISQUE_PLEIN' }]);
  expect(await livres(house)).toEqual([]);
  expect((await house.ask('alice', 'GET', '/api/importations')).body).toEqual([]);
  limitPages(house, 1_000_000);
  expect(await importFile(house, file)).toMatchObject({ nouveaux: FEW_ROWS });
});

test.each([2, 8])('a disk full after %i pages keeps the dry run', async (pages) => {
  const house = await openHouse();
  const { body } = await sendFile(house, fileOf(FEW_ROWS, 150));
  limitPages(house, pages);
  const execution = `/api/importations/${body.id}/execution`;
  const refused = await house.ask('alice', 'POST', execution, {});
  expect([refused.status, refused.body]).toMatchObject([507, { code: 'DISQUE_PLEIN' }]);
  expect(await livres(house)).toEqual([]);
  limitPages(house, 1_000_000);
  const made = await house.ask('alice', 'POST', execution, {});
  expect(made.body).toMatchObject({ etat: 'faite', nouveaux: FEW_ROWS });
});
