import { expect, test } from 'vitest';
import { writeOds, writeXlsx } from 'hucre';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { countsOf, importFile, sendFile } from './support.ts';
import { zipOf } from './zips.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

type Cell = string | number | boolean | Date | null;

const ROWS: Cell[][] = [
  ['Titre', 'Auteur', 'ISBN', 'Année', 'Pages', 'Lu le', 'Prix'],
  [
    'Le Quai des brumes grises',
    'Odile Vautrin',
    9_782_070_360_024,
    2011,
    214,
    new Date('2020-05-03'),
    12.5,
  ],
  ['Les Eaux mortes', 'Lise Marchand', '978-2-07-036822-8', 2013, null, null, null],
];

const workbook = (write: typeof writeXlsx, rows: Cell[][] = ROWS) =>
  write({
    sheets: [
      { name: 'Notice', rows: [['Ma bibliothèque']] },
      { name: 'Livres', rows },
    ],
  }).then((bytes) => Buffer.from(bytes));

test.each([
  ['.xlsx', writeXlsx],
  ['.ods', writeOds],
])('a %s is read by its first sheet with a header, with numbers and days', async (_, write) => {
  const house = await openHouse();
  const importation = await importFile(house, await workbook(write));
  expect(importation).toMatchObject({
    format: 'tableur',
    datesDeLecture: 1,
    colonnes: { titre: 'Titre' },
  });
  expect(countsOf(importation)).toMatchObject({
    lignes: 2,
    nouveaux: 2,
    avertissements: ['feuille « Livres » du classeur'],
    perdus: ['Prix 1'],
  });
  expect(await livresOf(house)).toMatchObject([
    { titre: 'Le Quai des brumes grises', isbn: '9782070360024', annee: 2011, nombrePages: 214 },
    { titre: 'Les Eaux mortes', isbn: '9782070368228', annee: 2013 },
  ]);
});

test('a formula in a spreadsheet is its value', async () => {
  const house = await openHouse();
  const cells = new Map([
    ['1,0', { value: 'Dune', formula: 'UPPER("dune")', formulaResult: 'Dune' }],
  ]);
  const rows = [
    ['Titre', 'Année'],
    [null, 1965],
  ];
  const bytes = await writeXlsx({ sheets: [{ name: 'Livres', rows, cells }] });
  expect(await importFile(house, Buffer.from(bytes))).toMatchObject({ nouveaux: 1 });
  expect(await livresOf(house)).toMatchObject([{ titre: 'Dune', annee: 1965 }]);
});

test('a table of a program in a spreadsheet is known', async () => {
  const house = await openHouse();
  const rows = [
    ['Book Id', 'Title', 'Author', 'Exclusive Shelf'],
    [1, 'Dune', 'Frank Herbert', 'read'],
  ];
  expect(await importFile(house, await workbook(writeXlsx, rows))).toMatchObject({
    format: 'goodreads',
    statuts: 1,
  });
});

test('a spreadsheet with unknown columns is read by a mapping', async () => {
  const house = await openHouse();
  const file = await workbook(writeXlsx, [
    ['Bidule', 'Machin'],
    ['Dune', 'Frank Herbert'],
  ]);
  const { status, body } = await sendFile(house, file);
  expect([status, body]).toMatchObject([400, { entetes: ['Bidule', 'Machin'] }]);
  const colonnes = JSON.stringify({ titre: 'Bidule', auteurs: 'Machin' });
  expect(await importFile(house, file, { colonnes })).toMatchObject({ nouveaux: 1 });
});

const MB = 1024 * 1024;

const HOSTILE: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'a workbook that is cut': async () => (await workbook(writeXlsx)).subarray(0, 2000),
  'a workbook without rows': () => workbook(writeXlsx, []),
  'a bomb': () => zipOf('xl/workbook.xml', Buffer.alloc(300 * MB, ' ')),
  'a bomb that says it is small': () => zipOf('xl/workbook.xml', Buffer.alloc(300 * MB, ' '), 900),
  'a workbook of nothing': () => zipOf('xl/workbook.xml', Buffer.from('<workbook/>')),
  'a document': () => zipOf('word/document.xml', Buffer.from('<document/>')),
  'a zip of a picture': () => zipOf('photo.jpg', Buffer.from('JFIF')),
};

test.each(Object.entries(HOSTILE))('%s is refused in a sentence', async (_, make) => {
  const house = await openHouse();
  const before = process.memoryUsage().rss;
  const { status, body } = await sendFile(house, await make());
  expect([status, body]).toMatchObject([400, { code: 'FICHIER_INVALIDE' }]);
  expect(Reflect.get(body, 'message')).toMatch(/^[A-ZÀ-Ý].*\.$/s);
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * MB);
});

test('a sheet of twenty thousand rows is read', async () => {
  const house = await openHouse();
  const rows = Array.from({ length: 20_000 }, (_, at): Cell[] => [
    `Titre ${at}`,
    'Odile Vautrin',
    'x'.repeat(300),
  ]);
  const file = await workbook(writeXlsx, [['Titre', 'Auteur', 'Résumé'], ...rows]);
  const { status, body } = await sendFile(house, file);
  expect([status, body.nouveaux]).toEqual([200, 20_000]);
});
