import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pragma, temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { FILE } from './samples.ts';
import { importFile, lignesOf, sendFile } from './support.ts';

test('a dry run is kept for a day, the rows of an import for thirty', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const first = await openHouse(path);
  const age = (id: number, days: number) =>
    first.context.database.write((tx) =>
      tx.run('UPDATE Importation SET date = ? WHERE id = ?', Date.now() - days * 86_400_000, id),
    );
  const list = async (house: House) =>
    ((await house.ask('alice', 'GET', '/api/importations')).body as { id: number }[]).map(
      ({ id }) => id,
    );
  const made = await importFile(first, FILE);
  const essai = (await sendFile(first, FILE)).body;
  age(essai.id, 0.9);
  age(made.id, 29);
  expect(await list(first)).toEqual([essai.id, made.id]);
  expect(await lignesOf(first, made.id)).toHaveLength(4);
  age(essai.id, 1.1);
  expect((await first.ask('alice', 'GET', `/api/importations/${String(essai.id)}`)).status).toBe(
    404,
  );
  age(made.id, 31);
  expect(await list(first)).toEqual([made.id]);
  // They go with the work of each day, of which a start is one.
  await first.close();
  const house = await openHouse(path);
  expect(await list(house)).toEqual([made.id]);
  // But for those that are still to be mended.
  expect((await lignesOf(house, made.id)).map(({ sort }) => sort)).toEqual(['refuse']);
  expect(house.context.database.value('SELECT count(*) FROM Importation')).toBe(1);
});

test('who only reads imports writes nothing, so that a disk without writes shows them', async () => {
  const house = await openHouse();
  const { id } = (await sendFile(house, FILE)).body;
  pragma(house.context.database, 'query_only = 1');
  for (const path of ['', `/${id}`, `/${id}/lignes`, `/${id}/series`, `/${id}/noms`])
    expect((await house.ask('alice', 'GET', `/api/importations${path}`)).status, path).toBe(200);
  pragma(house.context.database, 'query_only = 0');
});

test('a list of imports has their numbers, and nothing that is as long as their files', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, FILE);
  expect(body.refuses).toHaveLength(1);
  const long = ['refuses', 'avertissements', 'colonnes', 'entetes', 'exemples'];
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !long.includes(name)));
  expect((await house.ask('alice', 'GET', '/api/importations')).body).toEqual([rest]);
});
