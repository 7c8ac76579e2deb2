import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { documentsOf } from '../support/replication.ts';

const URL = '/api/objectifs';
const GOAL = { annee: '2026', unite: 'livres', nombre: 24 };

test('a year has one goal, its reader’s own', async () => {
  const house = await openHouse();
  expect(await house.ask('ana', 'POST', URL, GOAL)).toMatchObject({ status: 201, body: GOAL });
  await house.ask('bob', 'POST', URL, { ...GOAL, nombre: 12 });
  const pages = { annee: '2026', unite: 'pages', nombre: 6000 };
  expect(await house.ask('ana', 'POST', URL, pages)).toMatchObject({ body: { id: 1, ...pages } });
  await house.ask('ana', 'POST', URL, { ...GOAL, annee: '2025' });
  const { body } = await house.ask('ana', 'GET', URL);
  expect(body).toEqual([
    { id: 3, ...GOAL, annee: '2025' },
    { id: 1, ...pages },
  ]);
  expect(await documentsOf(house, 'ana', 'objectifs')).toHaveLength(2);
  expect(await documentsOf(house, 'bob', 'objectifs')).toEqual([{ id: 2, ...GOAL, nombre: 12 }]);
  expect(await house.ask('bob', 'DELETE', `${URL}/1`)).toMatchObject({ status: 404 });
  expect(await house.ask('ana', 'DELETE', `${URL}/1`)).toMatchObject({ status: 204 });
});

test.each([
  { ...GOAL, annee: '26' },
  { ...GOAL, annee: '02026' },
  { ...GOAL, unite: 'heures' },
  { ...GOAL, nombre: 0 },
  { ...GOAL, nombre: 1.5 },
  { ...GOAL, nombre: 1_000_001 },
])('no goal is %j', async (goal) => {
  const house = await openHouse();
  expect(await house.ask('ana', 'POST', URL, goal)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE' },
  });
});

test('a changed or removed goal is restored by undo', async () => {
  const house = await openHouse();
  const sentences = [
    await house.ask('ana', 'POST', URL, GOAL),
    await house.ask('ana', 'POST', URL, { ...GOAL, unite: 'pages', nombre: 6000 }),
    await house.ask('ana', 'DELETE', `${URL}/1`),
  ].map(({ headers }) => decodeURIComponent(headers.get('X-Modification-Resume') ?? ''));
  expect(sentences).toEqual([
    'Objectif fixé : 2026',
    'Objectif fixé : 2026',
    'Objectif retiré : 2026',
  ]);
  const current = async () => (await house.ask('ana', 'GET', URL)).body;
  for (const [id, expected] of [
    [3, [{ id: 1, ...GOAL, unite: 'pages', nombre: 6000 }]],
    [2, [{ id: 1, ...GOAL }]],
    [1, []],
  ] as const) {
    await house.ask('ana', 'POST', `/api/modifications/${String(id)}/annulation`);
    expect(await current()).toEqual(expected);
  }
});

test('an unknown caller has no goal', async () => {
  const house = await openHouse();
  expect(await house.ask(null, 'POST', URL, GOAL)).toMatchObject({ status: 401 });
});
