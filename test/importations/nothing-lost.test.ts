import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../support/random.ts';
import { readFile, rowsOf } from './reading.ts';

// cspell:ignore édition ivxlc
// A cell of a table is on its record, in a detail, or in a warning; none is lost in silence.

const detailsOf = async (file: string): Promise<Record<string, string>[]> => {
  const { records } = await readFile(file);
  return records.map(({ details = [] }) =>
    Object.fromEntries(details.map(({ colonne, valeur }) => [colonne, valeur])),
  );
};

const HEADERS = [
  'Title',
  'Titre',
  'Author',
  'Auteur',
  'Publisher',
  'Editeur',
  'Edition',
  'Publication',
  'Year',
  'Année',
  'Date de parution',
  'ISBN',
  'EAN',
  'Pages',
  'Format',
  'Reliure',
  'Status',
  'Statut',
  'Read',
  'Lu',
  'Series',
  'Série',
  'Series #',
  'Tome',
  'Volume',
  'Location',
  'Emplacement',
  'Shelf',
  'Loaned to',
  'Date lent',
  'Due date',
  'Borrowed from',
  'Date borrowed',
  'Wishlist',
  'Tags',
  'Genre',
  'Keywords',
  'Notes',
  'Private notes',
  'Review',
  'Mon avis',
  'Rating',
  'Note',
  'Date read',
  'Date finished',
  'Date started',
  'Read count',
  'Pages read',
  'Current page',
  'Progress',
  'Abandonné le',
  'Copies',
  'Quantity',
  'Prix',
  'Langue',
  'Remarque',
  'Collection',
  'Volumes contained',
  'Progress date',
  'Traducteur',
  'Translator',
];

/** Remarks that do not quote the text they are about. */
const TOLD_WITHOUT_TEXT =
  /^(?:tomes contenus illisibles|note personnelle d’un livre pas encore lu)/;

test('each cell of a table with any columns is imported, or its column or row is reported', async () => {
  const tables = fc.array(
    fc.record({ header: fc.constantFrom(...HEADERS), isFilled: fc.boolean() }),
    { maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(tables, async (columns) => {
      const headers = ['Title', 'Author', ...columns.map(({ header }) => header)];
      const cells = headers.map((_, at) =>
        columns[at - 2]?.isFilled === false ? '' : `Qz${String(at)}k`,
      );
      const { records, perdus } = await readFile(`${headers.join(',')}\n${cells.join(',')}\n`);
      const remarks = records.flatMap(({ avertissements }) => avertissements);
      const found = JSON.stringify([records, remarks].map((each) => each)).replace(
        /"cells":\[[^\]]*\]/g,
        '',
      );
      const lost = headers.filter(
        (header, at) =>
          !found.includes(cells[at] ?? '') && !perdus.some(({ colonne }) => colonne === header),
      );
      const silent = remarks.some((remark) => TOLD_WITHOUT_TEXT.test(remark))
        ? lost.filter((header) => !['Volumes contained', 'Private notes'].includes(header))
        : lost;
      expect(silent).toEqual([]);
    }),
    cases(),
  );
});

test.each([
  [
    'Title,Author,My Review,Review,Date Read,Date Finished',
    'Un,Ann Ro,good,better,2020-01-02,2020-03-04',
    { Review: 'better', 'Date Finished': '2020-03-04' },
  ],
  [
    'Title,Author,Publisher,Publisher,Year,Year,Pages',
    'Un,Ann Ro,Seuil,Fenwick,2001,2002,100',
    { Publisher: 'Fenwick', Year: '2002' },
  ],
  ['Title,Author,Year,Year', 'Un,Ann Ro,2001,2001', {}],
  ['Title,Author,Year,Year', 'Un,Ann Ro,,2001', {}],
  ['Title,Author,Copies', 'Un,Ann Ro,some', { Copies: 'some' }],
  ['Title,Author,Date borrowed', 'Un,Ann Ro,2020-03-04', { 'Date borrowed': '2020-03-04' }],
])(
  'of several columns « %s » for one field, differing values become details',
  async (header, row, expected) => {
    expect(await detailsOf(`${header}\n${row}\n`)).toEqual([expected]);
  },
);

