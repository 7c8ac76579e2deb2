import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pragma, temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { FILE } from './samples.ts';
import { importFile, lignesOf, sendFile } from './support.ts';

const age = (house: House, id: number, days: number) =>
  house.context.database.write((tx) =>
    tx.run('UPDATE Importation SET date = ? WHERE id = ?', Date.now() - days * 86_400_000, id),
  );

const list = async (house: House) =>
  ((await house.ask('alice', 'GET', '/api/importations')).body as { id: number }[]).map(
    ({ id }) => id,
  );

test('a dry run is kept for a day', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const first = await openHouse(path);
  const { id } = (await sendFile(first, FILE)).body;
  age(first, id, 0.9);
  expect(await list(first)).toEqual([id]);
  age(first, id, 1.1);
  expect((await first.ask('alice', 'GET', `/api/importations/${String(id)}`)).status).toBe(404);
  expect(await list(first)).toEqual([]);
  // The daily work, which a start also runs, deletes it.
  await first.close();
  const { database } = (await openHouse(path)).context;
  expect(database.value('SELECT count(*) FROM Importation')).toBe(0);
});

test('rows are kept for thirty days, their counts for longer', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const first = await openHouse(path);
  const importation = await importFile(first, FILE);
  age(first, importation.id, 29);
  expect(await list(first)).toEqual([importation.id]);
  expect(await lignesOf(first, importation.id)).toHaveLength(4);
  age(first, importation.id, 31);
  expect(await list(first)).toEqual([importation.id]);
  // The daily work, which a start also runs, deletes them.
  await first.close();
  const house = await openHouse(path);
  expect(await list(house)).toEqual([importation.id]);
  const { date: _, ...counts } = importation;
  expect(
    (await house.ask('alice', 'GET', `/api/importations/${importation.id}`)).body,
  ).toMatchObject(counts);
  // Except for rows that still await a correction.
  expect((await lignesOf(house, importation.id)).map(({ sort }) => sort)).toEqual(['refuse']);
  expect(house.context.database.value('SELECT count(*) FROM Importation')).toBe(1);
});

test('reading imports writes nothing, so a read-only disk shows them', async () => {
  const house = await openHouse();
  const { id } = (await sendFile(house, FILE)).body;
  pragma(house.context.database, 'query_only = 1');
  for (const path of ['', `/${id}`, `/${id}/lignes`, `/${id}/series`])
    expect((await house.ask('alice', 'GET', `/api/importations${path}`)).status, path).toBe(200);
  pragma(house.context.database, 'query_only = 0');
});

test('a list of imports omits long fields', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, FILE);
  expect(body.refuses).toHaveLength(1);
  const long = [
    'refuses',
    'nombreAvertissements',
    'raisons',
    'avertissements',
    'perdus',
    'encodagePar',
    'encodageExemples',
    'colonnes',
    'entetes',
    'exemples',
    'themes',
    'ordreDesNoms',
    'questions',
    'premiereLigne',
  ];
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !long.includes(name)));
  expect((await house.ask('alice', 'GET', '/api/importations')).body).toEqual([rest]);
});
