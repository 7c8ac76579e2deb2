import { expect, test } from 'vitest';
import type { Emplacement } from '#shared/emplacements';
import { readTree, restore } from '#server/subjects/emplacements';
import { download, importInto } from '../export/support.ts';
import { importFile } from '../importations/support.ts';
import { temporaryDatabase } from '../support/database.ts';
import {
  ajouterEmplacement,
  emplacementOf,
  lines,
  makeEmplacement,
  modifierEmplacement,
} from '../support/emplacements.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const undo = (house: House, id: unknown) =>
  house.ask('ana', 'DELETE', `/api/importations/${String(id)}`);

/** Two locations with the same name, in parents that are older and younger than their contents. */
async function archived(): Promise<Buffer> {
  const house = await openHouse();
  const fermeLe = '2026-03-03T10:00:00.000Z';
  await ajouterEmplacement(house, 'Salon');
  await ajouterEmplacement(house, 'Cave', null, { note: 'Au fond' });
  await ajouterEmplacement(house, 'Haut', 1, { note: 'Penche', fermeLe });
  await ajouterEmplacement(house, 'Haut', 2);
  await modifierEmplacement(house, 1, { nom: 'Salon', parentId: 2 });
  await ajouterLivre(house, { titre: 'Sido', emplacementId: 3 });
  return (await download(house, '/api/export.zip')).bytes;
}

test('locations of an archive are matched by path, not doubled', async () => {
  const archive = await archived();
  const house = await openHouse();
  for (const nom of ['Salon', 'CAVE']) await ajouterEmplacement(house, nom);
  const before = await lines(house);
  const { body } = await importInto(house, archive);
  expect(await lines(house)).toEqual(['Salon', 'CAVE', '- Haut', '- Salon', '- - Haut']);
  const all = (await house.ask(null, 'GET', '/api/emplacements')).body as Emplacement[];
  expect(all[1]).toMatchObject({ nom: 'CAVE', note: null });
  expect(all[4]).toMatchObject({ note: 'Penche', fermeLe: '2026-03-03T10:00:00.000Z' });
  expect(await emplacementOf(house, 1)).toBe(all[4]?.id);
  expect((await importInto(house, archive)).status).toBe(201);
  expect(await lines(house)).toHaveLength(5);
  await undo(house, body['id']);
  expect(await lines(house)).toEqual(before);
});

test('a location in use stays when its import is undone', async () => {
  const archive = await archived();
  const house = await openHouse();
  const { body } = await importInto(house, archive);
  await ajouterLivre(house, { titre: 'Ida', emplacementId: 3 });
  await ajouterEmplacement(house, 'Boîte', 1);
  await undo(house, body['id']);
  expect(await lines(house)).toEqual(['Cave', '- Salon', '- - Haut', '- - Boîte']);
});

test('the paths of a table make each location only once', async () => {
  const house = await openHouse();
  await ajouterEmplacement(house, 'Salon');
  const paths = ['Salon > Haut', 'Haut > Salon', 'SALON > haut > Boîte', 'Haut'];
  const rows = paths.map((path, index) => `Livre ${index};${path}`);
  const { id } = await importFile(house, ['Titre;Emplacement', ...rows].join('\n'), {}, 'ana');
  expect(await lines(house)).toEqual(['Salon', '- Haut', '- - Boîte', 'Haut', '- Salon']);
  await undo(house, id);
  expect(await lines(house)).toEqual(['Salon']);
});

test('a location on a file’s seventh level is moved up', () => {
  const database = temporaryDatabase();
  const records = [1, 2, 3, 4, 5, 6, 7].map((id) =>
    makeEmplacement(id, `N${id}`, { parentId: id === 1 ? null : id - 1 }),
  );
  database.write((tx) => {
    const created = restore(tx, records.slice(0, 6), {
      utilisateur: null,
      idsOf: () => new Map(),
      ownId: () => null,
    });
    expect(created).toHaveLength(6);
    const last = { utilisateur: null, idsOf: () => new Map([[6, 6]]), ownId: () => null };
    expect(restore(tx, records.slice(6), last)).toHaveLength(1);
  });
  expect(
    readTree(database)
      .path(7)
      .map(({ nom }) => nom),
  ).toEqual(['N1', 'N2', 'N3', 'N4', 'N5', 'N7']);
});
