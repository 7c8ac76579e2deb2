import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const put = (house: House, utilisateur: string | null, id: number, body: object) =>
  house.ask(utilisateur, 'PUT', `/api/livres/${String(id)}/statut`, body);
const seen = async (house: House, utilisateur: string | null) =>
  (await house.ask(utilisateur, 'GET', '/api/livres/1')).body;

test('a status is its person’s alone', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const statut of [0, 2, 1]) {
    const { status, headers, body } = await put(house, 'Élodie', 1, { statut });
    expect([status, body]).toEqual([200, { livreId: 1, statut }]);
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect(await seen(house, 'Élodie')).toMatchObject({ statut });
  }
  // A user name from the sign-on layer ignores case.
  expect(await seen(house, 'élodie')).toMatchObject({ statut: 1 });
  expect(await seen(house, 'Élodie B')).toMatchObject({ statut: null });
  expect(await seen(house, null)).toMatchObject({ statut: null });
});

test('a status of null is back to not started', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await put(house, 'Élodie', 1, { statut: 1 });
  for (let twice = 0; twice < 2; twice++) {
    const { status, body } = await put(house, 'Élodie', 1, { statut: null });
    expect([status, body]).toEqual([200, { livreId: 1, statut: null }]);
  }
  expect(await seen(house, 'Élodie')).toMatchObject({ statut: null });
});

test('an invalid status is refused', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const statut of [undefined, 3, '1', true, 0.5, 'aucun', []])
    expect(await put(house, 'alice', 1, { statut }), JSON.stringify(statut)).toMatchObject({
      status: 400,
      body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'statut' }] },
    });
});

test('a status of no book is refused', async () => {
  expect(await put(await openHouse(), 'alice', 9, { statut: 1 })).toMatchObject({
    status: 404,
    body: { code: 'INTROUVABLE' },
  });
});

test('a status of an unknown caller is refused', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const [id, body] of [
    [1, { statut: 1 }],
    [9, {}],
  ] as const)
    expect(await put(house, null, id, body)).toMatchObject({
      status: 401,
      body: { code: 'IDENTITE_INCONNUE' },
    });
});
