// @module-tag large
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { filesOf, zipOf } from '../export/archive.ts';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';

const count = ({ context }: House, table: 'Importation' | 'ImportationLigne'): number =>
  context.database.value<number>(`SELECT count(*) FROM ${table}`) ?? 0;

const rowsOf = (house: House) => [count(house, 'Importation'), count(house, 'ImportationLigne')];

test('a dry run whose upload was aborted leaves nothing', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const rows = Array.from({ length: 8000 }, (_, nth) => `Titre ${nth},Un mot`);
  const sending = request(`${house.url}/api/importations`, {
    method: 'POST',
    headers: { ...house.headersOf('alice'), 'Content-Type': 'text/csv' },
  });
  sending.on('error', () => undefined);
  const takeTurn = database.handOver.bind(database);
  vi.spyOn(database, 'handOver').mockImplementation(async (holder, work) => {
    // Some rows are written; the service learns of the abort before it writes the next ones.
    if (count(house, 'ImportationLigne') > 0 && !sending.destroyed) {
      const hungUp = once(sending, 'close');
      sending.destroy();
      await hungUp;
    }
    return takeTurn(holder, work);
  });
  sending.end(['Titre,Mon mot', ...rows].join('\n'));
  await expect.poll(() => sending.destroyed, { timeout: 60_000 }).toBe(true);
  await eventually(() => rowsOf(house)).toEqual([0, 0]);
});

test('an export refused because its household is no longer empty leaves nothing', async () => {
  const folder = temporaryFolder();
  const house = await openHouse(join(folder, 'bibliotheque.sqlite'));
  const bytes = zipOf(filesOf({ livres: [{ id: 1, titre: 'Nadja', format: 'Physique' }] }));
  const isReceived = () =>
    readdirSync(folder).some((name) => existsSync(join(folder, name, 'recu')));
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isBegun) {
        isBegun = true;
        controller.enqueue(new Uint8Array(bytes.subarray(0, 10)));
        return;
      }
      // Once the service stores the upload, it has checked that the household is empty.
      await eventually(isReceived).toBe(true);
      await house.ask('bruno', 'POST', '/api/livres', { titre: 'Sido', format: 'Physique' });
      controller.enqueue(new Uint8Array(bytes.subarray(10)));
      controller.close();
    },
  });
  const asked = { method: 'POST', body, duplex: 'half' };
  const sent = await fetch(`${house.url}/api/restauration`, asked);
  expect(await sent.json()).toMatchObject({ code: 'BIBLIOTHEQUE_OCCUPEE' });
  await eventually(() => rowsOf(house)).toEqual([0, 0]);
});
