import { expect, test } from 'vitest';
import { localDay } from '#shared/days';
import { readPosition } from '#server/subjects/importations/values';
import { download } from '../export/support.ts';
import { table } from '../importations/samples.ts';
import { importFile } from '../importations/support.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { lecturesDe, noter } from './support.ts';

const OPEN = { livreId: 1, debut: '2026-03-03' };
const DUNE = { titre: 'Dune', auteurs: ['Frank Herbert'], nombrePages: 340 };

test('an open reading has a page of its book, and the day of it', async () => {
  const house = await openHouse();
  await ajouterLivre(house, DUNE);
  const at = { page: 120, pageJour: '2026-03-05' };
  expect(await noter(house, 'ana', { ...OPEN, ...at })).toMatchObject({
    ...at,
    pourcent: null,
    statut: 'EnCours',
  });
  const put = (saisie: object) =>
    house.ask('ana', 'PUT', '/api/lectures/1', { ...OPEN, ...saisie });
  expect((await put({ page: 121 })).body).toMatchObject({
    page: 121,
    pageJour: localDay(new Date()),
  });
  expect((await put({ page: 121, pageJour: '2026-03-06' })).body).toMatchObject({
    pageJour: '2026-03-06',
  });
  expect((await put({ page: 121 })).body, 'the same page keeps its day').toMatchObject({
    pageJour: '2026-03-06',
  });
  expect((await put({ pourcent: 35 })).body).toMatchObject({ page: null, pourcent: 35 });
  expect((await put({ pageJour: '2026-03-06' })).body).toMatchObject({
    page: null,
    pourcent: null,
    pageJour: null,
  });
});

test.each([
  [{ page: 341 }, 'page', 'dépasse les 340 pages du livre'],
  [{ page: 0 }, 'page', /./],
  [{ page: 1.5 }, 'page', /./],
  [{ pourcent: 101 }, 'pourcent', /./],
  [{ page: 12, pourcent: 3 }, 'pourcent', 'ne se donne pas avec une page'],
  [{ page: 12, pageJour: '2999-01-01' }, 'pageJour', 'n’est pas encore passé'],
  [{ page: 12, pageJour: '2026-03' }, 'pageJour', /./],
])('no reading is at %j', async (saisie, champ, message) => {
  const house = await openHouse();
  await ajouterLivre(house, DUNE);
  const { status, body } = await house.ask('ana', 'POST', '/api/lectures', { ...OPEN, ...saisie });
  expect([status, body]).toMatchObject([
    400,
    {
      code: 'REQUETE_INVALIDE',
      champs: [{ champ, message: expect.stringMatching(message) as unknown }],
    },
  ]);
});

test('a lower count of pages does not invalidate existing readings', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, DUNE);
  const lecture = await noter(house, 'ana', { ...OPEN, page: 300 });
  await house.ask('ana', 'PUT', `/api/livres/${livre.id}`, {
    ...DUNE,
    format: 'Physique',
    nombrePages: 200,
  });
  const same = await house.ask('ana', 'PUT', '/api/lectures/1', { ...lecture, note: 8 });
  expect([same.status, same.body]).toMatchObject([200, { page: 300, note: 8 }]);
});

test('a page is undone field by field, and stays when the reading ends', async () => {
  const house = await openHouse();
  await ajouterLivre(house, DUNE);
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 1 });
  const [lecture] = await lecturesDe(house, 'ana');
  await house.ask('ana', 'PUT', `/api/lectures/${lecture?.id ?? 0}`, { ...lecture, page: 120 });
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 2 });
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ statut: 'Lue', page: 120 }]);
  const acts = (await house.ask('ana', 'GET', '/api/modifications')).body as {
    id: number;
    operation: string;
  }[];
  const act = acts.find(({ operation }) => operation === 'modifierLecture');
  const undone = await house.ask('ana', 'POST', `/api/modifications/${act?.id ?? 0}/annulation`);
  expect(undone.status).toBe(201);
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { statut: 'Lue', page: null, pageJour: null },
  ]);
});

test.each([
  ['120', 'page', [120, null]],
  ['p. 120', 'page', [120, null]],
  ['120 sur 340', 'page', [120, null]],
  ['120/340', 'pourcent', [120, null]],
  ['120 p.', 'pourcent', [120, null]],
  ['35 %', 'page', [null, 35]],
  ['35', 'pourcent', [null, 35]],
  ['34.6', 'pourcent', [null, 35]],
  ['0.35', 'pourcent', [null, 35]],
  ['0', 'page', null],
  ['120 %', 'page', null],
  ['au milieu', 'page', null],
  ['', 'page', null],
] as const)('« %s » under a header of a %s is %j', (text, bareIs, expected) => {
  const read = readPosition(text, bareIs);
  expect(read && [read.page, read.pourcent]).toEqual(expected);
});

