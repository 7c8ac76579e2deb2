import { expect, onTestFinished, test, vi } from 'vitest';
import { Transaction } from '#server/plumbing/database/connection';
import { openHouse, type House } from '../support/house.ts';

const LIVRE = {
  titre: 'Le livre',
  format: 'Physique',
  auteurs: ['Lise Marchand'],
  themes: ['Bretagne'],
};

/** The tables in which a write has read or written every row. */
async function scannedBy(
  house: House,
  write: () => Promise<{ status: number }>,
): Promise<string[]> {
  const { database } = house.context;
  const prepare = vi.spyOn(Transaction.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  expect((await write()).status).toBeLessThan(300);
  const asked = new Set(prepare.mock.calls.map(([sql]) => sql));
  prepare.mockRestore();
  expect(asked.size).toBeGreaterThan(3);
  const tables = new Set([...database.capture.tables, 'Modification', 'Trace']);
  return database.write((tx) =>
    [...asked]
      .filter((sql) => /^\s*(?:SELECT|UPDATE|DELETE|INSERT|WITH)\b/.test(sql))
      .flatMap((sql) =>
        tx
          .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|@\w+/g, '1')}`)
          .flatMap(({ detail }) => /^SCAN (\w+)$/.exec(detail)?.[1] ?? [])
          .filter((table) => tables.has(table)),
      ),
  );
}

test('rows that belong to a book or an issue are found without a scan of all others', async () => {
  const house = await openHouse();
  const ask = (method: string, path: string, body?: unknown) =>
    house.ask('alice', method, path, body);
  await ask('POST', '/api/livres', LIVRE);
  await ask('POST', '/api/livres', { ...LIVRE, titre: 'Un autre' });
  const revue = { titre: 'La Hulotte' };
  for (const numero of ['1', '2'])
    expect(
      await ask('POST', '/api/revues/numeros', { revue, numero: { numero, themes: ['Oiseaux'] } }),
    ).toMatchObject({ status: 201 });
  expect(await scannedBy(house, () => ask('DELETE', '/api/livres/1'))).toEqual([]);
  expect(await scannedBy(house, () => ask('DELETE', '/api/livres/2'))).toEqual([]);
  expect(await scannedBy(house, () => ask('DELETE', '/api/numeros/1'))).toEqual([]);
  expect(await scannedBy(house, () => ask('DELETE', '/api/revues/1'))).toEqual([]);
  expect(
    house.context.database.values('SELECT nom FROM Theme UNION SELECT nom FROM Auteur'),
  ).toEqual([]);
});

test('an undoing finds by an index which acts it undoes, however many there are', async () => {
  const house = await openHouse();
  const ask = (method: string, path: string, body?: unknown) =>
    house.ask('alice', method, path, body);
  await ask('POST', '/api/livres', LIVRE);
  await ask('DELETE', '/api/livres/1');
  const scanned = await scannedBy(house, () => ask('POST', '/api/modifications/2/annulation'));
  expect(scanned).not.toContain('Modification');
  expect(scanned).not.toContain('Trace');
});

test('an order of books is read by the books of its location alone', async () => {
  const house = await openHouse();
  const ask = (method: string, path: string, body?: unknown) =>
    house.ask('alice', method, path, body);
  await ask('POST', '/api/emplacements', { nom: 'Salon' });
  await ask('POST', '/api/livres', LIVRE);
  const shelved = { ...LIVRE, emplacementId: 1 };
  const scanned = await scannedBy(house, () => ask('PUT', '/api/livres/1', shelved));
  expect(scanned).not.toContain('Livre');
});
