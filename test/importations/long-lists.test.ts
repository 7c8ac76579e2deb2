// @module-tag large
import { expect, test, vi } from 'vitest';
import type { Importation, ImportationLigne } from '#shared/importations';
import { exporterRefus } from '#server/subjects/importations/importations';
import { openHouse, type House } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { FILE, table } from './samples.ts';
import { importFile, sendFile } from './support.ts';

const COUNT = 5000;

/** Rows without a title: each is refused. */
const REFUSED = table(
  ['Titre', 'Éditeur'],
  Array.from({ length: COUNT }, (_, index) => ({ Éditeur: `Maison ${index}` })),
);

/** Rows with an invalid ISBN: each is imported with a warning. */
const WARNED = table(
  ['Titre', 'ISBN'],
  Array.from({ length: COUNT }, (_, index) => ({ Titre: `Titre ${index}`, ISBN: '123' })),
);

async function bytesOf(house: House, path: string): Promise<number> {
  const response = await fetch(`${house.url}${path}`, { headers: house.headersOf('alice') });
  return (await response.arrayBuffer()).byteLength;
}

/** All rows of an import with one outcome, in pages of 2,000. */
async function pagesOf(house: House, id: number, sort: string): Promise<ImportationLigne[]> {
  const rows: ImportationLigne[] = [];
  for (let decalage = 0; ; decalage += 2000) {
    const path = `/api/importations/${id}/lignes?sort=${sort}&limite=2000&decalage=${decalage}`;
    const { body, headers } = await house.ask('alice', 'GET', path);
    expect(headers.get('X-Total-Count')).toBe(String(COUNT));
    rows.push(...(body as ImportationLigne[]));
    if ((body as ImportationLigne[]).length < 2000) return rows;
  }
}

test('a list of imports reads nothing that is as long as a file', async () => {
  const house = await openHouse();
  const importation = await importFile(house, FILE);
  // Remove the columns that the list must not depend on.
  run(
    house.context.database,
    "UPDATE Importation SET counts = 'illisible', headers = 'illisible'",
    "UPDATE ImportationLigne SET content = 'illisible'",
  );
  const { status, body } = await house.ask('alice', 'GET', '/api/importations');
  expect(status).toBe(200);
  const { id, lignes, nouveaux } = importation;
  expect(body).toMatchObject([{ id, lignes, nouveaux, nombreRefuses: 1 }]);
});

test('an import of many refused rows names the first and counts all', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, REFUSED);
  expect(body).toMatchObject({ lignes: COUNT, nouveaux: 0, nombreRefuses: COUNT });
  expect(body.refuses).toHaveLength(100);
  expect(body.refuses[0]).toMatchObject({ ligne: 2, texte: 'Maison 0' });
  expect(await bytesOf(house, `/api/importations/${body.id}`)).toBeLessThan(20_000);
  const rows = await pagesOf(house, body.id, 'refuse');
  expect(rows.map(({ texte }) => texte)).toEqual(
    Array.from({ length: COUNT }, (_, index) => `Maison ${index}`),
  );
  const csv = await fetch(`${house.url}/api/importations/${body.id}/refus.csv`, {
    headers: house.headersOf('alice'),
  });
  expect((await csv.text()).trim().split('\n')).toHaveLength(COUNT + 1);
});

test('rows are listed in pages, and refused ones downloaded in chunks', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, REFUSED);
  const path = `/api/importations/${body.id}/lignes`;
  const page = await house.ask('alice', 'GET', path);
  expect(page.headers.get('X-Total-Count')).toBe(String(COUNT));
  expect(page.body).toHaveLength(1000);
  expect((await house.ask('alice', 'GET', `${path}?limite=2001`)).status).toBe(400);
  const pieces = [...exporterRefus(house.context.database, body.id, 'alice')];
  const rowsOf = (piece: string) => piece.trim().split('\n').length;
  expect(Math.max(...pieces.map(rowsOf))).toBe(1);
  expect(pieces.join('').trim().split('\n')).toHaveLength(COUNT + 1);
});

test.each(['lignes?limite=2000', 'refus.csv'])(
  'no turn reads more than one row for %s, as each may have a thousand columns',
  async (path) => {
    const house = await openHouse();
    const { body } = await sendFile(house, REFUSED);
    const reading = vi.spyOn(house.context.database, 'all');
    const state = { isOver: false };
    const rowsByTurn: number[] = [];
    const look = (): void => {
      const read = reading.mock.calls.map(([sql], at) =>
        sql.includes('FROM ImportationLigne')
          ? (reading.mock.results[at] as { value: unknown[] }).value.length
          : 0,
      );
      const rows = read.reduce((sum, count) => sum + count, 0);
      if (rows > 0) rowsByTurn.push(rows);
      reading.mockClear();
      if (!state.isOver) setImmediate(look);
    };
    look();
    await bytesOf(house, `/api/importations/${body.id}/${path}`);
    state.isOver = true;
    expect(rowsByTurn.length).toBeGreaterThan(100);
    expect(Math.max(...rowsByTurn)).toBe(1);
  },
);

test('an import of many warnings names the first, counts all and groups them', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, WARNED);
  const { raison } = body.avertissements[0] ?? {};
  expect(body.nombreAvertissements).toBe(COUNT);
  expect(body.avertissements).toHaveLength(100);
  expect(body.raisons).toMatchObject([{ raison, nombre: COUNT, lignes: [2, 3, 4, 5, 6, 7, 8, 9] }]);
  expect(await bytesOf(house, `/api/importations/${body.id}`)).toBeLessThan(20_000);
  const rows = await pagesOf(house, body.id, 'nouveau');
  expect(rows.map(({ avertissements }) => avertissements)).toEqual(
    Array.from({ length: COUNT }, () => [raison]),
  );
  const path = `/api/importations/${body.id}`;
  const executed = (await house.ask('alice', 'POST', `${path}/execution`, {})).body as Importation;
  expect(executed).toMatchObject({ nombreAvertissements: COUNT, raisons: body.raisons });
});

test('a row that is left out counts as refused', async () => {
  const house = await openHouse();
  const { body } = await sendFile(
    house,
    table(['Titre', 'Éditeur'], [{ Titre: 'Un' }, { Titre: 'Deux' }]),
  );
  expect(body.nombreRefuses).toBe(0);
  const decisions = [{ ligne: 2, sort: 'ignorer' }];
  const path = `/api/importations/${body.id}`;
  await house.ask('alice', 'POST', `${path}/execution`, { decisions });
  const listed = (await house.ask('alice', 'GET', '/api/importations')).body;
  expect(listed).toMatchObject([{ nouveaux: 1, nombreRefuses: 1, lignes: 2 }]);
});
