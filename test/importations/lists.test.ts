import { expect, test } from 'vitest';
import { readFile, rowsOf } from './reading.ts';
import { utf8 } from './samples.ts';

const [A, B, C] = ['9782070360024', '9782070424641', '9782253004226'];

const lines = (...rows: readonly string[]): string => rows.join('\n').concat('\n');

/** A table separated by tabs, with LibraryThing's headers. */
const tabs = (...rows: readonly (readonly string[])[]): string =>
  lines(
    ...[['Book Id', 'Title', 'Primary Author', 'Review', 'Collections'], ...rows].map((cells) =>
      cells.join('\t'),
    ),
  );

const titresOf = async (file: string) => (await readFile(file)).records.map(({ row }) => row.titre);

test.each([
  [
    'an open quote',
    [
      ['1', '"Ouvert', 'Nom, Un', 'Bien'],
      ['2', 'Suite', 'Nom, Un', 'Bien'],
    ],
    ['"Ouvert', 'Suite'],
  ],
  [
    'one quote in a review',
    [
      ['1', 'A', '', '"Une phrase, puis mon avis', ''],
      ['2', 'B', '', 'Il dit "oui"', ''],
    ],
    ['A', 'B'],
  ],
  [
    'a text of two lines',
    [
      ['1', '"A', 'suite"', '', ''],
      ['2', 'B', '', '"un\ndeux"', ''],
    ],
    ['"A', 'B'],
  ],
  ['doubled quotes', [['1', '"A ""b"""', '', '', '']], ['A "b"']],
] as const)('reads a table of tabs with %s', async (_, rows, titres) => {
  expect(await titresOf(tabs(...rows))).toEqual(titres);
});

test('a tab-separated table with a quoted header quotes every cell', async () => {
  const file = lines('"Titre"\t"Auteur"', '"Un ""mot"""\t"Nom, Un"', '"Deux\nlignes"\t""');
  expect(await rowsOf(file)).toEqual([
    { titre: 'Un "mot"', auteurs: ['Un Nom'] },
    { titre: 'Deux lignes' },
  ]);
});

test.each([
  ['a line that names the separator', lines('sep=;', 'Titre;Auteur', 'A;Zoé Pic'), 3],
  ['a title above the header', lines('Ma bibliothèque;', '', 'Titre;Auteur', 'A;Zoé Pic'), 4],
  ['a title without separators above', lines('Ma liste, mai', 'Titre;Auteur', 'A;Zoé Pic'), 3],
  ['a row in one cell', lines('Titre;Auteur', '"A;Zoé Pic"'), 2],
] as const)('reads a table with %s', async (_, file, ligne) => {
  const { records } = await readFile(file);
  expect(records.map((record) => [record.ligne, record.row.titre, record.row.auteurs])).toEqual([
    [ligne, 'A', ['Zoé Pic']],
  ]);
});

test('columns of one name are both read', async () => {
  expect(await rowsOf(lines('Titre,Auteur,Auteur,Titre', 'A,Lise Brun,Zoé Pic,', ',,,B'))).toEqual([
    { titre: 'A', auteurs: ['Lise Brun', 'Zoé Pic'] },
    { titre: 'B' },
  ]);
});

test('a row with too many cells is repaired or reported', async () => {
  const file = lines('Titre,Auteur,ISBN', `A,Brun, Lise,${A}`, `B,Lise Brun,${B},de trop`);
  expect(await rowsOf(file)).toEqual([
    { titre: 'A', auteurs: ['Lise Brun'], isbn: A },
    {
      titre: 'B',
      auteurs: ['Lise Brun'],
      isbn: B,
      avertissements: ['4 cellules pour 3 colonnes : des valeurs sont peut-être décalées'],
    },
  ]);
});

test('entities are letters before names are parted', async () => {
  const file = lines(
    'Title,Authors',
    '"L&#39;&eacute;t&eacute;","Ren&eacute; Br&ucirc;n; Zo&eacute; Pic"',
  );
  expect(await rowsOf(file)).toEqual([{ titre: "L'été", auteurs: ['René Brûn', 'Zoé Pic'] }]);
});

