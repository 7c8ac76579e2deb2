import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { startLimited } from '../support/limited.ts';
import { goodreads } from './samples.ts';
import { sendFile } from './support.ts';

const fileOf = (count: number, length: number): string =>
  goodreads(
    ...Array.from({ length: count }, (_, index) => ({
      Title: `Titre ${index} ${'x'.repeat(length)}`,
      Author: `Prénom Nom${index}`,
    })),
  );
/** Few rows are written by the service's own connection, to which the limit applies. */
const FEW_ROWS = 40;

/** Limits the database to this many more pages. */
function limitPages({ context: { database } }: House, more: number): void {
  const { page_count: count = 0 } =
    database.prepare<[], { page_count: number }>('PRAGMA page_count').get() ?? {};
  database.prepare(`PRAGMA max_page_count = ${count + more}`).get();
}

const livres = async (house: House) => (await house.ask('alice', 'GET', '/api/livres')).body;

test.each([0, 1000, 4000])(
  'a disk full after %i kB more keeps nothing',
  { tags: 'process' },
  async (more) => {
    const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
    await (await openHouse(databasePath)).close();
    const file = fileOf(4000, 150);
    const fileBlocks = Math.ceil(statSync(databasePath).size / 1024) + more;
    const url = await startLimited(databasePath, { fileBlocks });
    const refused = await fetch(`${url}/api/importations?essai=false`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body: file,
    });
    expect([refused.status, await refused.json()]).toMatchObject([507, { code: 'DISQUE_PLEIN' }]);
    expect(await (await fetch(`${url}/api/livres`)).json()).toEqual([]);
    expect(await (await fetch(`${url}/api/importations`)).json()).toEqual([]);
  },
);

test.each([2, 8])('a disk full after %i pages keeps the dry run', async (pages) => {
  const house = await openHouse();
  const { body } = await sendFile(house, fileOf(FEW_ROWS, 150));
  limitPages(house, pages);
  const execution = `/api/importations/${body.id}/execution`;
  const refused = await house.ask('alice', 'POST', execution, {});
  expect([refused.status, refused.body]).toMatchObject([507, { code: 'DISQUE_PLEIN' }]);
  expect(await livres(house)).toEqual([]);
  limitPages(house, 1_000_000);
  const executed = await house.ask('alice', 'POST', execution, {});
  expect(executed.body).toMatchObject({ etat: 'faite', nouveaux: FEW_ROWS });
});
