import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

test('a status is its person’s alone, and can be cleared', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const statutVu = async (utilisateur: string | null) =>
    (await house.ask(utilisateur, 'GET', '/api/livres/1')).body;
  for (const statut of [0, 2, 1]) {
    const { status, headers, body } = await house.ask('Élodie', 'PUT', '/api/livres/1/statut', {
      statut,
    });
    expect([status, body]).toEqual([200, { livreId: 1, statut }]);
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect(await statutVu('Élodie')).toMatchObject({ statut });
  }
  expect(await statutVu('élodie')).toMatchObject({ statut: null });
  expect(await statutVu(null)).toMatchObject({ statut: null });
  for (let twice = 0; twice < 2; twice++) {
    const { status, body } = await house.ask('Élodie', 'PUT', '/api/livres/1/statut', {
      statut: null,
    });
    expect([status, body]).toEqual([200, { livreId: 1, statut: null }]);
  }
  expect(await statutVu('Élodie')).toMatchObject({ statut: null });
});

const put = (house: House, utilisateur: string | null, id: number, body: object) =>
  house.ask(utilisateur, 'PUT', `/api/livres/${String(id)}/statut`, body);

test('what is no status is refused', async () => {
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

test('a status of nobody known is refused', async () => {
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