test('signs around an article are no blanks', async () => {
  expect(await titresOf(utf8(lines('Titre', '\u0098Le \u009cphare')).text)).toEqual(['Le phare']);
  expect(await titresOf(utf8(lines('Titre', 'Ge\u0089\u0301ant')).text)).toEqual(['Géant']);
});

test('a word of LibraryThing is the end of a line', async () => {
  const [row] = (await readFile(tabs(['1', 'A', '', 'Bien.[Return][Return]Fin.', '']))).records;
  expect(row?.row.lectures).toMatchObject([{ avis: 'Bien.\n\nFin.' }]);
});

test.each([
  ['Titre du livre', 'Auteur(s)', 'N° ISBN', 'Date de parution', "Maison d'édition"],
  ['Nom du livre', 'Auteur principal', 'ISBN/EAN', 'Année de parution', 'Éditeur'],
  ['TITRE', 'Auteurs', 'ISBN-13', 'Année', 'Editeur'],
])('the headers %s, %s, %s, %s and %s are known', async (...headers) => {
  const file = lines(headers.join(';'), `A;Lise Brun;${A};12/03/1998;Seuil`);
  expect(await rowsOf(file)).toEqual([
    { titre: 'A', auteurs: ['Lise Brun'], isbn: A, annee: 1998, editeur: 'Seuil' },
  ]);
});

test('more headers as people write them are known', async () => {
  const file = lines(
    'Titre;Nb de pages;Série;Tome n°;Étagère;Scénariste;Dessinatrice;Wishlist',
    'A;320 p.;Suite;T02;R BRU;Brun, Lise;Zoé Pic;0',
    'B;;;;;;;1',
  );
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      auteurs: ['Lise Brun', 'Zoé Pic'],
      nombrePages: 320,
      series: [{ titre: 'Suite', numero: '2' }],
      emplacement: ['R BRU'],
    },
    { titre: 'B', isSouhait: true },
  ]);
});

test.each([
  ['Brun, Lise', ['Lise Brun']],
  ['La Motte, Jean de', ['Jean de La Motte']],
  ['Le Gall, J. M. G.', ['J. M. G. Le Gall']],
  ['Ormont, Jean d’', ['Jean d’Ormont']],
  ['Ince Jr., Irwin L.', ['Irwin L. Ince Jr.']],
  ['King, Martin, Jr.', ['Martin King Jr.']],
  ['Brun, Lise ; Pic, Zoé', ['Lise Brun', 'Zoé Pic']],
  ['Brun, Lise & Pic, Zoé', ['Lise Brun', 'Zoé Pic']],
  ['Paul Mar et Zoé Pic', ['Paul Mar', 'Zoé Pic']],
  ['Paul Mar & Zoé Pic', ['Paul Mar', 'Zoé Pic']],
  ['Pierre et Marie Brun', ['Pierre et Marie Brun']],
  [
    'Ministère de la culture et de la communication',
    ['Ministère de la culture et de la communication'],
  ],
  ['Office du livre (Paris, France)', ['Office du livre (Paris, France)']],
  ['Dostov, Fiodor (1821-1881)', ['Fiodor Dostov']],
  ['Dostov, Fiodor, 1821-1881', ['Fiodor Dostov']],
  ['Mar (fils), Paul', ['Paul Mar fils']],
  ['Mar, Paul (père)', ['Paul Mar père']],
  ['Lise Brun (auteur), Zoé Pic (traducteur)', ['Lise Brun']],
  ['Dostov, Fiodor (1821-1881), Brun, Lise (1950-....)', ['Fiodor Dostov', 'Lise Brun']],
])('the author « %s » is %j', async (cell, noms) => {
  const [row] = (await readFile(lines('Titre\tAuteur', `A\t${cell}`))).records;
  expect(row?.row.auteurs).toEqual(noms);
});

test('a column’s kind decides what its commas separate', async () => {
  const noms = async (...cells: readonly string[]) =>
    (await readFile(lines('Titre\tAuteur', ...cells.map((cell) => `A\t${cell}`)))).records.map(
      ({ row }) => row.auteurs.join(' / '),
    );
  const family = ['Brun, Lise', 'Pic, Zoé', 'Homère', 'Garcia Lopez, Ana Maria'];
  expect(await noms(...family)).toEqual([
    'Lise Brun',
    'Zoé Pic',
    'Homère',
    'Ana Maria Garcia Lopez',
  ]);
  const list = [
    'Lise Brun',
    'Zoé Pic',
    'Paul Mar',
    'Jo Roy',
    'Ana Lopez, Paul Mar',
    'Homère, Jo Roy',
  ];
  expect((await noms(...list)).slice(4)).toEqual(['Ana Lopez / Paul Mar', 'Homère / Jo Roy']);
});

