import { expect, test } from 'vitest';
import type { Colonnes } from '#shared/importations';
import { readFile, rowsOf } from './reading.ts';
import { goodreads, table } from './samples.ts';

const message = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

test.each([
  ['Titre,Auteur,Prix\nA;b;c;d,B', ['Titre', 'Auteur', 'Prix']],
  ['Titre;Auteur\n', ['Titre', 'Auteur']],
  ['Titre\tAuteur', ['Titre', 'Auteur']],
  ['Titre|Auteur', ['Titre', 'Auteur']],
  [' Titre ; "Auteur" ', ['Titre', '"Auteur"']],
  ['"a,b,c";Titre', ['a,b,c', 'Titre']],
  ['"un ""mot, deux"", trois";Titre', ['un "mot, deux", trois', 'Titre']],
  ['"deux\nlignes, ici";Titre', ['deux\nlignes, ici', 'Titre']],
  ["'=Titre,Titre", ['=Titre', 'Titre']],
  ['Titre;Auteur\rA,B,C;D', ['Titre', 'Auteur']],
  ['Titre', ['Titre']],
])('the columns of %j are %j', async (file, headers) => {
  expect(await readFile(file)).toMatchObject({ format: 'table', headers });
});

test('each row keeps its line, however odd its cells', async () => {
  const file = 'Titre,Auteur\r\nA\r\n\r\n , \r\n"B, suite","Un ""Nom""",de trop\r\nC "d" e,Nom\r\n';
  const { records } = await readFile(file);
  expect(records.map(({ ligne, row }) => [ligne, row.titre, ...row.auteurs])).toEqual([
    [2, 'A'],
    [5, 'B, suite', 'Un "Nom"'],
    [6, 'C "d" e', 'Nom'],
  ]);
  expect(records[1]?.cells).toEqual(['B, suite', 'Un "Nom"', 'de trop']);
});

test('every row of a large table is read in order', async () => {
  const titres = Array.from({ length: 2000 }, (_, index) => `Titre ${index}`);
  const { records } = await readFile(['Titre', ...titres].join('\n'));
  expect(records.map(({ row }) => row.titre)).toEqual(titres);
});

test('a cell of many pages hides no header above it', async () => {
  const file = `Titre,Tags\nA,"${'Très bien. '.repeat(30_000)}"\nB,\n`;
  const { records, headers, avertissements, perdus } = await readFile(file);
  expect(headers).toEqual(['Titre', 'Tags']);
  expect(records.map(({ row }) => row.titre)).toEqual(['A', 'B']);
  expect([avertissements, perdus]).toEqual([[], []]);
});

test.each([
  ['Titre\n"A', 'Des guillemets s’ouvrent dans ce fichier et ne se referment pas.'],
  [
    `Titre,Note\nA,${'x'.repeat(1_000_001)}\n`,
    'Une ligne est trop longue pour un livre : des guillemets manquent peut-être.',
  ],
  [`Titre${',x'.repeat(1000)}\nA\n`, 'Ce fichier a trop de colonnes pour une liste de livres.'],
  [' \n', 'Ce fichier est vide.'],
  ['Titre\nA\0', 'Ce n’est pas un fichier de texte : exportez-le en CSV.'],
  [`Titre\n${`${'A'.repeat(99)}\n`.repeat(4000)}\0`, 'Ce n’est pas un fichier de texte.'],
  [
    `Titre\n${'\n'.repeat(100_000)}A`,
    'Ce fichier a plus de 100\u202f000 lignes : coupez-le en plusieurs.',
  ],
  [
    'A,B\n1,2\n',
    'Ce fichier n’est pas reconnu : dites quelle colonne est le titre, ou donnez un fichier dont la première ligne nomme les colonnes.',
  ],
  ['{"a": {"name": "A"}}', 'Ce fichier JSON n’est d’aucun programme connu.'],
  ['[{"title": "A", "books_id": 1}, {"title"', 'Ce fichier JSON ne se lit pas jusqu’au bout.'],
  [
    '\xd0\xcf\x11\xe0\xa1\xb1',
    'C’est un ancien classeur d’Excel, ou un classeur protégé par un mot de passe : enregistrez-le en .xlsx ou en CSV.',
  ],
  ['\x1f\x8b\x08', 'C’est un fichier compressé : décompressez-le d’abord.'],
  ['%PDF-1.7', 'C’est un PDF : il faut un fichier CSV, TSV ou JSON.'],
  ['SQLite format 3\0', 'C’est une base de données : exportez-la en CSV.'],
  [
    'PK\x03\x04 manifest.json',
    'C’est une sauvegarde : elle se remet en place dans une bibliothèque vide, ou sur le serveur par la commande « restore ».',
  ],
  ['PK\x03\x04 xl/workbook', 'Cette archive est incomplète ou abîmée.'],
])('the file %# is refused in these words', async (file, sentence) => {
  expect(await message(readFile(Buffer.from(file, 'latin1')))).toBe(sentence);
});

