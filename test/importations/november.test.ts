import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { openHouse } from '../support/house.ts';
import { noon } from './days.ts';
import { importFile, sendFile } from './support.ts';
import { readFile } from './reading.ts';

// cspell:ignore zotero
// Lists as people have them, by habits that once came out wrong.

const rowsOf = async (file: string) => (await readFile(file)).records;

const datesOf = async (file: string) =>
  (await rowsOf(file)).map(({ row }) => row.lectures.map(({ debut, fin }) => fin ?? debut));

test('an unambiguous day in any column decides the order of all dates in a file', async () => {
  const header =
    'Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf';
  expect(
    await datesOf(
      `${header}\n1,Aa,Ann Ro,,4,3/4/2021,12/25/2020,,read\n2,Bb,Ann Ro,,4,5/6/2021,12/31/2020,,read\n`,
    ),
  ).toEqual([['2021-03-04'], ['2021-05-06']]);
});

test.each([
  ['Mar 4, 2021', '2021-03-04'],
  ['14-Mar-21', '2021-03-14'],
  ['Sunday, March 14, 2021', '2021-03-14'],
  ['44269', '2021-03-14'],
])('the day « %s » is %s', async (text, day) => {
  expect(await datesOf(`Title,Author,Date Read\nAa,Ann Ro,"${text}"\n`)).toEqual([[day]]);
});