test('the role of an author is reported', async () => {
  expect(
    await rowsOf(
      lines('Titre;Auteur', 'A;Paul Mar (Traducteur)', '"B";"Lise Brun ; Paul Mar (trad.)"'),
    ),
  ).toEqual([
    {
      titre: 'A',
      auteurs: ['Paul Mar'],
      avertissements: ['le rôle n’est pas repris : Paul Mar (Traducteur)'],
    },
    {
      titre: 'B',
      auteurs: ['Lise Brun'],
      avertissements: ['laissé de côté, n’est pas l’auteur : Paul Mar (trad.)'],
    },
  ]);
});

test.each([
  ['T02', '2'],
  ['Tome 3', '3'],
  ['#4', '4'],
  ['Vol. 5', '5'],
  ['t. IV', '4'],
  ['1/3', '1'],
  ['5-6', '5-6'],
  ['07', '7'],
  ['2.0', '2'],
  ['12 bis', '12 bis'],
  ['Tome n°10', '10'],
  ['8e tome', '8'],
  ['tomes 5 et 6', '5-6'],
  ['HS', 'HS'],
  ['INT1', 'INT1'],
])('the volume « %s » is number %s', async (tome, numero) => {
  expect(await rowsOf(lines('Titre;Série;Tome', `A;Suite;${tome}`))).toEqual([
    { titre: 'A', series: [{ titre: 'Suite', numero }] },
  ]);
});

test.each([
  ['Suite #1', 'Suite', '1'],
  ['Suite, #2', 'Suite', '2'],
  ['Suite (3)', 'Suite', '3'],
  ['Suite, tome 4', 'Suite', '4'],
  ['Suite (tome 5)', 'Suite', '5'],
  ['Suite T6', 'Suite', '6'],
  ['Suite 1984', 'Suite 1984', null],
  ['Vol de nuit', 'Vol de nuit', null],
])('the series « %s » is %s, number %s', async (serie, titre, numero) => {
  const [row] = (await readFile(lines('Titre\tSérie', `A\t${serie}`))).records;
  expect(row?.row.series).toEqual([{ titre, numero }]);
});

test.each([
  ['Fable, n°8, tome 3', 'Fable', '3'],
  ['Kaiju n°8, tome 3', 'Kaiju n°8', '3'],
  ['L’été (Le cycle, tome 2)', 'Le cycle', '2'],
  ['Fable, tome 2 (Saison 2)', 'Fable', '2'],
  ['Fable : tomes 5-6', 'Fable', '5-6'],
  ['Fable, intégrale, tomes 1 à 3', 'Fable', '1-3'],
])('the title « %s » yields %s, number %s', async (titre, serie, numero) => {
  const [row] = (await readFile(lines('Titre\tAuteur', `${titre}\t`))).records;
  expect(row?.row.series).toEqual([{ titre: serie, numero }]);
});

test('a volume without a title is named by its series', async () => {
  expect(await titresOf(lines('Titre;Série;Tome', ';Akari;12', ';;3'))).toEqual([
    'Akari, tome 12',
    '',
  ]);
});

test.each([
  ['ISBN 978-2-07-036002-4', A],
  ['ISBN : 2-07-036002-5', null],
  ['978.2.07.036002.4', A],
  ['2-07-036002-4 (br.)', A],
  ['ISBN-13: 9782070424641', B],
  ['2070424642 ; 9782070424641', B],
  ['9782253004226 / 2253004227', C],
  ['9782070360024.0', A],
])('the code « %s » is %s', async (code, isbn) => {
  const [row] = (await readFile(lines('Titre\tISBN', `A\t${code}`))).records;
  expect(row?.row.isbn).toBe(isbn);
});