test('a table may have a thousand columns', async () => {
  expect((await readFile(`Titre${',x'.repeat(999)}\nA\n`)).records).toHaveLength(1);
});

test('a table may have a hundred thousand rows', async () => {
  const rows = await readFile(`Titre\n${'\n'.repeat(99_999)}A`);
  expect(rows.records).toHaveLength(1);
});

test('columns that are not imported are reported with their rows', async () => {
  const remarksOf = async (file: string) =>
    (await readFile(file)).perdus.map(({ colonne, lignes }) => `${colonne} ${lignes}`);
  const title = { Title: 'A' };
  expect(
    await remarksOf(
      table(
        ['Book Id', 'Title', 'Author', 'Exclusive Shelf', 'Bookshelves', 'Date Added', 'Prix', ''],
        [
          { ...title, 'Book Id': '1', 'Date Added': '2020' },
          { ...title, Bookshelves: 'read, to-read', Prix: '0,00' },
          { ...title, 'Exclusive Shelf': 'abandonnés', Prix: '12,50' },
          { ...title, Bookshelves: 'sf', Prix: '9' },
        ],
      ),
    ),
  ).toEqual(['Date Added 1', 'Prix 2']);
  expect(await remarksOf(goodreads(title))).toEqual([]);
  expect(await remarksOf('Titre;Résumé;ISBN\nA;Un texte;\nB; ;\n')).toEqual(['Résumé 1']);
});

test.each([
  ['Jules Verne ; Victor Hugo', ['Jules Verne', 'Victor Hugo']],
  ['Verne, Jules | Hugo, Victor', ['Jules Verne', 'Victor Hugo']],
  ['Jules Verne, Victor Hugo', ['Jules Verne', 'Victor Hugo']],
  ['Jules Verne & Victor Hugo', ['Jules Verne', 'Victor Hugo']],
  ['Verne, Jules', ['Jules Verne']],
  ['Verne, Jules Gabriel', ['Jules Gabriel Verne']],
  ['Homère', ['Homère']],
])('the authors « %s » of any table are %j', async (auteurs, noms) => {
  expect(await rowsOf(table(['Titre', 'Auteurs'], [{ Titre: 'A', Auteurs: auteurs }]))).toEqual([
    { titre: 'A', auteurs: noms },
  ]);
});

/** A text with a surrogate pair at this position. */
const cutAt = (length: number, text = ''): string =>
  `${text.padEnd(length - 1, 'x')}📚${'x'.repeat(200)}`;

test.each<[string, string, string, Colonnes | null]>([
  [
    'a header',
    `Titre,${cutAt(100)}\nA,sf\n`,
    '"colonne":"xxx',
    { titre: 'Titre', themes: [cutAt(100)] },
  ],
  ['a value', `Titre,Prix\nA,${cutAt(60)}\n`, '[["A"],["xxx', null],
  ['a code', `Titre,ISBN\nA,${cutAt(40)}\n`, 'ISBN, laissé de côté : xxx', null],
  ['a year', `Titre,Année\nA,${cutAt(40, '1')}\n`, 'illisible, laissée de côté : 1xxx', null],
  ['a status', `Titre,Statut\nA,${cutAt(40)}\n`, 'statut inconnu, laissé de côté : xxx', null],
  ['a note', `Titre,Note\nA,${cutAt(40, '1')}\n`, 'note illisible, laissée de côté : 1xxx', null],
  ['a theme', `Titre,Tags\nA,${cutAt(40)}\n`, 'trop longue, laissée de côté : xxx', null],
  [
    'a day',
    `Titre,Emprunteur,Date de prêt\nA,Luc,${cutAt(40)}\n`,
    'date de prêt illisible, laissée de côté : xxx',
    null,
  ],
  [
    'a reading',
    `Titre,Lectures\nA,${cutAt(40, '1')}\n`,
    'date de lecture illisible, laissée de côté : 1xxx',
    null,
  ],
])('%s too long to be shown is cut between characters', async (_, file, shown, given) => {
  const read = await readFile(file, { given });
  const text = JSON.stringify([read.exemples, read.records]);
  expect(text).toContain(shown);
  // JSON escapes a lone surrogate.
  expect(text).not.toMatch(/\\ud83d/);
});