test('both days of a loan without a borrower are reported', async () => {
  const { records } = await readFile(
    'Title,Author,Date lent,Due date\nUn,Ann Ro,2020-01-02,2020-03-04\n',
  );
  expect(records.map(({ avertissements }) => avertissements)).toEqual([
    ['prêt sans emprunteur, laissé de côté : 2020-01-02, 2020-03-04'],
  ]);
});

test.each([
  ['Seuil (2001), Edition: 2nd, 214 pages', ['Seuil', 2001, 214], { Édition: '2nd' }],
  ['Seuil (2001), Broché, 214 pages', ['Seuil', 2001, 214], { Publication: 'Broché' }],
  ['Edition: 2nd', [undefined, undefined, undefined], { Édition: '2nd' }],
  ['2nd ed.', [undefined, undefined, undefined], { Édition: '2nd ed.' }],
  ['Seuil', ['Seuil', undefined, undefined], {}],
  ['Presses (Paris), Lyon', ['Presses (Paris), Lyon', undefined, undefined], {}],
])(
  'a publication « %s » is a publisher, a year, pages and an edition',
  async (text, fields, details) => {
    const file = `Title,Author,Publication\nUn,Ann Ro,"${text}"\n`;
    const [row = {}] = await rowsOf(file);
    expect(
      ['editeur', 'annee', 'nombrePages'].map((name): unknown => Reflect.get(row, name)),
    ).toEqual(fields);
    expect(await detailsOf(file)).toEqual([details]);
  },
);

test('LibraryThing’s edition is no publisher', async () => {
  const file = 'Book Id\tTitle\tPrimary Author\tPublication\n1\tUn\tRo, Ann\tEdition: 2nd\n';
  expect(await rowsOf(file)).toMatchObject([{ titre: 'Un' }]);
  expect(await rowsOf(file)).not.toMatchObject([{ editeur: expect.anything() as string }]);
});

test('a header that ends in « # » or « n° » is of a number', async () => {
  for (const header of ['Series #', 'Volume n°', 'Tome N°', '#', 'Vol. #'])
    expect(await rowsOf(`Title,Author,Series Name,${header}\nUn,Ann Ro,Lune,3\n`)).toMatchObject([
      { titre: 'Un', series: [{ titre: 'Lune', numero: '3' }] },
    ]);
});

test.each([
  ['Vol.1 Ch.3', '1'],
  ['v3 c012', '3'],
  ['c012', '12'],
  ['Ch. 7', '7'],
  ['C1', 'C1'],
])('the number of a volume « %s » is %s, and a chapter after it a detail', async (text, numero) => {
  const file = `Title,Author,Series,Volume\nUn,Ann Ro,Lune,${text}\n`;
  expect(await rowsOf(file)).toMatchObject([{ series: [{ titre: 'Lune', numero }] }]);
  const isWithChapter = /\d c/i.test(text);
  expect(await detailsOf(file)).toEqual([isWithChapter ? { Volume: text } : {}]);
});

test('a chapter after the volume in a title leaves series and volume', async () => {
  expect(
    await rowsOf('Title,Author\nLune v02 c012,Ann Ro\n"Lune Vol.1 Ch.3",Ann Ro\n'),
  ).toMatchObject([
    { series: [{ titre: 'Lune', numero: '2' }] },
    { series: [{ titre: 'Lune', numero: '1' }] },
  ]);
});

