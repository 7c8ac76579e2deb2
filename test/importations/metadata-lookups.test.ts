import { expect, onTestFinished, test, vi } from 'vitest';
import type { Importation } from '#shared/importations';
import type { Livre } from '#shared/livres';
import { Transaction } from '#server/plumbing/database/connection';
import { eventually } from '../support/eventually.ts';
import type { House } from '../support/house.ts';
import { houseWithSources, testUpstream, type Behaviour } from '../support/upstream.ts';
import { countsOf, importFile, lignesOf, none, sendFile } from './support.ts';

const LIST = '978-2-948012-01-7\n9782070360024\npas un code\n978-2-07-036002-5\n';

const read = async (house: House, id: number) =>
  (await house.ask('alice', 'GET', `/api/importations/${id}`)).body as Importation;

test('a list of ISBNs is completed in the background', async () => {
  const house = await houseWithSources(await testUpstream());
  const { body } = await sendFile(house, LIST);
  expect(body).toMatchObject({ format: 'isbn', lignes: 4, nouveaux: 0, enRecherche: 2 });
  await eventually(async () => (await read(house, body.id)).enRecherche).toBe(0);
  expect(countsOf(await read(house, body.id))).toMatchObject({
    ...none,
    avertissements: expect.any(Array) as unknown[],
    lignes: 4,
    nouveaux: 1,
    refuses: [
      '2 inconnu des catalogues',
      '3 ni titre ni ISBN valable',
      '4 ni titre ni ISBN valable',
    ],
  });
  const [found] = await lignesOf(house, body.id, '?sort=nouveau');
  expect(found).toMatchObject({ titre: 'Les travailleurs de la mer', auteurs: ['Victor Hugo'] });
  const path = `/api/importations/${body.id}`;
  const executed = (await house.ask('alice', 'POST', `${path}/execution`, {})).body as Importation;
  expect(executed).toMatchObject({ etat: 'faite', nouveaux: 1 });
});

test('a day of reading beside an ISBN is of the book that the catalogues find', async () => {
  const house = await houseWithSources(await testUpstream());
  const importation = await importFile(house, 'ISBN,Date Read\n978-2-948012-01-7,2023/05/14\n');
  await eventually(async () => (await read(house, importation.id)).nouveaux).toBe(1);
  expect((await house.ask('alice', 'GET', '/api/lectures')).body).toMatchObject([
    { titre: 'Les travailleurs de la mer', fin: '2023-05-14' },
  ]);
});