async function imported(cells: Readonly<Record<string, string>>) {
  const house = await openHouse();
  const { avertissements } = await importFile(house, table(Object.keys(cells), [cells]), {}, 'ana');
  return {
    said: avertissements.map(({ raison }) => raison),
    lectures: (await lecturesDe(house, 'ana')).map(({ debut, fin, page, pourcent, pageJour }) => [
      debut,
      fin,
      page,
      pourcent,
      pageJour,
    ]),
  };
}

const READING = { Title: 'Dune', 'Read Status': 'currently reading', 'Start Date': '2026-03-03' };

test.each([
  [{ ...READING, 'Current Page': '120' }, ['2026-03-03', null, 120, null, null]],
  [{ ...READING, Progress: '35%' }, ['2026-03-03', null, null, 35, null]],
  [{ ...READING, percent_read: '35' }, ['2026-03-03', null, null, 35, null]],
  [
    { ...READING, 'Pages lues': '120', 'Progress date': '2026-03-05' },
    ['2026-03-03', null, 120, null, '2026-03-05'],
  ],
])('an import brings where one is: %j', async (cells, expected) => {
  expect(await imported(cells)).toEqual({ said: [], lectures: [expected] });
});

test('a value that cannot be a page is reported, and an empty one is not', async () => {
  const [beyond, unreadable, unread, done] = [
    await imported({ ...READING, Pages: '100', 'Current Page': '120' }),
    await imported({ ...READING, 'Current Page': 'au milieu' }),
    await imported({ Title: 'Dune', 'Read Status': 'to read', 'Current Page': '12' }),
    await imported({ Title: 'Dune', 'Read Status': 'read', Rating: '4', Progress: '100%' }),
  ];
  expect(beyond).toMatchObject({
    said: ['page atteinte au-delà du livre, laissée de côté : 120'],
    lectures: [['2026-03-03', null, null, null, null]],
  });
  expect(unreadable.said).toEqual(['page atteinte illisible, laissée de côté : au milieu']);
  expect(unread.said).toEqual(['page d’un livre dont aucune lecture n’est dite, laissée de côté']);
  expect(done).toMatchObject({ said: [], lectures: [[null, null, null, null, null]] });
});

test('a table of Jelu brings the days of each reading, and where the open one is', async () => {
  const { said, lectures } = await imported({
    Title: 'Dune',
    Author: 'Frank Herbert',
    ISBN: '9782070360024',
    Publisher: 'Laffont',
    'Date Read': '2026/03/03',
    Shelves: 'currently-reading',
    Bookshelves: 'sable',
    read_dates: '2019/04/12,2021/05/06',
    tags: 'sable',
    authors: 'Frank Herbert',
    isbn10: '',
    isbn13: '9782070360024',
    owned: 'true',
    dropped_dates: '',
    currently_reading: '2019/03/01,2026/03/03',
    current_page_number: '120',
  });
  expect(said).toEqual([]);
  expect(lectures).toEqual(
    expect.arrayContaining([
      ['2026-03-03', null, 120, null, null],
      [null, '2019-04-12', null, null, null],
      [null, '2021-05-06', null, null, null],
    ]),
  );
  expect(lectures).toHaveLength(3);
});

test('a file imported twice adds the position to a reading without one, and no duplicate', async () => {
  const house = await openHouse();
  const send = (cells: Readonly<Record<string, string>>) =>
    importFile(house, table(Object.keys(cells), [cells]), {}, 'ana');
  await send(READING);
  await send({ ...READING, 'Current Page': '120' });
  await send({ ...READING, 'Current Page': '99' });
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ page: 120, statut: 'EnCours' }]);
});

test('the spreadsheet’s table brings pages and percentages back, each with its day', async () => {
  const house = await openHouse();
  await ajouterLivre(house, DUNE);
  await ajouterLivre(house, { titre: 'Sido', auteurs: ['Colette'] });
  await noter(house, 'ana', { ...OPEN, page: 120, pageJour: '2026-03-05' });
  const share = { livreId: 2, debut: '2026-02', pourcent: 35, pageJour: '2026-03-06' };
  await noter(house, 'ana', share);
  const { bytes } = await download(house, '/api/export/livres.csv');
  const other = await openHouse();
  await importFile(other, Buffer.from(bytes), {}, 'ana');
  const positionsOf = async (of: typeof house) =>
    (await lecturesDe(of, 'ana'))
      .map(({ titre, debut, page, pourcent, pageJour }) => ({
        titre,
        debut,
        page,
        pourcent,
        pageJour,
      }))
      .sort((a, b) => (a.titre < b.titre ? -1 : 1));
  expect(await positionsOf(other)).toEqual(await positionsOf(house));
});
