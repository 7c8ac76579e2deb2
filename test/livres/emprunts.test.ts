import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { livreIdByCle } from '#server/subjects/livres/read';
import { act, houseOf, livre, LIVRES, undoAct } from '../modifications/support/requests.ts';
import { importInto } from '../export/support.ts';
import type { House } from '../support/house.ts';

const PORT = { nom: 'la bibliothèque du port', depuis: '2026-01-02', aRendre: '2026-03-03' };
const OURIKA = `${LIVRES}/1`;

const borrowed = (titre: string, emprunteA: object | null = PORT) => ({
  ...livre(titre),
  emprunteA,
});

const titresOf = async (house: House, query = '') =>
  ((await house.ask('ana', 'GET', `${LIVRES}${query}`)).body as Livre[]).map(({ titre }) => titre);

test('a book is borrowed from somebody, is listed as such, and becomes the household’s own', async () => {
  const house = await houseOf(
    ['POST', LIVRES, borrowed('Ourika')],
    ['POST', LIVRES, livre('Dune')],
  );
  expect((await house.ask('ana', 'GET', OURIKA)).body).toMatchObject({ emprunteA: PORT });
  expect(await titresOf(house, '?appartenance=emprunte')).toEqual(['Ourika']);
  expect(await titresOf(house, '?appartenance=aNous')).toEqual(['Dune']);
  const id = await act(house, 'PUT', `${OURIKA}/emprunt`, { emprunteA: null });
  expect(await titresOf(house, '?appartenance=aNous')).toEqual(['Dune', 'Ourika']);
  await undoAct(house, id);
  expect(await titresOf(house, '?appartenance=emprunte')).toEqual(['Ourika']);
});

test('a borrowed book cannot be lent, nor a lent one be borrowed', async () => {
  const house = await houseOf(
    ['POST', LIVRES, borrowed('Ourika')],
    ['POST', LIVRES, livre('Dune')],
    ['POST', `${LIVRES}/2/prets`, { emprunteur: 'Luc' }],
  );
  expect(await house.ask('ana', 'POST', `${OURIKA}/prets`, { emprunteur: 'Luc' })).toMatchObject({
    status: 400,
    body: { code: 'LIVRE_EMPRUNTE' },
  });
  for (const [path, body] of [
    [`${LIVRES}/2/emprunt`, { emprunteA: PORT }],
    [`${LIVRES}/2`, borrowed('Dune')],
  ] as const)
    expect(await house.ask('ana', 'PUT', path, body)).toMatchObject({
      status: 409,
      body: { code: 'LIVRE_PRETE', emprunteur: 'Luc' },
    });
});

test('given back, a book leaves, its readings stay, and the act is undone', async () => {
  const house = await houseOf(
    ['POST', LIVRES, borrowed('Ourika')],
    ['POST', '/api/lectures', { livreId: 1, fin: '2026-02-03' }],
    ['POST', LIVRES, livre('Dune')],
  );
  const id = await act(house, 'DELETE', `${OURIKA}/emprunt`);
  expect(await titresOf(house)).toEqual(['Dune']);
  expect((await house.ask('ana', 'GET', '/api/lectures')).body).toMatchObject([
    { livreId: null, titre: 'Ourika' },
  ]);
  await undoAct(house, id);
  expect((await house.ask('ana', 'GET', OURIKA)).body).toMatchObject({ emprunteA: PORT });
  expect((await house.ask('ana', 'DELETE', `${LIVRES}/2/emprunt`)).status).toBe(400);
});

test('a borrowed book is not owned, and does not prevent adding one’s own', async () => {
  const house = await houseOf(['POST', LIVRES, borrowed('Ourika')]);
  expect(livreIdByCle(house.context.database, 'ourika')).toBeNull();
  expect((await house.ask('ana', 'POST', LIVRES, livre('Ourika'))).status).toBe(201);
  expect(livreIdByCle(house.context.database, 'ourika')).toBe(2);
  expect((await house.ask('ana', 'POST', LIVRES, livre('Ourika'))).status).toBe(409);
});