test('identifiers of Calibre give the ISBN that it lost', async () => {
  const header = 'title,authors,title_sort,isbn,identifiers,pubdate';
  const file = lines(
    header,
    `A,Lise Brun,A,,"google:x,isbn-13:${A}",0100-12-31T23:58:45-00:01:15`,
    'B,Lise Brun,B,,ISBN-10:2070424642,2001-01-01',
  );
  expect(await rowsOf(file)).toEqual([
    { titre: 'A', auteurs: ['Lise Brun'], isbn: A },
    { titre: 'B', auteurs: ['Lise Brun'], isbn: B, annee: 2001 },
  ]);
});

test('a single unambiguous day decides the order of a file’s dates', async () => {
  const fins = async (...dates: readonly string[]) =>
    (
      await readFile(lines('Titre;Statut;Lu le', ...dates.map((date) => `A;Lu;${date}`)))
    ).records.map(({ row }) => row.lectures[0]?.fin);
  expect(await fins('12/25/2020', '3/4/2021')).toEqual(['2020-12-25', '2021-03-04']);
  expect(await fins('25/12/2020', '3/4/2021')).toEqual(['2020-12-25', '2021-04-03']);
});

test('an unreadable date of a loan is reported', async () => {
  const { records } = await readFile(
    lines('Titre;Prêté à;Prêté le', 'A;Zoé;au printemps', 'B;Zoé;'),
  );
  expect(records.map(({ avertissements }) => avertissements)).toEqual([
    ['date de prêt illisible, laissée de côté : au printemps'],
    [],
  ]);
});

test.each([
  ['PAL', 0],
  ['Fini', 2],
  ['Abandonné', null],
  ['Non lu', 0],
  ['Wishlist', null],
  ['en cours', 1],
])('the status « %s » is %s', async (statut, expected) => {
  const [row] = (await readFile(lines('Titre;Statut', `A;${statut}`))).records;
  expect([row?.row.statut, row?.avertissements]).toEqual([expected, []]);
});

test('an unknown status and copies are reported', async () => {
  expect(await rowsOf(lines('Titre;Statut;Exemplaires', 'A;peut-être;3', 'B;;1'))).toEqual([
    {
      titre: 'A',
      avertissements: [
        'statut inconnu, laissé de côté : peut-être',
        '3 exemplaires, un seul est entré',
      ],
    },
    { titre: 'B' },
  ]);
});

test('albums of BDGest come with their wish list', async () => {
  const file = lines(
    'IdLocal;IdAlbum;Series;Num;Titre;Editeur;DL;Cote;Note;Wishlist;ISBN;Scenariste;Dessinateur;Format;Statut',
    `1;51;Les Nuées;1;Le Départ;Dargon;03/1998;12;4;0;${A};Brun, Lise;Pic, Zoé;Grand format;Possédé`,
    '2;52;Les Nuées;2;Le Retour;Dargon;04/1999;;0;1;;Brun, Lise;Pic, Zoé;Grand format;Possédé',
    '3;53;Les Nuées;INT1;Intégrale 1;Dargon;;;;0;;Brun, Lise;Pic, Zoé;;',
    '4;54;Un été;;Un été;Caste;;;;0;;Mar, Paul;<Indéterminé>;;',
  );
  const noms = ['Lise Brun', 'Zoé Pic'];
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'Le Départ',
      auteurs: noms,
      isbn: A,
      typeDocument: 'BandeDessinee',
      editeur: 'Dargon',
      annee: 1998,
      series: [{ titre: 'Les Nuées', numero: '1' }],
      statut: 2,
      lectures: [{ note: 8 }],
    },
    {
      titre: 'Le Retour',
      auteurs: noms,
      editeur: 'Dargon',
      annee: 1999,
      typeDocument: 'BandeDessinee',
      isSouhait: true,
      series: [{ titre: 'Les Nuées', numero: '2' }],
    },
    {
      titre: 'Intégrale 1',
      auteurs: noms,
      editeur: 'Dargon',
      typeDocument: 'BandeDessinee',
      series: [{ titre: 'Les Nuées', numero: 'INT1' }],
    },
    {
      titre: 'Un été',
      auteurs: ['Paul Mar'],
      editeur: 'Caste',
      typeDocument: 'BandeDessinee',
    },
  ]);
  expect((await readFile(file)).perdus).toEqual([
    { colonne: 'Cote', lignes: 1 },
    { colonne: 'Format', lignes: 2 },
  ]);
});

