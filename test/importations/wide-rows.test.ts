import { expect, test } from 'vitest';
import { workOf } from '#server/subjects/importations/store';
import { openHouse } from '../support/house.ts';
import { lignesOf, sendFile } from './support.ts';

const COLUMNS = 998;

/** Rows of a thousand columns; in a refused one the title and the author are empty. */
function wide(rows: number, cell: string, isRefused = false): string {
  const headers = Array.from({ length: COLUMNS }, (_, at) => `Colonne ${String(at)}`);
  const cells = headers.map(() => cell).join();
  const row = (at: number) => (isRefused ? `,,${cells}` : `Livre ${String(at)},Lise,${cells}`);
  return [
    `Titre,Auteur,${headers.join()}`,
    ...Array.from({ length: rows }, (_, at) => row(at)),
  ].join('\n');
}

test('rows of a thousand columns report thirty names of omitted details, and the number of others', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, wide(40, 'mot'));
  const named = Array.from({ length: 30 }, (_, at) => `Colonne ${String(at + 30)}`);
  const remark = `plus de 30 détails, laissés de côté : ${named.join(', ')}, 938 autres`;
  const lignes = await lignesOf(house, body.id);
  expect(lignes.map(({ avertissements }) => avertissements)).toEqual(
    Array.from({ length: 40 }, () => [remark]),
  );
  expect(body.avertissements.map(({ raison }) => raison)).toContain(remark);
  const [first] = (
    await house.ask('alice', 'GET', `/api/importations/${body.id}/lignes?langue=en&limite=1`)
  ).body as typeof lignes;
  expect(first?.avertissements[0]).toMatch(/, 938 others$/);
});

test('a list of rows is sent while it is generated, and is complete', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, wide(120, 'mot', true));
  const path = `/api/importations/${body.id}`;
  const { headers, body: lignes } = await house.ask('alice', 'GET', `${path}/lignes?sort=refuse`);
  expect([headers.get('content-length'), headers.get('x-total-count')]).toEqual([null, '120']);
  expect(lignes).toHaveLength(120);
  expect((await house.ask('alice', 'GET', `${path}/lignes?sort=souhait`)).body).toEqual([]);
  const read = await house.ask('alice', 'GET', path);
  expect(read.body).toMatchObject({ nombreRefuses: 120 });
  expect(Reflect.get(Object(read.body), 'refuses')).toHaveLength(100);
});

test('a few rows of megabytes are as much work as a library, and run in a thread', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const { body: large } = await sendFile(house, wide(5, 'x'.repeat(900), true));
  expect(workOf(database, large.id)).toBeGreaterThan(400);
  const { body: small } = await sendFile(house, wide(5, 'mot'));
  expect(workOf(database, small.id)).toBeLessThan(100);
});
