import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { ModificationDocument } from '#shared/modifications';
import type { ChangePage } from '#shared/replication';
import {
  act,
  houseOf,
  livre,
  LIVRES,
  obstaclesTo,
  undoAct,
} from '../modifications/support/requests.ts';
import { openHouse, type House } from '../support/house.ts';

const PRIX = { nom: 'Prix', valeur: '12 €' };
const TRADUCTION = { nom: 'Traduction', valeur: 'Lise Marchand' };
const RESUME = { nom: 'Résumé', valeur: 'Une ligne\nune autre' };

const withDetails = (...details: object[]) => ({ ...livre('Dune'), details });
const PATH = `${LIVRES}/1`;

const detailsOf = async (house: House, path = PATH) =>
  ((await house.ask('ana', 'GET', path)).body as Livre).details;

const put = (house: House, ...details: object[]) =>
  act(house, 'PUT', PATH, withDetails(...details));

test('details are read as they were entered, in their order, with their line breaks', async () => {
  const details = [RESUME, { nom: ' Prix\n', valeur: ' 12 €\r\nsoldé ' }];
  const house = await houseOf(['POST', LIVRES, withDetails(...details)]);
  const read = [RESUME, { nom: 'Prix', valeur: '12 €\nsoldé' }];
  expect(await detailsOf(house)).toEqual(read);
  expect((await house.ask('ana', 'GET', LIVRES)).body).toMatchObject([{ details: read }]);
  const { body } = await house.ask('ana', 'GET', '/api/replication');
  const books = (body as ChangePage).changements.filter(
    ({ collection }) => collection === 'livres',
  );
  expect(books).toMatchObject([{ document: { details: read } }]);
});

test.each(['ana', 'ben', null])('details are the same for every reader: %s', async (caller) => {
  const details = [PRIX, TRADUCTION];
  const house = await houseOf(['POST', LIVRES, withDetails(...details)]);
  expect((await house.ask(caller, 'GET', PATH)).body).toMatchObject({ details });
  expect((await house.ask(caller, 'GET', LIVRES)).body).toMatchObject([{ details }]);
  const page = (await house.ask(caller, 'GET', '/api/replication')).body as ChangePage;
  const books = page.changements.filter(({ collection }) => collection === 'livres');
  expect(books).toMatchObject([{ document: { details } }]);
});

test('a book without details stores none', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Dune')]);
  expect(await detailsOf(house)).toEqual([]);
  await put(house, PRIX);
  await act(house, 'PUT', PATH, livre('Dune'));
  expect(await detailsOf(house)).toEqual([]);
  expect(house.context.database.values('SELECT details FROM Livre')).toEqual([]);
});

test.each([
  ['a value without a name', [PRIX, { nom: ' ', valeur: '3' }], 'details.1.nom'],
  ['a name twice', [PRIX, TRADUCTION, { nom: 'PRIX', valeur: '3' }], 'details.2.nom'],
  ['a name too long', [{ nom: 'n'.repeat(61), valeur: '3' }], 'details.0.nom'],
  ['a value too long', [{ nom: 'Note', valeur: 'n'.repeat(10_001) }], 'details.0.valeur'],
  [
    'more than thirty',
    Array.from({ length: 31 }, (_, n) => ({ nom: `n${String(n)}`, valeur: '1' })),
    'details',
  ],
])('%s is refused at its field', async (_, details, champ) => {
  const house = await openHouse();
  const { status, body } = await house.ask('ana', 'POST', LIVRES, withDetails(...details));
  expect([status, body]).toMatchObject([400, { champs: [{ champ }] }]);
});

test('a blank value is no detail, a value of the greatest length is', async () => {
  const long = { nom: 'é'.repeat(60), valeur: 'n'.repeat(10_000) };
  const house = await houseOf(['POST', LIVRES, withDetails(long, { nom: 'Prix', valeur: ' ' })]);
  expect(await detailsOf(house)).toEqual([long]);
});

test('a name is spelt as the household spelt it first, for as long as it uses it', async () => {
  const house = await houseOf(
    ['POST', LIVRES, withDetails(RESUME, PRIX)],
    ['POST', LIVRES, { ...livre('Sido'), details: [{ nom: 'resume', valeur: 'x' }] }],
  );
  expect(await detailsOf(house, `${LIVRES}/2`)).toEqual([{ nom: 'Résumé', valeur: 'x' }]);
  await put(house, { ...PRIX, nom: 'PRIX' });
  expect(await detailsOf(house)).toEqual([PRIX]);
  await act(house, 'DELETE', `${LIVRES}/2`);
  await put(house, { nom: 'RESUME', valeur: 'y' });
  expect(await detailsOf(house)).toEqual([{ nom: 'RESUME', valeur: 'y' }]);
});

test('the history lists each detail separately', async () => {
  const house = await houseOf(['POST', LIVRES, withDetails(PRIX, RESUME)]);
  const id = await put(house, { ...PRIX, valeur: '3 €' }, TRADUCTION);
  const { body } = await house.ask('ana', 'GET', `/api/modifications/${id}`);
  const [fiche] = (body as ModificationDocument).fiches;
  expect(fiche?.champs).toHaveLength(3);
  expect(fiche?.champs).toEqual(
    expect.arrayContaining([
      { champ: 'details:Prix', avant: '12 €', apres: '3 €' },
      { champ: 'details:Traduction', avant: null, apres: 'Lise Marchand' },
      { champ: 'details:Résumé', avant: RESUME.valeur, apres: null },
    ]),
  );
});

test('a detail is undone and redone by itself, despite changes of the others', async () => {
  const house = await houseOf(['POST', LIVRES, withDetails(PRIX)]);
  const added = await put(house, TRADUCTION, PRIX);
  await put(house, RESUME, TRADUCTION, { ...PRIX, valeur: '3 €' });
  const undoing = await undoAct(house, added);
  expect(await detailsOf(house)).toEqual([RESUME, { ...PRIX, valeur: '3 €' }]);
  await undoAct(house, undoing);
  const redone = await detailsOf(house);
  expect(redone).toEqual(expect.arrayContaining([RESUME, TRADUCTION, { ...PRIX, valeur: '3 €' }]));
  expect(redone).toHaveLength(3);
});

test('a later change of the same detail is an obstacle', async () => {
  const house = await houseOf(['POST', LIVRES, withDetails()]);
  const added = await put(house, PRIX);
  const changed = await put(house, { ...PRIX, valeur: '3 €' });
  expect(await obstaclesTo(house, added)).toEqual([changed]);
  await undoAct(house, added, '?avec=obstacles');
  expect(await detailsOf(house)).toEqual([]);
});

test('a detail that an added book was given since prevents undoing the addition', async () => {
  const house = await openHouse();
  const added = await act(house, 'POST', LIVRES, withDetails(PRIX));
  const changed = await put(house, PRIX, TRADUCTION);
  expect(await obstaclesTo(house, added)).toEqual([changed]);
});

test('an order of details, and a deleted book’s details, are restored', async () => {
  const house = await houseOf(['POST', LIVRES, withDetails(PRIX, TRADUCTION, RESUME)]);
  const turned = await put(house, RESUME, TRADUCTION, PRIX);
  expect(turned).not.toBe('');
  await undoAct(house, turned);
  expect(await detailsOf(house)).toEqual([PRIX, TRADUCTION, RESUME]);
  await undoAct(house, await act(house, 'DELETE', PATH));
  expect(await detailsOf(house)).toEqual([PRIX, TRADUCTION, RESUME]);
});
