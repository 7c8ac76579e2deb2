import { expect, test } from 'vitest';
import { cleanLectures } from '#server/subjects/importations/rows';
import { TableReader } from '#server/subjects/importations/columns';
import {
  readNote,
  readPartialDate,
  type EtatLecture as Etat,
} from '#server/subjects/importations/values';
import { download } from '../export/support.ts';
import { goodreads, table } from '../importations/samples.ts';
import { importFile } from '../importations/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { lecturesDe } from './support.ts';

test.each([
  ['5', 10],
  ['4.5', 9],
  ['4,5', 9],
  ['3.75', 8],
  ['3.25', 7],
  ['0.5', 1],
  ['4 / 5', 8],
  ['0', null],
  ['0.0', null],
  ['', null],
  ['bien', null],
  ['11', null],
])('a rating « %s » is %s half stars', (text, note) => {
  expect(readNote(text)).toBe(note);
});

test.each([
  ['2019/03/12', '2019-03-12'],
  ['2019-03-12T10:00:00Z', '2019-03-12'],
  ['12/03/2019', '2019-03-12'],
  ['[2007-04-16]', '2007-04-16'],
  ['="2019/03"', '2019-03'],
  ['3/2019', '2019-03'],
  ['2019', '2019'],
  ['1989-00-00', '1989'],
  ['0000-00-00', null],
  ['9999-01-01', null],
  ['########', null],
  ['', null],
])('a date « %s » is %s', (text, date) => {
  expect(readPartialDate(text, false)).toBe(date);
});

const readingsOf = (cells: Readonly<Record<string, string>>, etat: Etat | null = 'lu') => {
  const remarks: string[] = [];
  const lectures = cleanLectures(
    new TableReader(
      { name: 'table', programme: null, known: [], columns: {} },
      Object.keys(cells),
    ).read(Object.values(cells)).lectures ?? null,
    etat,
    (sentence) => {
      remarks.push(sentence);
      return null;
    },
    false,
  );
  return lectures.map(({ debut, fin, abandon, note, avis }) => [
    debut,
    fin,
    ...(abandon ? ['abandon'] : []),
    ...(note === null ? [] : [note]),
    ...(avis === null ? [] : [avis]),
    ...remarks,
  ]);
};

test.each<[Readonly<Record<string, string>>, Etat | null, unknown[]]>([
  [{}, 'lu', []],
  [{ 'read count': '1' }, 'lu', []],
  [
    { 'read count': '2' },
    'lu',
    [
      [null, null],
      [null, null],
    ],
  ],
  [{ 'my rating': '4', 'date read': '2019/03/12' }, 'lu', [[null, '2019-03-12', 8]]],
  [
    { 'date read': '2019/03/12', 'read count': '2', 'my rating': '5' },
    'lu',
    [
      [null, null],
      [null, '2019-03-12', 10],
    ],
  ],
  [
    { 'dates read': '2021/01/03-2021/01/10, 2019/05/01', 'star rating': '3.5', review: 'Bien' },
    'lu',
    [
      [null, '2019-05-01'],
      ['2021-01-03', '2021-01-10', 7, 'Bien'],
    ],
  ],
  [{ 'last date read': '2021/01/10' }, 'lu', [[null, '2021-01-10']]],
  [{ start_date: '2021-01-03', finish_date: '2021-01-10' }, 'lu', [['2021-01-03', '2021-01-10']]],
  [{ start_date: '2021-01-03' }, 'enCours', [['2021-01-03', null]]],
  [{}, 'abandon', [[null, null, 'abandon']]],
  [
    { start_date: '2021-01-03', stopped_date: '2021-01-05' },
    'abandon',
    [['2021-01-03', '2021-01-05', 'abandon']],
  ],
  [
    { lectures: '2019-03-01/2019-03-12 ; 2020 ; 2021-05/', étoiles: '4,5' },
    'enCours',
    [
      ['2021-05', null],
      ['2019-03-01', '2019-03-12'],
      [null, '2020', 9],
    ],
  ],
  [
    { 'my review': 'A<br/>B &amp; C', 'private notes': 'À moi' },
    'lu',
    [[null, null, 'A\nB & C\n\nÀ moi']],
  ],
])('%j is read as its readings', (cells, etat, readings) => {
  expect(readingsOf(cells, etat)).toEqual(readings);
});

