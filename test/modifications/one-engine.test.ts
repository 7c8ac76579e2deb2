import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import type { Importation } from '#shared/importations';
import { importFile } from '../importations/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { png } from '../support/png.ts';
import { ranked } from './support/compare.ts';
import { householdRows } from './support/household.ts';
import { act, houseOf, livre, LIVRES, obstaclesTo, undoAct } from './support/requests.ts';

const imports = (house: House, file: string): Promise<Importation> =>
  importFile(house, file, {}, 'ana');

const undoImport = async (house: House, { id }: { readonly id: number }) =>
  (await house.ask('ana', 'DELETE', `/api/importations/${String(id)}`)).body;

/** The id of the last modification. */
const latest = (house: House): string =>
  String(house.context.database.value<number>('SELECT max(id) FROM Modification'));

test('an undoing with obstacles can be undone at once', async () => {
  const places = [{ titre: 'A' }, { titre: 'B', numero: '2' }];
  const house = await houseOf(
    ['POST', LIVRES, livre('Vieux')],
    ['POST', '/api/series', { titre: 'Mer', places }],
  );
  const added = (titre: string, numero?: string) => ({
    ...livre(titre),
    place: { serie: { titre: 'Mer' }, numero },
  });
  const placed = await act(house, 'PUT', '/api/places/1/livre', { livreId: 1 });
  const second = await act(house, 'POST', LIVRES, added('B', '2'));
  await act(house, 'PUT', '/api/livres/2/serie', { serie: null });
  await act(house, 'PUT', '/api/series/1', { titre: 'Mer', places: [] });
  await undoAct(house, placed, '?avec=obstacles');
  await act(house, 'POST', LIVRES, added('A'));
  const before = ranked(house.context.database);
  await undoAct(house, await undoAct(house, second, '?avec=obstacles'));
  expect(ranked(house.context.database)).toEqual(before);
});

test('rows left by an undone import are no obstacle', async () => {
  const house = await openHouse();
  const places = [{ titre: 'Un', numero: '1' }];
  const serie = await act(house, 'POST', '/api/series', { titre: 'Mer', places });
  const importation = await imports(house, 'Titre;Auteurs;Série;Numéro\nDeux;Colette;Mer;2\n');
  const edit = { ...livre('Deux', 'Colette'), annee: 1929 };
  await act(house, 'PUT', '/api/livres/1', edit);
  expect(await undoImport(house, importation)).toEqual({ retires: 0, gardes: 1 });
  const undone = await undoAct(house, serie);
  expect((await house.ask('ana', 'GET', '/api/series')).body).toEqual([]);
  await undoAct(house, undone);
  expect((await house.ask('ana', 'GET', '/api/series')).body).toMatchObject([
    { places: [{ titre: 'Un' }, { titre: 'Deux', livreId: 1 }] },
  ]);
});

test('a location that only undone imports used can be deleted', async () => {
  const house = await openHouse();
  const location = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const importation = await imports(house, 'Titre;Auteurs;Emplacement\nDeux;Colette;Salon\n');
  const book = async () => (await house.ask('ana', 'GET', '/api/livres/1')).body;
  await act(house, 'PUT', '/api/livres/1', { ...livre('Deux', 'Colette'), annee: 1929 });
  expect(await book()).toMatchObject({ emplacementId: 1 });
  expect(await undoImport(house, importation)).toEqual({ retires: 0, gardes: 1 });
  const undone = await undoAct(house, location);
  expect(await book()).toMatchObject({ emplacementId: null });
  await undoAct(house, undone);
  expect(await book()).toMatchObject({ emplacementId: 1 });
});

test('an undone import that is an obstacle is named and redone', async () => {
  const house = await openHouse();
  const importation = await imports(house, 'Titre\nSido\n');
  const lent = await act(house, 'POST', '/api/livres/1/prets', { emprunteur: 'Luc' });
  const returned = await act(house, 'POST', '/api/prets/1/retour');
  expect(await undoImport(house, importation)).toEqual({ retires: 1, gardes: 0 });
  const undoing = latest(house);
  expect(await obstaclesTo(house, lent)).toEqual([undoing, returned]);
  const all = await undoAct(house, lent, '?avec=obstacles');
  const etat = async () =>
    (await house.ask('ana', 'GET', `/api/importations/${String(importation.id)}`)).body;
  expect(await etat()).toMatchObject({ etat: 'faite' });
  expect((await house.ask('ana', 'GET', '/api/livres/1/prets')).body).toEqual([]);
  await undoAct(house, all);
  expect(await etat()).toMatchObject({ etat: 'annulee' });
});