test('undoing an import removes books found later', async () => {
  const house = await houseWithSources(await testUpstream());
  const importation = await importFile(house, LIST);
  expect(importation).toMatchObject({ nouveaux: 0, enRecherche: 2 });
  const livres = async () => (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  await eventually(async () => (await livres()).map(({ titre }) => titre)).toEqual([
    'Les travailleurs de la mer',
  ]);
  await eventually(async () => (await read(house, importation.id)).enRecherche).toBe(0);
  expect(await read(house, importation.id)).toMatchObject({ nouveaux: 1, etat: 'faite' });
  const acts = async () => (await house.ask('bob', 'GET', '/api/modifications')).body;
  expect(await acts()).toMatchObject([{ resume: 'Import : 1 livre', utilisateur: 'alice' }]);
  const undone = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  expect(undone.body).toEqual({ retires: 1, gardes: 0 });
  expect(await acts()).toMatchObject([
    { resume: 'Import annulé : 1 livre retiré' },
    { resume: 'Import : 1 livre', annulee: true },
  ]);
  await house.ask('alice', 'POST', `/api/importations/${importation.id}/execution`, {});
  expect(await livres()).toMatchObject([{ titre: 'Les travailleurs de la mer' }]);
  const again = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  expect(again.body).toEqual({ retires: 1, gardes: 0 });
});

test('a location with a book found since names the import', async () => {
  const upstream = await testUpstream();
  upstream.behave('/', (_, response) => void response.writeHead(503).end());
  const house = await houseWithSources(upstream);
  const importation = await importFile(
    house,
    'Titre;ISBN;Emplacement\nSido;;\n;9782948012017;Salon\n',
  );
  await eventually(async () => (await read(house, importation.id)).enRecherche).toBe(0);
  const location = await house.ask('bob', 'POST', '/api/emplacements', { nom: 'Salon' });
  upstream.recover();
  await house.ask('alice', 'POST', `/api/importations/${importation.id}/execution`, {});
  await eventually(async () => (await read(house, importation.id)).nouveaux).toBe(2);
  const [, imported] = (await house.ask('bob', 'GET', '/api/modifications')).body as {
    id: number;
  }[];
  const path = `/api/modifications/${location.headers.get('X-Modification') ?? ''}/annulation`;
  expect((await house.ask('bob', 'POST', path)).body).toMatchObject({
    code: 'ANNULATION_IMPOSSIBLE',
    obstacles: [{ id: imported?.id }],
  });
  const undone = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  expect(undone.body).toEqual({ retires: 2, gardes: 0 });
  expect((await house.ask('bob', 'POST', path)).status).toBe(201);
});

test('lookups without any response are tried again', async () => {
  const upstream = await testUpstream();
  const down: Behaviour = (_, response) => void response.writeHead(503).end();
  upstream.behave('/', down);
  const house = await houseWithSources(upstream);
  const importation = await importFile(house, '9782948012017\n');
  await eventually(async () => countsOf(await read(house, importation.id)).refuses).toEqual([
    '1 un catalogue n’a pas répondu',
  ]);
  upstream.recover();
  await house.ask('alice', 'POST', `/api/importations/${importation.id}/execution`, {});
  await eventually(async () => (await read(house, importation.id)).nouveaux).toBe(1);
});

test('an ebook known by its ISBN takes no page count', async () => {
  const house = await houseWithSources(await testUpstream());
  await importFile(house, 'ISBN;Titre;Format\n9782948012017;;ebook\n');
  const livres = async () => (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  await eventually(livres).toMatchObject([
    { titre: 'Les travailleurs de la mer', format: 'Numerique', annee: 2019, nombrePages: null },
  ]);
});

const KNOWN = '9782948012017';
const UNKNOWN = ['9782070360024', '9782070360017', '9782070360109', '9782070360420'];

test('the rows of an import wait while the catalogues fail', async () => {
  const upstream = await testUpstream();
  let asked = 0;
  upstream.behave('/', (_, response) => {
    asked++;
    response.writeHead(503).end();
  });
  const house = await houseWithSources(upstream);
  const importation = await importFile(house, [...UNKNOWN, KNOWN].join('\n'));
  // Three codes, each asked for by both numbers at the national library, and at the open database.
  await eventually(() => asked).toBe(9);
  // No lookup runs beside a person's search.
  await house.ask('alice', 'GET', `/api/recherche-isbn/${KNOWN}`);
  expect(asked).toBe(12);
  expect(await read(house, importation.id)).toMatchObject({ enRecherche: 5 });
  upstream.recover();
  // A person's search asks the catalogues anyway; its response makes the remaining lookups unnecessary.
  await house.ask('alice', 'GET', `/api/recherche-isbn/${KNOWN}`);
  await eventually(async () => (await read(house, importation.id)).enRecherche).toBe(0);
  expect(await read(house, importation.id)).toMatchObject({ nouveaux: 1 });
  expect(countsOf(await read(house, importation.id)).refuses).toEqual(
    UNKNOWN.map((_, index) => `${index + 1} inconnu des catalogues`),
  );
});

test('an unanswered row is asked again after the others', async () => {
  const upstream = await testUpstream();
  let failures = 0;
  upstream.behave('/', (_, response) => {
    response.writeHead(503).end();
    if (++failures === 3) upstream.recover();
  });
  const house = await houseWithSources(upstream);
  const importation = await importFile(house, [KNOWN, ...UNKNOWN].join('\n'));
  await eventually(async () => (await read(house, importation.id)).enRecherche).toBe(0);
  expect(await read(house, importation.id)).toMatchObject({ nouveaux: 1 });
});

test('a long dry run is planned again beside the service for its last code', async () => {
  const house = await houseWithSources(await testUpstream());
  const rows = Array.from({ length: 300 }, (_, nth) => `Titre ${nth},`);
  const prepare = vi.spyOn(Transaction.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  const { body } = await sendFile(house, ['Titre,ISBN', ...rows, `,${KNOWN}`].join('\n'));
  await eventually(async () => (await read(house, body.id)).enRecherche).toBe(0);
  expect(await read(house, body.id)).toMatchObject({ nouveaux: 301, refuses: [] });
  const ofRows = prepare.mock.calls.filter(([sql]) => /UPDATE ImportationLigne/.test(sql));
  expect(ofRows.length).toBeLessThan(10);
});
