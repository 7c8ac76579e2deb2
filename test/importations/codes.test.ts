import { expect, test } from 'vitest';
import { jsonValues } from '#server/subjects/importations/formats/archive';
import { readFile, rowsOf } from './reading.ts';

const [A, B, C] = ['9782070360024', '9782070424641', '9782253004226'];

test.each([
  [`${A}\n${B}`, [1, A], [2, B]],
  [`\n\n${A}\r\n\r\n${B}\r${C}\n`, [3, A], [5, B], [6, C]],
  [`ISBN\n${A}`, [2, A]],
  [`EAN\n${A}`, [2, A]],
  [`isbn 13\n${A}`, [2, A]],
  [`ISBN10\n${A}`, [2, A]],
  [`code\n${A}`, [2, A]],
  [`mon isbn\n${A}`, [1, 'mon isbn'], [2, A]],
  [`isbn lus\n${A}`, [1, 'isbn lus'], [2, A]],
  [`ISBN\n${A}\nDune`, [2, A], [3, 'Dune']],
  ['2070360024 2070424642', [1, '2070360024'], [2, '2070424642']],
  [`${B}\n${A} deux`, [1, B], [2, `${A} deux`]],
  [`${A}\nisbn`, [1, A], [2, 'isbn']],
  [`${A},${B};${C}\t${A}|${B}`, [1, A], [2, B], [3, C], [4, A], [5, B]],
  [`${A} ${B}\n${C}`, [1, A], [2, B], [3, C]],
  [`978 2 07 036002 4`, [1, '978 2 07 036002 4']],
  [
    `978-2-07-036002-4, 2-07-036002–4,207036002x`,
    [1, '978-2-07-036002-4'],
    [2, '2-07-036002–4'],
    [3, '207036002x'],
  ],
  [`="${A}"\n'${B}'\n[${C}]`, [1, A], [2, B], [3, C]],
  [`${A}\nDune`, [1, A], [2, 'Dune']],
  [`${A}, Dune\n${B}`, [1, A], [2, 'Dune'], [3, B]],
  [` ,\n${A}`, [2, A]],
  ['978207036', [1, '978207036']],
  ['978\u20102\u201107\u2013036002\u22124', [1, '978\u20102\u201107\u2013036002\u22124']],
] as const)('the list %j is of these codes', async (file, ...codes) => {
  const { format, headers, records } = await readFile(file);
  expect([format, headers]).toEqual(['isbn', ['isbn']]);
  expect(records.map(({ ligne, cells }) => [ligne, ...cells])).toEqual(codes);
});

test.each([
  `${A}\nDune\nUbik`,
  `${A} Dune`,
  '97820703',
  '97820703600245',
  `X${A}`,
  `Nom,Auteur\nDune,Frank Herbert\n,\n"",\n ,\n`,
  `${A}Y`,
])('%j is no list of codes', async (file) => {
  await expect(readFile(file)).rejects.toMatchObject({ code: 'FICHIER_INVALIDE' });
});

test('a code of a list awaits the catalogues as ISBN', async () => {
  expect(await rowsOf('2070360024')).toEqual([
    { titre: '', isbn: A, refus: 'en attente d’une réponse des catalogues' },
  ]);
});

test('a list recognised by its first lines is read completely', async () => {
  const { records } = await readFile(`${`${A}\n`.repeat(2500)}${'Dune\n'.repeat(3000)}`);
  expect(records).toHaveLength(5500);
  expect(records.at(-1)).toMatchObject({ ligne: 5500, cells: ['Dune'] });
});

test('a line of a list holds two million characters', async () => {
  const blanks = ','.repeat(2_000_000 - A.length);
  expect((await readFile(`${B}\n${A}${blanks}\n`)).records).toHaveLength(2);
  await expect(readFile(`${B}\n${A}${blanks},`)).rejects.toThrow(
    'Une ligne de cette liste est trop longue.',
  );
});

async function* cutAt(text: string, cut: number): AsyncGenerator<Buffer> {
  yield* [text.slice(0, cut), text.slice(cut)].map((part) => Buffer.from(part));
}