test.each([
  [{ ...PORT, nom: ' ' }, 'emprunteA.nom'],
  [{ ...PORT, depuis: '2026-02-30' }, 'emprunteA.depuis'],
  [{ ...PORT, aRendre: 'demain' }, 'emprunteA.aRendre'],
  [{ ...PORT, aRendre: '2026-01-01' }, 'emprunteA.aRendre'],
])('%o is refused at its field', async (emprunteA, champ) => {
  const house = await houseOf(['POST', LIVRES, livre('Dune')]);
  for (const [method, path, body] of [
    ['POST', LIVRES, borrowed('Ourika', emprunteA)],
    ['PUT', `${OURIKA}/emprunt`, { emprunteA }],
  ] as const)
    expect(await house.ask('ana', method, path, body)).toMatchObject({
      status: 400,
      body: { champs: [{ champ }] },
    });
});

test('a borrowed volume counts as missing: it can be wished for, and a bought one fills the place', async () => {
  const house = await houseOf(
    ['POST', LIVRES, borrowed('Ourika')],
    ['POST', '/api/series', { titre: 'Rives', places: [{ titre: 'Ourika', livreId: 1 }] }],
  );
  const souhaiter = () => house.ask('ana', 'POST', '/api/places/1/souhait');
  expect((await souhaiter()).status).toBe(201);
  const achat = { ...livre('Ourika'), confirmed: false };
  expect((await house.ask('ana', 'POST', '/api/souhaits/1/achat', achat)).status).toBe(201);
  expect((await house.ask('ana', 'GET', '/api/series/1')).body).toMatchObject({
    places: [{ livreId: 2 }],
  });
  expect(await souhaiter()).toMatchObject({ status: 409, body: { code: 'PLACE_OCCUPEE' } });
});

test('a borrowed book does not count among the household’s', async () => {
  const house = await houseOf(
    ['POST', LIVRES, borrowed('Ourika')],
    ['POST', LIVRES, livre('Dune')],
  );
  expect((await house.ask('ana', 'GET', '/api/resume')).body).toMatchObject({ livres: 1 });
});

test('an imported table marks borrowed books; owned books stay owned and are not lent', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Dune')]);
  const table = [
    'Titre;Emprunté à;Emprunté le;À rendre le;Prêté à',
    'Ourika;la bibliothèque du port;02/01/2026;03/03/2026;Luc',
    'Dune;Luc;02/01/2026;;',
  ].join('\n');
  expect(await importInto(house, Buffer.from(table))).toMatchObject({
    status: 201,
    body: {
      avertissements: [
        { raison: 'un livre emprunté ne se prête pas : prêt laissé de côté' },
        { raison: 'déjà à nous : l’emprunt est laissé de côté' },
      ],
    },
  });
  expect((await house.ask('ana', 'GET', `${LIVRES}?appartenance=emprunte`)).body).toMatchObject([
    { titre: 'Ourika', emprunteA: PORT },
  ]);
});

test('importing a borrowed book as owned makes it owned, until undone', async () => {
  const house = await houseOf(['POST', LIVRES, borrowed('Ourika')]);
  const csv = (line: string) => Buffer.from(`titre;emprunté à\n${line}\n`);
  await importInto(house, csv('Ourika;Lise'), 'essai=false');
  expect(await titresOf(house, '?appartenance=emprunte')).toEqual(['Ourika']);
  const { body } = await importInto(house, csv('Ourika;'), 'essai=false');
  expect(await titresOf(house)).toEqual(['Ourika']);
  expect(await titresOf(house, '?appartenance=aNous')).toEqual(['Ourika']);
  await house.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect(await titresOf(house, '?appartenance=emprunte')).toEqual(['Ourika']);
});

test('a volume of one’s own takes the place of the borrowed one', async () => {
  const place = { serie: { titre: 'Rives' }, numero: '2' };
  const house = await houseOf(
    ['POST', LIVRES, { ...borrowed('Le Gué'), place }],
    ['POST', `${LIVRES}?confirmerDoublon=true`, { ...livre('Le Gué'), place }],
    ['POST', `${LIVRES}?confirmerDoublon=true`, { ...borrowed('Le Gué'), place }],
  );
  const { body } = await house.ask('ana', 'GET', '/api/series/1');
  // A borrowed book does not fill a place.
  expect((body as Serie).places.map(({ numero, livreId }) => [numero, livreId])).toEqual([
    ['2', 2],
    ['2', 3],
  ]);
});
