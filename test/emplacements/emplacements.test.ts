import { describe, expect, test } from 'vitest';
import type { Emplacement } from '#shared/emplacements';
import { ajouterEmplacement, codeOf, lines, modifierEmplacement } from '../support/emplacements.ts';
import { openHouse, type House } from '../support/house.ts';
import { documentsOf } from '../support/replication.ts';

const ajouter = (house: House, saisi: object) =>
  house.ask(null, 'POST', '/api/emplacements', saisi);

describe('a location', () => {
  test('is kept as it was entered, last in its parent', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const { status, body, headers } = await house.ask(null, 'POST', '/api/emplacements', {
      nom: ' Étagère 3 ',
      parentId: 1,
      note: ' ',
      fermeLe: '2026-03-03T10:00Z',
    });
    const shelf = {
      id: 2,
      nom: 'Étagère 3',
      parentId: 1,
      note: null,
      rang: 0,
      fermeLe: '2026-03-03T10:00:00.000Z',
    };
    expect([status, headers.get('location')]).toEqual([201, '/api/emplacements/2']);
    expect(body).toEqual(shelf);
    expect((await house.ask(null, 'GET', '/api/emplacements/2')).body).toEqual(shelf);
    expect((await modifierEmplacement(house, 2, shelf)).body).toEqual(shelf);
    expect(await documentsOf(house, null, 'emplacements')).toEqual([
      { ...shelf, id: 1, nom: 'Salon', parentId: null, fermeLe: null },
      shelf,
    ]);
    await ajouterEmplacement(house, 'Étagère 1', 1);
    expect(await lines(house)).toEqual(['Salon', '- Étagère 3', '- Étagère 1']);
  });

  test('is created with its parents if a path is typed', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const { status, body } = await ajouter(house, {
      nom: 'salon › Bibliothèque > Étagère 3',
      note: 'En haut',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ nom: 'Étagère 3', note: 'En haut' });
    expect(await lines(house)).toEqual(['Salon', '- Bibliothèque', '- - Étagère 3']);
    const again = await ajouter(house, { nom: 'Salon › Bibliothèque › étagère 3' });
    expect(codeOf(again)).toContain('EMPLACEMENT_EXISTANT');
    const within = await ajouter(house, { nom: 'Nord › Haut', parentId: 1 });
    expect(within.status).toBe(201);
    expect(await lines(house)).toEqual([
      'Salon',
      '- Bibliothèque',
      '- - Étagère 3',
      '- Nord',
      '- - Haut',
    ]);
  });

  test('has no sign of a path in its new name', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const renamed = await modifierEmplacement(house, 1, { nom: 'Salon › Nord' });
    expect(codeOf(renamed)).toEqual([400, 'REQUETE_INVALIDE', 'nom']);
    expect(await lines(house)).toEqual(['Salon']);
  });

  test('is refused where it does not fit', async () => {
    const house = await openHouse();
    for (const nom of ['Salon', '+']) await ajouterEmplacement(house, nom);
    const invalid = (champ: string) => [400, 'REQUETE_INVALIDE', champ];
    const there = [409, 'EMPLACEMENT_EXISTANT'];
    for (const [name, saisi, expected] of [
      ['without a name', { nom: ' ' }, invalid('nom')],
      ['in one that is not there', { nom: 'A', parentId: 9 }, invalid('parentId')],
      ['in one of no number', { nom: 'A', parentId: '1' }, invalid('parentId')],
      ['in one of no whole number', { nom: 'A', parentId: -1 }, invalid('parentId')],
      ['packed on no day', { nom: 'A', fermeLe: 'hier' }, invalid('fermeLe')],
      ['packed on no such day', { nom: 'A', fermeLe: '2026-02-31T10:00Z' }, invalid('fermeLe')],
      ['of a name that is there', { nom: 'SALON' }, there],
      ['of that name with other marks', { nom: 'Sâlon !' }, there],
      ['of a name without letters that is there', { nom: '+' }, there],
    ] as const) {
      const answer = await ajouter(house, saisi);
      expect(codeOf(answer), name).toEqual(expected);
    }
    expect((await ajouter(house, { nom: 'A', parentId: 9 })).body).toMatchObject({
      champs: [{ message: 'n’est pas un emplacement, ou n’en est plus un' }],
    });
    expect((await ajouter(house, { nom: 'SALON' })).body).toMatchObject({
      emplacement: { id: 1, nom: 'Salon' },
    });
    expect((await modifierEmplacement(house, 9, { nom: 'Salon' })).status).toBe(404);
  });

  test('shares its name only with locations in another parent', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Salon', 1);
    expect((await modifierEmplacement(house, 1, { nom: 'SALON' })).status).toBe(200);
    expect(codeOf(await modifierEmplacement(house, 2, { nom: 'salon' }))).toEqual([
      409,
      'EMPLACEMENT_EXISTANT',
    ]);
    expect(await lines(house)).toEqual(['SALON', '- Salon']);
  });

  test('is never inside its own content, with concurrent moves too', async () => {
    const house = await openHouse();
    for (const nom of ['A', 'B']) await ajouterEmplacement(house, nom);
    const [one, other] = await Promise.all([
      modifierEmplacement(house, 1, { nom: 'A', parentId: 2 }),
      modifierEmplacement(house, 2, { nom: 'B', parentId: 1 }),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 400]);
    expect(codeOf(one.status === 400 ? one : other)).toEqual([400, 'EMPLACEMENT_DEDANS']);
    expect(codeOf(await modifierEmplacement(house, 1, { nom: 'A', parentId: 1 }))).toEqual([
      400,
      'EMPLACEMENT_DEDANS',
    ]);
  });

  test('is on the sixth level at most, together with its content', async () => {
    const house = await openHouse();
    for (let id = 1; id <= 6; id++)
      await ajouterEmplacement(house, `N${id}`, id === 1 ? null : id - 1);
    expect(
      codeOf(await house.ask(null, 'POST', '/api/emplacements', { nom: 'N7', parentId: 6 })),
    ).toEqual([400, 'EMPLACEMENT_PROFOND']);
    await ajouterEmplacement(house, 'Au-dessus');
    expect(codeOf(await modifierEmplacement(house, 1, { nom: 'N1', parentId: 7 }))).toEqual([
      400,
      'EMPLACEMENT_PROFOND',
    ]);
    expect((await modifierEmplacement(house, 2, { nom: 'N2', parentId: 7 })).status).toBe(200);
  });

  test('is arranged by hand among its siblings', async () => {
    const house = await openHouse();
    for (const nom of ['A', 'B', 'C']) await ajouterEmplacement(house, nom);
    for (const nom of ['un', 'deux']) await ajouterEmplacement(house, nom, 1);
    const order = (path: string, ids: number[]) =>
      house.ask(null, 'PUT', `/api/emplacements/${path}`, { ids });
    const answer = await order('ordre', [3, 1, 2]);
    expect((answer.body as Emplacement[]).map(({ nom, rang }) => [nom, rang])).toEqual([
      ['C', 0],
      ['A', 1],
      ['B', 2],
    ]);
    await order('1/ordre', [5, 4]);
    expect(await lines(house)).toEqual(['C', 'A', '- deux', '- un', 'B']);
    for (const [path, ids] of [
      ['ordre', [1, 2]],
      ['ordre', [1, 2, 3, 3]],
      ['ordre', [1, 2, 4]],
      ['1/ordre', [1, 2, 3]],
    ] as const)
      expect(codeOf(await order(path, [...ids]))).toEqual([409, 'LISTE_PERIMEE']);
    expect((await order('9/ordre', [])).status).toBe(404);
  });

  test('goes last where it is moved to', async () => {
    const house = await openHouse();
    for (const nom of ['A', 'B']) await ajouterEmplacement(house, nom);
    await ajouterEmplacement(house, 'un', 1);
    await modifierEmplacement(house, 2, { nom: 'B', parentId: 1 });
    await modifierEmplacement(house, 3, { nom: 'un' });
    expect(await lines(house)).toEqual(['A', '- B', 'un']);
  });
});