/** Sixty rows: most are read, some twice, some rated, some with a text. */
const manyLines = Array.from({ length: 60 }, (_, n) => ({
  'Book Id': String(n + 1),
  Title: `Titre ${n}`,
  Author: `Auteur ${n % 40}`,
  'Exclusive Shelf': n % 10 === 9 ? 'to-read' : 'read',
  'My Rating': n % 10 === 9 ? '0' : String(n % 6),
  'Date Read': n % 3 === 0 ? `20${10 + (n % 15)}/0${1 + (n % 9)}/1${n % 10}` : '',
  'Read Count': n % 10 === 9 ? '0' : n % 30 === 0 ? '2' : '1',
  'My Review': n % 25 === 0 ? `Un mot\nsur ${n}` : '',
}));

const HEADERS = Object.keys(manyLines[0] ?? {});

/** The readings, without their ids. */
async function noted(house: House, utilisateur = 'alice') {
  const all = await lecturesDe(house, utilisateur);
  return all
    .map(({ id: _, livreId, ...lecture }) => ({ ...lecture, isOwned: livreId !== null }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test('importing a file again changes nothing, nor does its undoing', async () => {
  const house = await openHouse();
  const file = table(HEADERS, manyLines);
  await importFile(house, file);
  const all = await noted(house);
  expect(all.filter(({ note }) => note !== null)).not.toEqual([]);
  const again = await importFile(house, file);
  expect(await noted(house)).toEqual(all);
  await house.ask('alice', 'DELETE', `/api/importations/${again.id}`);
  expect(await noted(house)).toEqual(all);
});

test('a second import adds only the rows missing from the first', async () => {
  const house = await openHouse();
  const before = { Title: 'Dune', Author: 'Frank Herbert', 'Exclusive Shelf': 'read' };
  await importFile(house, goodreads(before));
  expect(await noted(house)).toEqual([]);
  await house.ask('alice', 'POST', '/api/lectures', { livreId: 1, fin: '2019-03-12' });
  const whole = { ...before, 'My Rating': '4', 'Date Read': '2019/03/12', 'Read Count': '1' };
  const { id } = await importFile(house, goodreads(whole));
  expect(await noted(house)).toMatchObject([{ fin: '2019-03-12', note: 8 }]);
  expect(await noted(house)).toHaveLength(1);
  await house.ask('alice', 'DELETE', `/api/importations/${id}`);
  expect(await noted(house)).toMatchObject([{ fin: '2019-03-12', note: null }]);
});

test('undoing an import keeps the readings written to since', async () => {
  const house = await openHouse();
  const line = (Title: string) => ({ Title, 'Exclusive Shelf': 'read', 'My Rating': '4' });
  const { id } = await importFile(house, goodreads(line('Un'), line('Deux')));
  const [un] = await lecturesDe(house, 'alice');
  await house.ask('alice', 'PUT', `/api/lectures/${un?.id}`, { ...un, avis: 'Un mot' });
  await house.ask('alice', 'DELETE', `/api/importations/${id}`);
  expect(await noted(house)).toMatchObject([{ titre: 'Un', avis: 'Un mot' }]);
});

test('readings are skipped if the importing reader is unknown', async () => {
  const house = await openHouse();
  await importFile(house, goodreads({ Title: 'Dune', 'My Rating': '4' }), {}, null);
  expect(house.context.database.value('SELECT count(*) FROM Lecture')).toBe(0);
});

test('the exported table brings back dates, stars and texts', async () => {
  const house = await openHouse();
  await importFile(house, goodreads({ Title: 'Dune', Author: 'Frank Herbert' }));
  const send = (saisie: object) =>
    house.ask('alice', 'POST', '/api/lectures', { livreId: 1, ...saisie });
  await send({ debut: '2019-03-01', fin: '2019-03-12' });
  await send({ debut: '2020-05', fin: '2021', note: 9, avis: 'Un\nmot' });
  const { bytes } = await download(house, '/api/export/livres.csv', 'alice');
  const other = await openHouse();
  await importFile(other, bytes);
  expect(await noted(other)).toEqual(await noted(house));
});

test.each([
  ['stars alone', 'Titre,Auteur,Note\nDune,Frank Herbert,5\n'],
  ['a review alone', 'Titre,Auteur,Avis\nDune,Frank Herbert,Du sable\n'],
])('%s make a book read', async (_, file) => {
  const house = await openHouse();
  await importFile(house, file);
  expect(await lecturesDe(house, 'alice')).toMatchObject([{ statut: 'Lue', fin: null }]);
  const statuts = house.context.database.all('SELECT statut FROM Statut');
  expect(statuts).toEqual([{ statut: 2 }]);
});