test('a loan keeps its day in any time zone', async () => {
  const house = await openHouse();
  await importFile(house, 'Titre,Auteur,Prêté à,Prêté le\nUn,Odile Vautrin,Zoé,2020-05-06\n');
  const [livre] = (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  expect(livre?.pret).toMatchObject({ emprunteur: 'Zoé', datePret: noon('2020-05-06') });
});

test.each(['y', 'O', '✓', '1', 'yes'])(
  '« %s » under « Read » means that the book was read',
  async (yes) => {
    const [record] = await rowsOf(`Title,Author,Read\nAa,Ann Ro,${yes}\n`);
    expect(record?.row.statut).toBe(2);
  },
);

test('a year or a day under « Read » is the end of a reading; other values are reported', async () => {
  const records = await rowsOf(
    'Title,Author,Read\nAa,Ann Ro,2019\nBb,Ann Ro,2020-03-04\nCc,Ann Ro,perhaps\n',
  );
  expect(records.map(({ row }) => [row.statut, row.lectures[0]?.fin])).toEqual([
    [2, '2019'],
    [2, '2020-03-04'],
    [null, undefined],
  ]);
  expect(records.map(({ avertissements }) => avertissements.length)).toEqual([0, 0, 1]);
});

test.each(['Unknown', 'N/A', '-', '[n.n.]', 's. n.', 'Unknown Author'])(
  '« %s » is no author',
  async (nobody) => {
    const [record] = await rowsOf(`Title,Author,Year\nAa,${nobody},2001\n`);
    expect(record?.row.auteurs).toEqual([]);
  },
);

test.each([
  ['edited by Ann Ro', 'Ann Ro'],
  ['with Ann Ro', 'Ann Ro'],
  ['Ann Ro et al.', 'Ann Ro'],
])('« %s » names %s', async (text, nom) => {
  const [record] = await rowsOf(`Title,Author,Year\nAa,${text},2001\n`);
  expect(record?.row.auteurs).toEqual([nom]);
});

test('a series in brackets is split into series and number, in any table', async () => {
  const [record] = await rowsOf(
    'Title,Author,Year\n"Catching Fire (The Hunger Games, #2)",Suzanne Co,2009\n',
  );
  expect(record?.row).toMatchObject({
    titre: 'Catching Fire',
    series: [{ titre: 'The Hunger Games', numero: '2' }],
  });
});

const HARDCOVER = [
  'Title,Author,Series,Status,Privacy,Hardcover Book ID,ISBN 13,Media,Binding,Pages,Publish Date,Date Added,Date Started,Date Finished,Rating,Owned',
  'Glass Harbour,Mira Holt,Harbour Cycle #2,Read,,,9782070361007,Book,Paperback,310,2019-04-02,2022-01-03,2022-02-01,2022-02-11,4.5,true',
  'Salt Letters,"Ann Reed, Tom Vale",,Want to Read,,,9782070361014,Book,,,,,,,,false',
  'The Quiet Ladder,Joe Marsh,,Currently Reading,,,9782070361021,Audiobook,,,,,2026-11-01,,,false',
  'Paper Tigers,Lena Ost,,Did Not Finish,,,9782070361038,Ebook,,,,,2024-01-01,2024-01-09,,false',
].join('\n');

test('paper books owned in Hardcover become books, wishes wishes, and the rest readings', async () => {
  const house = await openHouse();
  const importation = await importFile(house, HARDCOVER);
  expect(importation).toMatchObject({ nouveaux: 1, souhaits: 1, lectures: 2, refuses: [] });
  expect((await house.ask('alice', 'GET', '/api/livres')).body).toMatchObject([
    { titre: 'Glass Harbour', annee: 2019, nombrePages: 310 },
  ]);
});

test('Hardcover’s books that are not owned are named; an owned audiobook is no printed book', async () => {
  const file = HARDCOVER.replace(
    'Audiobook,,,,,2026-11-01,,,false',
    'Audiobook,,,,,2026-11-01,,,true',
  );
  const { records } = await readFile(file);
  expect(
    records.map(({ row, avertissements }) => [row.format, row.isLecture ?? false, avertissements]),
  ).toEqual([
    ['Physique', false, []],
    ['Physique', false, []],
    ['Numerique', false, []],
    [
      'Numerique',
      true,
      ['noté dans Hardcover comme pas possédé : noté dans vos lectures, sans livre'],
    ],
  ]);
});

test.each(['statut', 'souhait'] as const)(
  'a file’s own count of copies tells wishes from books to read, though « %s » is said',
  async (aLire) => {
    const rows = [
      '1,Aa,Ann Ro,0,to-read',
      '2,Bb,Ann Ro,1,to-read',
      '3,Cc,Ann Ro,0,read',
      '4,Dd,Ann Ro,,to-read',
    ];
    const header = 'Book Id,Title,Author,Owned Copies,Exclusive Shelf';
    const { records } = await readFile([header, ...rows].join('\n'), { aLire });
    expect(records.map(({ row }) => [row.titre, row.isSouhait])).toEqual([
      ['Aa', true],
      ['Bb', false],
      ['Cc', false],
      ['Dd', aLire === 'souhait'],
    ]);
  },
);

const ZOTERO = [
  'Key,Item Type,Publication Year,Author,Title,Publication Title,ISBN,Pages,Num Pages,Series,Series Number,Publisher,Manual Tags,Editor,Translator',
  'A,book,1998,"Marlow, Kit; Dane, Iris",Rivers of Chalk,,9782070361106,,240,Landscapes,3,Downs Press,geology; owned,,"Poole, Ann"',
  'B,journalArticle,2004,"Dane, Iris",On chalk streams,Journal of Streams,,12-30,,,,,,,',
  'C,bookSection,2001,"Dane, Iris",Flint,A Book of Stones,9782070361113,40-52,,,,,,"Marlow, Kit",',
  'D,webpage,2020,,Chalk - an online guide,,,,,,,,,,',
].join('\n');

test('books of Zotero are entered, a chapter as its book', async () => {
  const house = await openHouse();
  const importation = await importFile(house, ZOTERO, { themes: 'true' });
  expect(importation).toMatchObject({ nouveaux: 2, nombreRefuses: 2 });
  const livres = (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  expect(livres).toMatchObject([
    { titre: 'A Book of Stones', auteurs: [{ nom: 'Kit Marlow' }] },
    {
      titre: 'Rivers of Chalk',
      auteurs: [{ nom: 'Kit Marlow' }, { nom: 'Iris Dane' }],
      nombrePages: 240,
      themes: ['geology'],
    },
  ]);
  const [book] = await rowsOf(ZOTERO);
  expect(book?.row.series).toEqual([{ titre: 'Landscapes', numero: '3' }]);
});

test('a list of readings yields beginnings, ends and the reader’s position', async () => {
  const records = await rowsOf(
    [
      'ISBN-13,Google Books ID,Title,Authors,Started Reading,Finished Reading,Current Page,Current Percentage,Rating,Notes',
      '9782070362707,x1,Owl River,"Poe, Sam; Lee, Ann",2020-01-02,2020-02-03,,,4.5,Liked it',
      '9782070362714,x2,Fox Hill,"Poe, Sam",2026-11-02,,120,57,,',
      '9782070362721,x3,Hen Lane,"Poe, Sam",,,,,,',
    ].join('\n'),
  );
  expect(records.map(({ row }) => row)).toMatchObject([
    {
      auteurs: ['Sam Poe', 'Ann Lee'],
      statut: 2,
      lectures: [{ debut: '2020-01-02', fin: '2020-02-03', note: 9, avis: 'Liked it' }],
    },
    { statut: 1, lectures: [{ debut: '2026-11-02', fin: null, page: 120 }] },
    { statut: null, lectures: [] },
  ]);
});

const MARC = `<?xml version="1.0" encoding="UTF-8"?>
<marc:collection xmlns:marc="http://www.loc.gov/MARC21/slim">
  <marc:record>
    <marc:leader>00000nam a2200000 a 4500</marc:leader>
    <marc:datafield tag="100" ind1="1" ind2=" "><marc:subfield code="a">Maurel, J. K.</marc:subfield></marc:datafield>
    <marc:datafield tag="245" ind1="1" ind2="0"><marc:subfield code="a">La Coupe de grès</marc:subfield></marc:datafield>
    <marc:datafield tag="700" ind1="1" ind2=" "><marc:subfield code="a">Presse, Paul</marc:subfield><marc:subfield code="e">printer</marc:subfield></marc:datafield>
    <marc:datafield tag="800" ind1="1" ind2=" "><marc:subfield code="a">Maurel, J. K.</marc:subfield><marc:subfield code="t">Les Potiers ;</marc:subfield><marc:subfield code="v">4</marc:subfield></marc:datafield>
  </marc:record>
</marc:collection>`;

test('the series of a person’s heading is its title, and a printer is no author', async () => {
  const [record] = await rowsOf(MARC);
  expect(record?.row).toMatchObject({
    titre: 'La Coupe de grès',
    auteurs: ['J. K. Maurel'],
    series: [{ titre: 'Les Potiers', numero: '4' }],
  });
});

test.each([
  ['an open comment', '<!--'.repeat(16_000)],
  ['an open section', '<![CDATA['.repeat(16_000)],
  ['an open tag', '<marc:record '.repeat(16_000)],
])('XML of %s again and again is refused at once', async (_, text) => {
  const house = await openHouse();
  const begin = process.cpuUsage();
  const { status } = await sendFile(house, MARC.replace('</marc:collection>', text));
  const { user } = process.cpuUsage(begin);
  expect([200, 400]).toContain(status);
  expect(user).toBeLessThan(5_000_000);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'a field called « %s » is a detail like another',
  async (name) => {
    const house = await openHouse();
    const bibtex = `@book{a, title = {Le Mat}, author = {Noir, Jean}, ${name} = {oui}, readstatus = {${name}}}`;
    expect((await sendFile(house, bibtex)).status).toBe(200);
    const gcstar = `<collection type="GCbooks" items="1"><item title="A" ${name}="x"><${name}>y</${name}></item></collection>`;
    expect([200, 400]).toContain((await sendFile(house, gcstar)).status);
    const plist = `<?xml version="1.0"?><plist><array><dict><key>title</key><string>A</string><key>${name}</key><string>b</string></dict></array></plist>`;
    expect((await sendFile(house, plist)).status).toBe(200);
  },
);