test('volumes of Bubble come with their state of reading', async () => {
  const file = lines(
    `"Titre de la série";"Titre de l'album";"EAN";"Tome";"Date de publication";"Auteurs";"Dans ma collection";"Lu";"Prété à"`,
    `"Les Nuées";"Le Départ";"${A}";"1";"1998-03-01";"Lise Brun, Zoé Pic";"Oui";"Oui";""`,
    '"Akari";"";"";"12";"2005-03-01";"Mori Aki";"Oui";"Non";"Paul"',
    '"Akari";"";"";"13";"";"Mori Aki";"Non";"Non";""',
  );
  expect(await rowsOf(`\ufeff${file}`)).toEqual([
    {
      titre: 'Le Départ',
      auteurs: ['Lise Brun', 'Zoé Pic'],
      isbn: A,
      annee: 1998,
      statut: 2,
      series: [{ titre: 'Les Nuées', numero: '1' }],
    },
    {
      titre: 'Akari, tome 12',
      auteurs: ['Mori Aki'],
      annee: 2005,
      series: [{ titre: 'Akari', numero: '12' }],
      pret: { emprunteur: 'Paul', datePret: null },
    },
    {
      titre: 'Akari, tome 13',
      auteurs: ['Mori Aki'],
      series: [{ titre: 'Akari', numero: '13' }],
      refus: 'pas dans votre collection, d’après Bubble',
    },
  ]);
});

test('readings of Openreads come with both their days', async () => {
  const file = lines(
    'title,subtitle,author,status,deleted,rating,pages,publication_year,isbn,my_review,book_format,readings',
    'Fleurs,,Alina Brun,planned,false,,,2023,,,paperback,',
    `Écran,Une vie,Edgar Neige,finished,false,5,,2019,${A},Beau livre,hardcover,2023-10-27T00:00:00.000|2023-11-28T00:00:00.000|`,
    'Partage,,Jason Hic,finished,false,4.5,347,2017,,,ebook,|2023-12-10T00:00:00.000|',
    'Route,,"Mar, Paul",in_progress,false,,,,,,paperback,2023-10-12T00:00:00.000||',
    'Jeté,,Zoé Pic,finished,true,,,,,,paperback,',
  );
  expect(await rowsOf(file)).toEqual([
    { titre: 'Fleurs', auteurs: ['Alina Brun'], annee: 2023, statut: 0 },
    {
      titre: 'Écran : Une vie',
      auteurs: ['Edgar Neige'],
      annee: 2019,
      isbn: A,
      statut: 2,
      lectures: [{ debut: '2023-10-27', fin: '2023-11-28', note: 10, avis: 'Beau livre' }],
    },
    {
      titre: 'Partage',
      auteurs: ['Jason Hic'],
      annee: 2017,
      nombrePages: 347,
      format: 'Numerique',
      statut: 2,
      lectures: [{ fin: '2023-12-10', note: 9 }],
    },
    {
      titre: 'Route',
      auteurs: ['Paul Mar'],
      statut: 1,
      lectures: [{ debut: '2023-10-12' }],
    },
    { titre: 'Jeté', refus: 'supprimé dans Openreads' },
  ]);
});

test('a StoryGraph book that is not owned is reported', async () => {
  const file = lines(
    'Title,ISBN/UID,Read Status,Owned?',
    'A,,to-read,No',
    'B,,read,No',
    'C,,read,Yes',
  );
  expect(await rowsOf(file)).toEqual([
    { titre: 'A', isSouhait: true },
    { titre: 'B', statut: 2, avertissements: ['noté dans StoryGraph comme pas possédé'] },
    { titre: 'C', statut: 2 },
  ]);
});

test('a row in one cell may have undoubled quotes', async () => {
  const file = lines('Titre,ISBN,Tags,Statut', '"A,""="""""""""""",""x, y"",Lu"');
  expect(await rowsOf(file)).toEqual([{ titre: 'A', statut: 2 }]);
});

test('a row too wide is put right without any code', async () => {
  expect(await rowsOf(lines('Titre,Auteur,ISBN,Prix', 'A,Brun, Lise,,5'))).toEqual([
    { titre: 'A', auteurs: ['Lise Brun'] },
  ]);
});

