import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

test('a status is one person’s; null is back to not started', async () => {
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

test.each([
  [{}],
  [{ statut: 3 }],
  [{ statut: '1' }],
  [{ statut: true }],
  [{ statut: 0.5 }],
  [{ statut: 'aucun' }],
  [{ statut: [] }],
])('%j is no status', async (body) => {
  const house = await openHouse();
  await ajouterLivre(house);
  expect(await house.ask('alice', 'PUT', '/api/livres/1/statut', body)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'statut' }] },
  });
});

test('a book that is not there has no status', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  expect(await house.ask('alice', 'PUT', '/api/livres/9/statut', { statut: 1 })).toMatchObject({
    status: 404,
    body: { code: 'INTROUVABLE' },
  });
});

test('an unknown caller has no statuses', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const [path, body] of [
    ['/api/livres/1/statut', { statut: 1 }],
    ['/api/livres/9/statut', {}],
  ] as const)
    expect(await house.ask(null, 'PUT', path, body)).toMatchObject({
      status: 401,
      body: { code: 'IDENTITE_INCONNUE' },
    });
});