async function valuesOf(text: string, cut = 0): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of jsonValues(cutAt(text, cut))) values.push(value);
  return values;
}

test('a JSON text is read value by value, wherever cut', async () => {
  const values = [{ '': '"}{' }, { a: ['}', '"', '\\', '\\"]'], b: { c: [{}] } }, ['x'], {}];
  for (const text of [
    JSON.stringify(values, null, 1),
    JSON.stringify(Object.fromEntries(values.entries())),
  ])
    for (let cut = 0; cut <= text.length; cut++) expect(await valuesOf(text, cut)).toEqual(values);
});

test.each([
  '[{"a": 1}',
  '[{"a": 1',
  '[{"a": "}]',
  '[{"a": x}]',
  '[{]',
  `[{"a": "${'x'.repeat(1_000_000)}"}]`,
])('the JSON text %# is refused', async (text) => {
  // In two pieces, since a limit may be exceeded between them.
  await expect(valuesOf(text, text.length - 3)).rejects.toThrow(
    'Cette archive est incomplète ou abîmée.',
  );
});

test('a record of JSON may be a million characters long', async () => {
  const text = JSON.stringify([{ a: 'x'.repeat(999_990) }]);
  expect(await valuesOf(text, text.length - 3)).toHaveLength(1);
});

test('LibraryThing’s JSON yields the same book as its table', async () => {
  const first = {
    books_id: 1,
    title: ' A &amp; B ',
    primaryauthor: 'Personne',
    authors: [
      { fl: 'Un Nom', lf: 'Nom, Un' },
      { fl: '', lf: 'Nom, Deux' },
      { fl: 'Nom, Trois', lf: '' },
      { fl: 'Un Traducteur', role: 'Translator' },
      { fl: 'Un Dessinateur', role: 'Illustrator' },
      'personne',
      null,
    ],
    isbn: { 0: '2070360024', 2: '9782070360024' },
    publication: 'Gallimard (1972)',
    date: 1972,
    pages: '99 ',
    collections: { 1: 'Your library', 2: 'Currently reading' },
  };
  const books = [
    first,
    {
      title: 'C',
      primaryauthor: 'Nom, Un',
      isbn: [['2070424642']],
      pages: 12,
    },
    { title: 'D', authors: null, originalisbn: '2070360024', collections: 'Wishlist' },
    { title: 'E', authors: [] },
    { title: 'F', books_id: null, primaryauthor: 5 },
    { title: 'Sans rien' },
    { primaryauthor: 'Nom, Un' },
    [],
  ];
  const text = `\n${JSON.stringify(books, null, 1)}`;
  expect((await readFile(text)).format).toBe('librarything');
  expect(await rowsOf(text)).toEqual([
    {
      titre: 'A & B',
      auteurs: ['Un Nom', 'Deux Nom', 'Nom Trois', 'Un Dessinateur'],
      isbn: '9782070360024',
      editeur: 'Gallimard',
      annee: 1972,
      nombrePages: 99,
      statut: 1,
    },
    { titre: 'C', auteurs: ['Un Nom'], isbn: '9782070424641', nombrePages: 12 },
    { titre: 'D', isbn: '9782070360024', isSouhait: true },
    { titre: 'E' },
    { titre: 'F', auteurs: ['5'] },
    ...Array.from({ length: 3 }, () => ({ titre: '', refus: 'ce n’est pas la fiche d’un livre' })),
  ]);
  const { headers, records, perdus } = await readFile(
    JSON.stringify([{ ...first, rating: 4, review: 'Bien', tags: ['a'], entrydate: '2020' }]),
  );
  expect(headers).toEqual(['titre', 'auteurs', 'isbn']);
  expect(records).toMatchObject([
    {
      ligne: 1,
      cells: ['A & B', 'Un Nom ; Deux Nom ; Nom Trois ; Un Dessinateur', '9782070360024'],
    },
  ]);
  expect(perdus).toEqual([{ colonne: 'entry date', lignes: 1 }]);
});
