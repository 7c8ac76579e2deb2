import { expect, test } from 'vitest';
import { readColonnes, signatureOf } from '#server/subjects/importations/columns';
import { readFile, rowsOf } from './reading.ts';

test.each([
  [undefined, null],
  ['{}', {}],
  ['{"titre": "Nom", "isbn": null, "auteurs": ""}', { titre: 'Nom' }],
  ['{"titre": "Nom", "datePret": "Depuis"}', { titre: 'Nom', datePret: 'Depuis' }],
])('the mapping %s is %j', (text, colonnes) => {
  expect(readColonnes(text)).toEqual(colonnes);
});

test.each([
  ['x', 'n’est pas du JSON lisible'],
  ['[]', 'est un objet JSON'],
  ['null', 'est un objet JSON'],
  ['"titre"', 'est un objet JSON'],
  ['{"titre": 1}', 'titre n’est pas un champ suivi d’un en-tête'],
  ['{"titre": "A", "nom": "B"}', 'nom n’est pas un champ suivi d’un en-tête'],
  [`{"${'n'.repeat(50)}": "B"}`, `${'n'.repeat(39)}… n’est pas un champ suivi d’un en-tête`],
])('the mapping %s is refused', (text, sentence) => {
  expect(() => readColonnes(text)).toThrow(`(colonnes : ${sentence}).`);
});

const FILE = 'Nom;;Qui;Code\nA;x;Un Nom;2070360024\nB;;Un Nom;9782070424641\n';
const given = { titre: 'Nom', auteurs: 'Qui', isbn: 'Code' };
const ROWS = [
  { titre: 'A', auteurs: ['Un Nom'], isbn: '9782070360024' },
  { titre: 'B', auteurs: ['Un Nom'], isbn: '9782070424641' },
];

test('a table is read by the given mapping', async () => {
  expect(await rowsOf(FILE, { given })).toEqual(ROWS);
});

test('a table is read by the mapping remembered for it', async () => {
  const known = signatureOf([' NOM', '', 'qui', 'Code']);
  const remembered = (signature: string) =>
    signature === known ? { colonnes: given, premiereLigne: null } : null;
  expect(await rowsOf(FILE, { remembered })).toEqual(ROWS);
  expect(await readFile(FILE, { remembered })).toMatchObject({ colonnes: given });
});

test('a person’s mapping of columns overrides the remembered one', async () => {
  const other = { titre: ' qui ' };
  expect(
    await rowsOf(FILE, {
      given: other,
      remembered: () => ({ colonnes: given, premiereLigne: null }),
    }),
  ).toMatchObject([{ titre: 'Un Nom' }, { titre: 'Un Nom' }]);
});

test('a person’s mapping counts before a known header', async () => {
  const file = 'Title,ISBN/UID,Read Status\nA,B,read\n';
  expect(await readFile(file, { given: { titre: 'ISBN/UID' } })).toMatchObject({
    format: 'table',
    records: [{ row: { titre: 'B', statut: null } }],
  });
});

test('a person’s mapping counts before codes alone', async () => {
  const codes = '2070360024\n9782070424641\n';
  expect(await readFile(codes, { given: { isbn: '2070360024' } })).toMatchObject({
    format: 'table',
    records: [{ row: { isbn: '9782070360024' } }, { row: { isbn: '9782070424641' } }],
  });
});

test('a refused table shows its columns with a few values', async () => {
  const long = 'x'.repeat(101);
  const rows = ['a;;1', 'a;x;', `b;x;${long}`, 'c;;3', ';;4', 'd'];
  const refusal = { code: 'FICHIER_INVALIDE', details: { entetes: ['Nom', 'Qui'] } };
  await expect(readFile(['Nom;;Qui', ...rows].join('\n'))).rejects.toMatchObject({
    ...refusal,
    details: {
      ...refusal.details,
      exemples: [
        ['a', 'b', 'c'],
        ['1', `${'x'.repeat(59)}…`, '3'],
      ],
    },
  });
  await expect(
    readFile(['Nom;;Qui', ...rows].join('\n'), { given: { titre: long } }),
  ).rejects.toMatchObject({
    ...refusal,
    message: `Il n’y a pas de colonne « ${'x'.repeat(99)}… » dans ce fichier.`,
  });
  await expect(readFile('Nom\nA\n', { given: { auteurs: 'Nom' } })).rejects.toThrow(
    'Ce fichier n’est pas reconnu',
  );
});

test('the sample of a table has twelve rows of values', async () => {
  const rows = [...Array.from({ length: 11 }, () => ''), '12', '13'];
  const { exemples } = await readFile(['Titre', ...rows.map((row) => `"${row}"`)].join('\n'));
  expect(exemples).toEqual([['12']]);
});

test('the sample of a table has two hundred columns', async () => {
  const headers = Array.from({ length: 201 }, (_, index) => `Colonne ${index}`);
  await expect(readFile(headers.join(';'))).rejects.toMatchObject({
    details: { entetes: headers.slice(0, 200), exemples: headers.slice(0, 200).map(() => []) },
  });
});

test('an unmapped column named twice does not refuse a table', async () => {
  expect(await readFile('Titre,Note,Note\nA,1,2\n')).toMatchObject({
    records: [{ row: { titre: 'A' } }],
    avertissements: [],
  });
});

test.each([
  [
    'a place, where no state of reading stands on it',
    'Title,Author,Shelf\nA,B,Living room\nC,D,\n',
  ],
  ['a place, beside a column of states of reading', 'Title,Status,Shelf\nA,read,To read\n'],
])('a shelf is %s', async (_, file) => {
  expect((await readFile(file)).colonnes).toMatchObject({ emplacement: 'Shelf' });
});

test('a shelf named after a reading status is no location', async () => {
  const { colonnes } = await readFile('Title,Author,Shelf\nA,B,to-read\nC,D,Living room\n');
  expect(colonnes).toMatchObject({ statut: 'Shelf' });
});