test('a rename is not undone under books imported since', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Willy')]);
  const renamed = await act(house, 'PUT', '/api/auteurs/1', { nom: 'Colette' });
  await imports(house, 'Titre;Auteurs\nChéri;Colette\n');
  expect(await obstaclesTo(house, renamed)).toEqual([latest(house)]);
});

test('a cover given since keeps an imported book', async () => {
  const house = await openHouse();
  const importation = await imports(house, 'Titre\nSido\nIda\n');
  const picture = png({ width: 60, height: 90, pixels: new Uint8Array(60 * 90).fill(120) });
  const { status } = await fetch(`${house.url}/api/livres/1/couverture`, {
    method: 'PUT',
    headers: { ...house.headersOf('bob'), 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(picture),
  });
  expect(status).toBe(200);
  expect(await undoImport(house, importation)).toEqual({ retires: 1, gardes: 1 });
});

test('undoing an import reveals nothing about another’s status', async () => {
  const house = await openHouse();
  const importation = await imports(house, 'Titre\nSido\n');
  await house.ask('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
  expect(await undoImport(house, importation)).toEqual({ retires: 1, gardes: 0 });
});

test('an undone import leaves a book in the bin', async () => {
  const house = await openHouse();
  const importation = await imports(house, 'Titre;Auteurs;Statut\nSido;Colette;Lu\n');
  const livreOf = async () => (await house.ask('ana', 'GET', '/api/livres/1')).body;
  const before = await livreOf();
  expect(before).toMatchObject({ auteurs: [{ nom: 'Colette' }], statut: 2 });
  const removed = await act(house, 'DELETE', '/api/livres/1');
  expect(await undoImport(house, importation)).toEqual({ retires: 0, gardes: 0 });
  await undoAct(house, removed);
  expect(await livreOf()).toEqual(before);
});

test('a reading keeps its book’s data after the book’s deletion', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Germinal', 'emile zola')],
    ['POST', '/api/lectures', { livreId: 1, note: 8 }],
  );
  const auteurs = async () =>
    ((await house.ask('ana', 'GET', '/api/lectures')).body as Lecture[]).flatMap(
      (lecture) => lecture.auteurs,
    );
  const removal = await act(house, 'DELETE', '/api/livres/1');
  expect(await auteurs()).toEqual(['emile zola']);
  await act(house, 'POST', LIVRES, livre('Nana', 'Émile Zola'));
  const back = await undoAct(house, removal);
  expect(await auteurs()).toEqual(['Émile Zola']);
  await undoAct(house, back);
  expect(await auteurs()).toEqual(['emile zola']);
});

test('two names change owners by one undoing', async () => {
  const house = await houseOf(
    ['POST', '/api/emplacements', { nom: 'Salon' }],
    ['POST', '/api/emplacements', { nom: 'Cave' }],
  );
  const name = (id: number, nom: string) =>
    act(house, 'PUT', `/api/emplacements/${String(id)}`, { nom });
  const first = await name(1, 'Loin');
  await name(2, 'Salon');
  await name(1, 'Cave');
  const swapped = ranked(house.context.database);
  const all = await undoAct(house, first, '?avec=obstacles');
  await undoAct(house, all);
  expect(ranked(house.context.database)).toEqual(swapped);
});

test.each([
  [
    ['Colette', 'Willy', 'Luc'],
    ['Willy', 'Colette', 'Luc'],
  ],
  [
    ['Colette', 'Willy', 'Luc'],
    ['Luc', 'Colette', 'Willy'],
  ],
  [
    ['Colette', 'Willy', 'Luc'],
    ['Willy', 'Anna Ève', 'Colette'],
  ],
])('authors %j who became %j are as before', async (before, after) => {
  const house = await houseOf(['POST', LIVRES, livre('Claudine', ...before)]);
  const rows = () => householdRows(house.context.database);
  const first = rows();
  const edited = await act(house, 'PUT', '/api/livres/1', livre('Claudine', ...after));
  const last = rows();
  const undone = await undoAct(house, edited);
  expect(rows()).toEqual(first);
  await undoAct(house, undone);
  expect(rows()).toEqual(last);
});