test.each(['xii, 214 p.', '214-XII p.', '1 vol. (XII-214 p.)', '214 p. ; 21 cm', '[8], 214 pages'])(
  '« %s » is 214 pages in every format',
  async (text) => {
    const marc = `<?xml version="1.0"?><collection><record><leader>x</leader><datafield tag="245" ind1=" " ind2=" "><subfield code="a">Un</subfield></datafield><datafield tag="300" ind1=" " ind2=" "><subfield code="a">${text}</subfield></datafield></record></collection>`;
    const files = [
      `Titre,Auteur,Pages\nUn,Ann Ro,"${text}"\n`,
      marc,
      JSON.stringify([{ id: '1', type: 'book', title: 'Un', 'number-of-pages': text }]),
      `TY  - BOOK\nTI  - Un\nSP  - ${text}\nER  - \n`,
      `@book{a, title = {Un}, pagetotal = {${text}}}`,
    ];
    for (const file of files) expect(await rowsOf(file)).toMatchObject([{ nombrePages: 214 }]);
  },
);

test('CSL years are read from parts, nested or not, and a single record needs no list', async () => {
  const of = (issued: unknown) => ({ id: '1', type: 'book', title: 'Un', issued });
  const items = [
    [{ year: 2001 }],
    { year: '2001', month: 3 },
    { 'date-parts': [[2001, 3]] },
    { raw: 'March 2001' },
  ];
  for (const file of [...items.map((issued) => [of(issued)]), of([{ year: 2001 }])])
    expect(await rowsOf(JSON.stringify(file))).toMatchObject([{ titre: 'Un', annee: 2001 }]);
});

test.each([
  'Titre,Auteur,Remarque\nUn,Ann Ro,voir rayonnage.json\n',
  'TY  - BOOK\nTI  - Un\nN1  - rayonnage.json\nER  - \n',
])('a text that merely names « rayonnage.json » is no archive', async (file) => {
  expect(await rowsOf(file)).toMatchObject([{ titre: 'Un' }]);
});

const field = (tag: string, subfields: Readonly<Record<string, string>>) =>
  `<datafield tag="${tag}" ind1=" " ind2=" ">${Object.entries(subfields)
    .map(([code, text]) => `<subfield code="${code}">${text}</subfield>`)
    .join('')}</datafield>`;

test.each([
  ['MARC 21', ['245', '952'], { a: 'MAIN', c: 'Salon', o: 'R ROA' }],
  ['UNIMARC', ['200', '995'], { b: 'MAIN', e: 'Salon', k: 'R ROA' }],
])(
  'of Koha’s copies in %s the place and the call number are read',
  async (_, [titre = '', copy = ''], subfields) => {
    const file = `<?xml version="1.0"?><collection><record><leader>x</leader>${field(titre, { a: 'Un' })}${field(copy, subfields)}</record></collection>`;
    expect(await rowsOf(file)).toMatchObject([{ titre: 'Un', emplacement: ['Salon'] }]);
    expect(await detailsOf(file)).toEqual([{ Cote: 'R ROA', Bibliothèque: 'MAIN' }]);
  },
);

test.each([
  [{ titre: 'Dune', auteurs: 'Frank Herbert', annee: '1965' }, 3],
  [{ titre: 'Dune', isbn: '9782070360024' }, 3],
  [{ titre: 'Dune', auteurs: 'Frank Herbert' }, 2],
])('the first line of a table without a header is a book if chosen: %o', async (given, count) => {
  const file =
    'Dune,Frank Herbert,1965,9782070360024\nUbik,Philip K. Dick,1969,\nVALIS,Philip K. Dick,1981,\n';
  const { records, avertissements } = await readFile(file, { given });
  const titres = ['Dune', 'Ubik', 'VALIS'].slice(3 - count);
  expect(records.map(({ ligne, row }) => [ligne, row.titre])).toEqual(
    titres.map((titre, at) => [at + 4 - count, titre]),
  );
  expect(avertissements).toEqual(
    count === 3
      ? ['la première ligne est un livre : elle ne nomme pas les colonnes, et elle est importée']
      : [],
  );
});

test('a header with a number in a name is a header', async () => {
  const { records } = await readFile('Titre 1,ISBN13,Année 2020\nUn,9782070360024,2001\n', {
    given: { titre: 'Titre 1', isbn: 'ISBN13', annee: 'Année 2020' },
  });
  expect(records.map(({ row }) => row.titre)).toEqual(['Un']);
});