test.each([
  ['979-0-014-02902-9', 'c’est le code d’une partition, pas d’un livre'],
  ['036000291452', 'c’est le code d’un produit, pas un ISBN'],
  ['3780000000008', 'c’est le code d’un magazine, pas d’un livre'],
])('the code %s is reported by its kind', async (code, said) => {
  expect(await rowsOf(lines('Titre;ISBN', `A;${code}`))).toEqual([
    { titre: 'A', avertissements: [`${said}, laissé de côté : ${code}`] },
  ]);
});

test('readings are found under the headers that people use', async () => {
  const file = lines(
    'Titre;Statut;Date de début;Date de lecture;Ma note;Mon avis;Nombre de lectures',
    'A;Lu;1/2/2020;13/2/2020;8/10;Bien;1',
    'B;Lu;;;beaucoup;;',
  );
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      statut: 2,
      lectures: [{ debut: '2020-02-01', fin: '2020-02-13', note: 8, avis: 'Bien' }],
    },
    { titre: 'B', statut: 2, avertissements: ['note illisible, laissée de côté : beaucoup'] },
  ]);
});

test('a plain table of BookWyrm is known', async () => {
  const file = lines(
    'id,title,author,ISBN,rating,shelf,review,added,finished',
    `38,A,Lise Brun,${A},3,read,Bien,2021-11-10,2021-11-11`,
    '48,B,Zoé Pic,,,to-read,,2021-11-10',
  );
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      auteurs: ['Lise Brun'],
      isbn: A,
      statut: 2,
      lectures: [{ fin: '2021-11-11', note: 6, avis: 'Bien' }],
    },
    { titre: 'B', auteurs: ['Zoé Pic'], statut: 0 },
  ]);
  const { format, perdus } = await readFile(file);
  expect([format, perdus]).toEqual(['bookwyrm', [{ colonne: 'added', lignes: 2 }]]);
});

test('a translator named first is reported as such', async () => {
  const file = lines('Titre;Auteur', 'A;"Lise Brun ; trad. par Zoé Pic"');
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      auteurs: ['Lise Brun'],
      avertissements: ['laissé de côté, n’est pas l’auteur : Zoé Pic (trad.)'],
    },
  ]);
});

test.each([
  ['★★★½', 7],
  ['★★★★☆', 8],
  ['14/20', 7],
  ['4 sur 5', 8],
])('the rating « %s » is %i half stars', async (note, expected) => {
  const { records } = await readFile(lines('Titre;Statut;Note', `A;Lu;${note}`));
  expect(records[0]?.row.lectures?.[0]?.note).toBe(expected);
});

test('a shelf of one’s own in BookWyrm is counted once', async () => {
  const file = lines(
    'title,author_text,remote_id,rating,shelf,shelf_name',
    'A (Suite #1),Lise Brun,x,,read,Read',
    'B,Zoé Pic,y,,cuisine,Cuisine',
  );
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      auteurs: ['Lise Brun'],
      statut: 2,
      series: [{ titre: 'Suite', numero: '1' }],
    },
    { titre: 'B', auteurs: ['Zoé Pic'] },
  ]);
  expect(await readFile(file)).toMatchObject({
    perdus: [],
    themes: [{ nom: 'Cuisine', livres: 1, colonnes: ['shelf_name'], repris: true }],
  });
});

test.each([
  ['12 mars 2020', [{ fin: '2020-03-12' }]],
  ['mars 2020', [{ fin: '2020-03' }]],
  ['March 12, 2020', [{ fin: '2020-03-12' }]],
  ['12 mars 2020 – 15 avr. 2020', [{ debut: '2020-03-12', fin: '2020-04-15' }]],
  ['12 mars 2019, août 2020', [{ fin: '2019-03-12' }, { fin: '2020-08' }]],
  ['mars', []],
])('readings of « %s » are reported in words', async (dates, lectures) => {
  const [row] = await rowsOf(lines('Titre;Statut;Lu le', `A;Lu;"${dates}"`));
  expect(row).toMatchObject(lectures.length > 0 ? { lectures } : { titre: 'A', statut: 2 });
});
