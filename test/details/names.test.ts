import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import {
  act,
  houseOf,
  livre,
  LIVRES,
  undoAct,
  type Request,
} from '../modifications/support/requests.ts';
import type { House } from '../support/house.ts';

const withDetails = (titre: string, details: Readonly<Record<string, string>>): Request => [
  'POST',
  LIVRES,
  {
    ...livre(titre),
    details: Object.entries(details).map(([nom, valeur]) => ({ nom, valeur })),
  },
];

const HOUSE = [
  withDetails('Dune', { Prix: '12', Achat: 'chez Luc', Note: 'a' }),
  withDetails('Atlas', { Achat: 'offert', Note: 'b' }),
  withDetails('Zoom', { Prix: 'offert', Achat: 'Offert' }),
  withDetails('Ida', { Prix: '12' }),
];

async function detailsIn(house: House): Promise<Record<string, Record<string, string>>> {
  const livres = (await house.ask('ana', 'GET', `${LIVRES}?tri=ajout`)).body as Livre[];
  return Object.fromEntries(
    livres
      .sort((a, b) => a.id - b.id)
      .map(({ titre, details }) => [
        titre,
        Object.fromEntries(details.map(({ nom, valeur }) => [nom, valeur])),
      ]),
  );
}

const resumeOf = async (house: House, id: string) =>
  (await house.ask('ana', 'GET', `/api/modifications/${id}`)).body;

test('the names are listed with their numbers of books and of values', async () => {
  const house = await houseOf(...HOUSE);
  expect((await house.ask('ana', 'GET', '/api/details')).body).toEqual([
    { nom: 'Achat', livres: 3, valeurs: 2 },
    { nom: 'Note', livres: 2, valeurs: 2 },
    { nom: 'Prix', livres: 3, valeurs: 2 },
  ]);
});

test('a name onto another: a book that has both keeps both values', async () => {
  const house = await houseOf(...HOUSE);
  const before = await detailsIn(house);
  const id = await act(house, 'PUT', '/api/details', { nom: 'prix', nouveau: 'ACHAT' });
  expect(await resumeOf(house, id)).toMatchObject({ resume: 'Détail renommé : Prix → Achat' });
  const after = {
    Dune: { Achat: 'chez Luc\n12', Note: 'a' },
    Atlas: { Achat: 'offert', Note: 'b' },
    Zoom: { Achat: 'Offert' },
    Ida: { Achat: '12' },
  };
  expect(await detailsIn(house)).toEqual(after);
  const undoing = await undoAct(house, id);
  expect(await detailsIn(house)).toEqual(before);
  await undoAct(house, undoing);
  expect(await detailsIn(house)).toEqual(after);
});

test('a name gets another spelling everywhere, and is used so from then on', async () => {
  const house = await houseOf(...HOUSE);
  const id = await act(house, 'PUT', '/api/details', { nom: 'Prix', nouveau: 'PRIX' });
  expect(await detailsIn(house)).toMatchObject({ Ida: { PRIX: '12' }, Dune: { PRIX: '12' } });
  await act(house, ...withDetails('Ours', { prix: '3' }));
  expect(await detailsIn(house)).toMatchObject({ Ours: { PRIX: '3' } });
  await undoAct(house, id);
  expect(await detailsIn(house)).toMatchObject({ Ida: { Prix: '12' } });
});

test('two values that are too long for one are refused, and nothing is written', async () => {
  const long = 'n'.repeat(6_000);
  const house = await houseOf(withDetails('Dune', { Note: long, Résumé: `x${long}` }));
  const before = await detailsIn(house);
  const body = { nom: 'Note', nouveau: 'Résumé' };
  const answer = await house.ask('ana', 'PUT', '/api/details', body);
  expect(answer).toMatchObject({ status: 400, body: { champs: [{ champ: 'nouveau' }] } });
  expect(await detailsIn(house)).toEqual(before);
});

test('a name is deleted with its values, and can be restored', async () => {
  const house = await houseOf(...HOUSE);
  const before = await detailsIn(house);
  const id = await act(house, 'DELETE', '/api/details?nom=achat');
  expect(await resumeOf(house, id)).toMatchObject({ resume: 'Détail Achat retiré : 3 livres' });
  expect(await detailsIn(house)).toEqual({
    Dune: { Prix: '12', Note: 'a' },
    Atlas: { Note: 'b' },
    Zoom: { Prix: 'offert' },
    Ida: { Prix: '12' },
  });
  await undoAct(house, id);
  expect(await detailsIn(house)).toEqual(before);
});

test.each([
  ['PUT', '/api/details', { nom: 'Cote', nouveau: 'Prix' }],
  ['DELETE', '/api/details?nom=Cote'],
])('%s %s of a name that no book has finds none', async (method, path, body?: object) => {
  const house = await houseOf(...HOUSE);
  expect(await house.ask('ana', method, path, body)).toMatchObject({ status: 404 });
});

test('many books get one detail, or lose it, as one act', async () => {
  const house = await houseOf(...HOUSE);
  const before = await detailsIn(house);
  const lot = { ids: [1, 2], action: 'detail', nom: 'PRIX' };
  const edit = await act(house, 'POST', `${LIVRES}/lot`, { ...lot, valeur: '3' });
  expect(await resumeOf(house, edit)).toMatchObject({ resume: 'Détail Prix noté : 2 livres' });
  expect(await detailsIn(house)).toEqual({
    ...before,
    Dune: { ...before['Dune'], Prix: '3' },
    Atlas: { ...before['Atlas'], Prix: '3' },
  });
  const taken = await act(house, 'POST', `${LIVRES}/lot`, {
    ...lot,
    nom: 'Prix',
    ids: [1, 4],
    valeur: null,
  });
  expect(await resumeOf(house, taken)).toMatchObject({ resume: 'Détail Prix retiré : 2 livres' });
  expect(await detailsIn(house)).toMatchObject({ Dune: { Achat: 'chez Luc', Note: 'a' }, Ida: {} });
  await undoAct(house, taken);
  await undoAct(house, edit);
  expect(await detailsIn(house)).toEqual(before);
});

test.each([
  ['no value', { nom: 'Prix' }, 'valeur'],
  ['no name', { valeur: '3' }, 'nom'],
])('a detail of many with %s is refused', async (_, fields, champ) => {
  const house = await houseOf(...HOUSE);
  const body = { ids: [1], action: 'detail', ...fields };
  const answer = await house.ask('ana', 'POST', `${LIVRES}/lot`, body);
  expect(answer).toMatchObject({ status: 400, body: { champs: [{ champ }] } });
});
