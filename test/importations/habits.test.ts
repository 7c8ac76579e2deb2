import { expect, test } from 'vitest';
import { noon } from './days.ts';
import { DAY_MS, localDay } from '#shared/days';
import { readFile, rowsOf } from './reading.ts';
import { zipOf } from './zips.ts';

const [A, B] = ['9782070360024', '9782070368228'];

const lines = (...rows: readonly string[]): string => rows.join('\n').concat('\n');

const refusalOf = async (file: string | Buffer): Promise<unknown> =>
  await readFile(file).then(
    () => null,
    (error: unknown) => error,
  );

test.each([
  ['J’ai lu', { statut: 2 }],
  ["Je l'ai lu", { statut: 2 }],
  ['Déjà lu', { statut: 2 }],
  ['Je lis', { statut: 1 }],
  ['En train de lire', { statut: 1 }],
  ['Je veux lire', { statut: 0 }],
  ['Je veux le lire', { statut: 0 }],
  ['Envie de lire', { statut: 0 }],
  ['Ma pile à lire', { statut: 0 }],
  ['Ma PAL', { statut: 0 }],
  ['Je n’ai pas lu', { statut: 0 }],
  ['Dans ma wishlist', { isSouhait: true }],
  ['J’ai abandonné', { lectures: [{ abandon: true }] }],
  ['Abandonné', { lectures: [{ abandon: true }] }],
  ['Je le possède', {}],
])('the state « %s » is known', async (statut, read) => {
  expect(await rowsOf(lines('Titre;Statut', `A;${statut}`))).toEqual([{ titre: 'A', ...read }]);
});

test.each([
  ['Exclusive Shelf', 'read', { statut: 2 }],
  ['Read Status', 'currently-reading', { statut: 1 }],
  ['Read It', 'Yes', { statut: 2 }],
  ['read', '1', { statut: 2 }],
  ['Date Read', '2023/05/14', { lectures: [{ fin: '2023-05-14' }] }],
  ['Reading Date', '2023/05/14', { lectures: [{ fin: '2023-05-14' }] }],
  ['finish_date', '2023-05-14', { lectures: [{ fin: '2023-05-14' }] }],
  ['date_published', '2011', { annee: 2011 }],
  ['pubdate', '2011-02-03T00:00:00+00:00', { annee: 2011 }],
  ['publishercode', 'Seuil', { editeur: 'Seuil' }],
  ['copyrightdate', 'c2011', { annee: 2011 }],
  ['length', '214', { nombrePages: 214 }],
  ['Collation', '214 p. : ill. ;', { nombrePages: 214 }],
  ['Lending Patron', 'Zoé', { pret: { emprunteur: 'Zoé', datePret: null } }],
  ['author_text', 'Lise Brun', { auteurs: ['Lise Brun'] }],
])('the header « %s » of some program is known without the rest', async (header, cell, read) => {
  const [row] = await rowsOf(lines(`Titre;${header}`, `A;${cell}`));
  expect(row).toMatchObject({ titre: 'A', ...read });
});

test('dates of reading beside ISBNs alone are kept while the books are looked up', async () => {
  const { records } = await readFile(lines('ISBN,Date Read', `${A},2023/05/14`, `${B},2024/01/02`));
  expect(records.map(({ isPending, row }) => [isPending, row.lectures[0]?.fin])).toEqual([
    [true, '2023-05-14'],
    [true, '2024-01-02'],
  ]);
});

const CLZ =
  'Author,Title,Series,Series Nr,Publication Date,ISBN,Read It,Reading Date,My Rating,Loaned To,Loan Date,Collection Status,On Wish List,Tags';

test('a table of CLZ Books is read completely', async () => {
  const file = lines(
    CLZ,
    `"Brun, Lise",Un,Brumes,1,2011,${A},Yes,"May 14, 2023",8,,,In Collection,No,"policier, Bretagne"`,
    `"Pic, Zoé",Deux,Brumes,2,2013,${B},No,,,Paul Renaud,"Jan 02, 2024",In Collection,No,`,
    '"Brun, Lise",Trois,,,,,No,,,,,On Wish List,Yes,',
    '"Brun, Lise",Quatre,,,,,Yes,,6,,,Sold,No,',
    '"Brun, Lise",Cinq,,,,,No,,,,,Sold,No,',
    '"Brun, Lise",Six,,,,,No,,,,,For Sale,No,',
  );
  const { format, themes, perdus } = await readFile(file);
  expect({ format, perdus }).toEqual({ format: 'clz', perdus: [] });
  expect(themes.map(({ nom }) => nom)).toEqual(['Bretagne', 'policier']);
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'Un',
      auteurs: ['Lise Brun'],
      isbn: A,
      annee: 2011,
      statut: 2,
      series: [{ titre: 'Brumes', numero: '1' }],
      lectures: [{ fin: '2023-05-14', note: 8 }],
    },
    {
      titre: 'Deux',
      auteurs: ['Zoé Pic'],
      isbn: B,
      annee: 2013,
      series: [{ titre: 'Brumes', numero: '2' }],
      pret: { emprunteur: 'Paul Renaud', datePret: noon('2024-01-02') },
    },
    { titre: 'Trois', auteurs: ['Lise Brun'], isSouhait: true },
    {
      titre: 'Quatre',
      auteurs: ['Lise Brun'],
      isLecture: true,
      lectures: [{ note: 6 }],
      avertissements: ['noté dans CLZ comme Sold : noté dans vos lectures, sans livre'],
    },
    { titre: 'Cinq', auteurs: ['Lise Brun'], refus: 'noté dans CLZ comme Sold' },
    { titre: 'Six', auteurs: ['Lise Brun'], avertissements: ['noté dans CLZ comme For Sale'] },
  ]);
});

test.each([
  ['Title,Author,Loaned To', 'table'],
  ['Title,Author,Loaned To,Date Loaned', 'bookbuddy'],
  ['Title,Author,Loaned To,Date Loaned,Collection Status,Read It,Reading Date', 'clz'],
  ['Titre,Auteur,ISBN', 'table'],
])('a table of %s is read as %s', async (header, format) => {
  expect(await readFile(lines(header, 'A'))).toMatchObject({ format });
});

test('a library’s loan is a reading, and its return is not', async () => {
  const file = lines(
    'cover,title,author,publisher,isbn,timestamp,activity,details,library',
    `x,A,Lise Brun,Seuil,${A},"January 05, 2024 09:12",Borrowed,21 days,Bibliothèque du port`,
    `x,A,Lise Brun,Seuil,${A},"January 20, 2024 18:40",Returned,,Bibliothèque du port`,
  );
  expect(await readFile(file)).toMatchObject({ format: 'libby', perdus: [] });
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      auteurs: ['Lise Brun'],
      isbn: A,
      editeur: 'Seuil',
      isLecture: true,
      lectures: [{ debut: '2024-01-05', avis: 'Bibliothèque du port' }],
      avertissements: [
        'emprunté : Bibliothèque du port : une lecture en cours, sans livre ; sa fin se dit dans « Mes lectures »',
      ],
    },
    {
      titre: 'A',
      auteurs: ['Lise Brun'],
      isbn: A,
      refus:
        'ce n’est pas un emprunt (Returned) : rendu n’est pas lu, la fin d’une lecture se dit dans « Mes lectures »',
    },
  ]);
});

test.each([
  ['Le quai /', 'Le quai'],
  ['Les eaux :', 'Les eaux'],
  ['Ou bien… ou bien ;', 'Ou bien… ou bien'],
  ['1/2', '1/2'],
  ['E=mc²', 'E=mc²'],
])('the title « %s » is stored as « %s »', async (titre, stored) => {
  expect(await rowsOf(lines('Titre\tAuteur', `${titre}\t`))).toEqual([{ titre: stored }]);
});

test('numbers in titles belong to the series named by a column', async () => {
  const titres = ['Lune v01', 'Lune v2', 'Lune Vol 03', 'Lune #4-6', 'Lune ch. 7', 'V'];
  const file = lines('Titre;Série', ...titres.map((titre) => `${titre};Lune`));
  const { records } = await readFile(file);
  expect(records.map(({ row }) => row.series)).toEqual(
    ['1', '2', '3', '4-6', '7', null].map((numero) => [{ titre: 'Lune', numero }]),
  );
});

test('genres and subjects of Inventaire are proposed as themes', async () => {
  const { themes, perdus } = await readFile(
    lines(
      'Item URL,Edition ISBN-13,Edition title,Genres labels,Subjects labels',
      `x,${A},A,"roman policier, roman noir","Bretagne, phare"`,
    ),
  );
  expect(themes.map(({ nom }) => nom).toSorted()).toEqual([
    'Bretagne',
    'phare',
    'roman noir',
    'roman policier',
  ]);
  expect(perdus).toEqual([]);
});

test.each([
  ['"""A, b"", c"', ['A, b', 'c']],
  ['"c, ""A, b"""', ['A, b', 'c']],
  ['"5"" de large, c"', ['5" de large', 'c']],
])('the tags %s are %j', async (cell, noms) => {
  const { themes } = await readFile(lines('Titre,Tags', `T,${cell}`));
  expect(themes.map(({ nom }) => nom).toSorted()).toEqual(noms.toSorted());
});

test.each([
  ['Lu le', '31/02/2024', 'date de lecture illisible, laissée de côté : 31/02/2024'],
  ['Début de lecture', '31/02/2024', 'début de lecture illisible, laissé de côté : 31/02/2024'],
  ['Abandonné le', '31/02/2024', 'jour d’abandon illisible, laissé de côté : 31/02/2024'],
  [
    'Lu le',
    '2024-02-31/2024-03-02',
    'un des deux jours illisible, laissé de côté : 2024-02-31/2024-03-02',
  ],
])('under « %s » the day %s is reported', async (header, day, avertissement) => {
  const { records } = await readFile(lines(`Titre;${header}`, `A;${day}`));
  expect(records[0]?.avertissements).toEqual([avertissement]);
});

test('an invalid day of return is reported', async () => {
  const file = lines('Titre;Prêté à;Prêté le;À rendre le', 'A;Zoé;2024-01-02;31/02/2024');
  const { records } = await readFile(file);
  expect(records[0]?.avertissements).toEqual([
    'jour de retour illisible, laissé de côté : 31/02/2024',
  ]);
});

test.each([
  ['{\\rtf1\\ansi Titre}', 'RTF'],
  ['%PDF-1.7', 'PDF'],
  ['<?xml version="1.0"?><catalogue><livre/></catalogue>', 'XML'],
  ['<!DOCTYPE html><html><table></table></html>', 'HTML'],
  ['00714cam a2200205 a 4500001001300000\x1e9782070360024\x1e\x1d', 'MARC'],
  [zipOf('META-INF/container.xml', Buffer.from('<a/>')).toString('latin1'), 'EPUB'],
  [zipOf('word/document.xml', Buffer.from('<a/>')).toString('latin1'), 'traitement de texte'],
])('the file %j is named: %s', async (file, name) => {
  expect(await refusalOf(Buffer.from(file, 'latin1'))).toMatchObject({
    message: expect.stringContaining(name) as string,
  });
});

test.each(['Not begun', 'Non commencé', 'Pas commencé', 'pas encore commencée', 'Not started'])(
  'the state « %s » is no status, no theme and no warning',
  async (statut) => {
    const file = lines('Titre;Statut;Tags', `A;${statut};${statut}`);
    const { themes, perdus } = await readFile(file);
    expect({ rows: await rowsOf(file), themes, perdus }).toEqual({
      rows: [{ titre: 'A' }],
      themes: [],
      perdus: [],
    });
  },
);

const seriesOf = async (file: string) =>
  (await readFile(file)).records.map(({ row }) =>
    row.series.map(({ titre, numero }) => `${titre} ${numero ?? '-'}`).join(),
  );

test.each<[string, string[], string[]]>([
  ['a name', ['A;Kaiju n°8;', 'B;Kaiju n°8;2'], ['Kaiju n°8 -', 'Kaiju n°8 2']],
  ['numbers', ['A;Akira n° 3;', 'B;Akira n°4;'], ['Akira 3', 'Akira 4']],
  ['a number, where the name stands alone', ['A;Akira n° 3;', 'B;Akira;1'], ['Akira 3', 'Akira 1']],
  [
    'a name, with a number of its own',
    ['A;Kaiju n°8 #3;', 'B;Kaiju n°8, tome 4;'],
    ['Kaiju n°8 3', 'Kaiju n°8 4'],
  ],
])('« n° » in a column of series is %s', async (_, rows, series) => {
  expect(await seriesOf(lines('Titre;Série;Tome', ...rows))).toEqual(series);
});

test.each<[string, string[], string[]]>([
  ['a name', ['Kaiju n°8;', 'Akira;'], ['', '']],
  ['a number, where the series says so', ['Akira n° 3;Akira'], ['Akira 3']],
  ['a name, where the series is called so', ['Kaiju n°8;Kaiju n°8'], ['Kaiju n°8 -']],
  [
    'a number, where the titles have several',
    ['Akira n° 3;', 'Akira n° 4;'],
    ['Akira 3', 'Akira 4'],
  ],
])('« n° » after a title is %s', async (_, rows, series) => {
  expect(await seriesOf(lines('Titre;Série', ...rows))).toEqual(series);
});

test.each<[string, string[], string[]]>([
  [
    'are stored in front, where the column is written so',
    ['Petit Quai (Le)', 'Eaux mortes, Les', 'Étranger (L’)', 'Un hiver', 'Quai (The) : roman'],
    ['Le Petit Quai', 'Les Eaux mortes', 'L’Étranger', 'Un hiver', 'The Quai : roman'],
  ],
  [
    'stay, where others stand in front',
    ['Petit Quai (Le)', 'Les Eaux mortes'],
    ['Petit Quai (Le)', 'Les Eaux mortes'],
  ],
  [
    'stay, where no article is',
    ['Petit Quai (suite)', 'Bien, bien'],
    ['Petit Quai (suite)', 'Bien, bien'],
  ],
])('articles after titles %s', async (_, titres, stored) => {
  const { records } = await readFile(lines('Titre', ...titres.map((titre) => `"${titre}"`)));
  expect(records.map(({ row }) => row.titre)).toEqual(stored);
});

test('articles after the names of series are moved to the front, and numbers belong to the series', async () => {
  const file = lines(
    'Titre;Série',
    'Schtroumpfs (Les), tome 3;Schtroumpfs (Les)',
    'Schtroumpfs (Les), tome 4;Schtroumpfs (Les)',
  );
  expect((await readFile(file)).records.map(({ row }) => [row.titre, row.series])).toEqual([
    ['Les Schtroumpfs, tome 3', [{ titre: 'Les Schtroumpfs', numero: '3' }]],
    ['Les Schtroumpfs, tome 4', [{ titre: 'Les Schtroumpfs', numero: '4' }]],
  ]);
});

test.each([
  ['5', '4,5', 10, 9],
  ['8', '4', 8, 4],
  ['15', '8', 8, 4],
  ['8/10', '4', 8, 8],
])(
  'the ratings « %s » and « %s » of a column are %i and %i half stars',
  async (a, b, one, other) => {
    const { records } = await readFile(lines('Titre;Note', `A;${a}`, `B;${b}`));
    expect(records.map(({ row }) => row.lectures[0]?.note)).toEqual([one, other]);
  },
);

test.each([
  ['Tome 2', 'Kaiju n°8, tome 2'],
  ['2', 'Kaiju n°8, tome 2'],
  ['', 'Kaiju n°8, tome 2'],
  ['Tome 3', 'Tome 3'],
  ['Le réveil', 'Le réveil'],
])('a volume 2 of the title « %s » is called « %s »', async (titre, named) => {
  const [row] = await rowsOf(lines('Titre;Série;Tome', `${titre};Kaiju n°8;2`));
  expect(row).toMatchObject({ titre: named, series: [{ titre: 'Kaiju n°8', numero: '2' }] });
});

test('a book that somebody else lent is borrowed until it goes back, and never the household’s', async () => {
  const header =
    'Title,Author,Loaned To,Date Loaned,Status,Rating,Borrowed From,Returned from Loan';
  const file = lines(header, 'A,Lise Brun,,,Read,4,Zoé,1', 'B,Lise Brun,,,Unread,,Le port,0');
  expect(await readFile(file)).toMatchObject({ format: 'bookbuddy', perdus: [] });
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'A',
      auteurs: ['Lise Brun'],
      isLecture: true,
      lectures: [{ note: 8 }],
      avertissements: ['rendu : Zoé : noté dans vos lectures, sans livre'],
    },
    {
      titre: 'B',
      auteurs: ['Lise Brun'],
      statut: 0,
      emprunteA: { nom: 'Le port', depuis: expect.any(String) as string, aRendre: null },
      avertissements: ['emprunt sans date : c’est le jour de l’import qui est noté'],
    },
  ]);
});

test('a book that a library still lends is borrowed; a returned or ended loan is a reading', async () => {
  const at = (days: number) => {
    const moment = new Date(Date.now() + days * DAY_MS);
    const date = { month: 'long', day: '2-digit', year: 'numeric' } as const;
    return `${moment.toLocaleDateString('en-US', date)} ${moment.toTimeString().slice(0, 5)}`;
  };
  const file = lines(
    'title,author,timestamp,activity,details,library',
    `A,Lise Brun,"${at(-2)}",Borrowed,21 days,Le port`,
    `B,Lise Brun,"${at(-1)}",Returned,,Le port`,
    `B,Lise Brun,"${at(-2)}",Borrowed,21 days,Le port`,
    `C,Lise Brun,"${at(-30)}",Borrowed,21 days,Le port`,
  );
  const rows = await rowsOf(file);
  expect(rows).toMatchObject([
    {
      titre: 'A',
      format: 'Numerique',
      emprunteA: {
        nom: 'Le port',
        depuis: localDay(new Date(Date.now() - 2 * DAY_MS)),
        aRendre: localDay(new Date(Date.now() + 19 * DAY_MS)),
      },
    },
    { titre: 'B', refus: expect.stringContaining('Returned') as string },
    { titre: 'B', isLecture: true },
    { titre: 'C', isLecture: true },
  ]);
  expect(rows[0]).not.toHaveProperty('isLecture');
});

test.each([
  ['Placed on hold', 'ce n’est pas un emprunt (Placed on hold)'],
  ['Renewed', 'ce n’est pas un emprunt (Renewed)'],
])('Libby’s « %s » is named in the warning', async (activity, refus) => {
  const file = lines(
    'title,author,timestamp,activity,details',
    `A,Lise Brun,"January 05, 2024 09:12",${activity},`,
  );
  expect(await rowsOf(file)).toMatchObject([{ titre: 'A', refus }]);
});

test.each([
  ['Manga', 'BandeDessinee'],
  ['Comics', 'BandeDessinee'],
  ['Roman', undefined],
])('Bubble’s %s is read as %s', async (type, typeDocument) => {
  const header = `Titre de la série;Titre de l'album;Dans ma collection;Type`;
  const { records, perdus } = await readFile(lines(header, `S;A;Oui;${type}`));
  expect([records[0]?.row.typeDocument, perdus]).toEqual([typeDocument, []]);
});

test('the heading of a BookWyrm review is kept above it, and Open Library’s stars are imported', async () => {
  const header = 'title,author_text,remote_id,shelf,review_name,review_content';
  const [row] = await rowsOf(lines(header, 'A,Lise Brun,x,read,Beau,Un port.'));
  expect(row).toMatchObject({ lectures: [{ avis: 'Beau\n\nUn port.' }] });
  const log = 'Work ID,Title,First Publish Year,Bookshelf,My Ratings';
  const [other] = await rowsOf(lines(log, 'OL1W,A,2010,Already Read,4'));
  expect(other).toMatchObject({ statut: 2, lectures: [{ note: 8 }] });
});

test.each([
  [
    'statut',
    [
      { titre: 'A', statut: 0 },
      { titre: 'B', statut: 2 },
    ],
  ],
  [
    'souhait',
    [
      { titre: 'A', isSouhait: true },
      { titre: 'B', statut: 2 },
    ],
  ],
] as const)('« Envie de lire » is imported as chosen: %s', async (aLire, rows) => {
  const [wanted] = await rowsOf(lines('Titre;Statut', 'A;Envie de lire', 'B;J’ai lu'), { aLire });
  expect(wanted).toMatchObject(rows[0]);
});

test('a library software’s table is read with its own headers', async () => {
  const file = lines(
    'biblionumber,title,author,isbn,publishercode,copyrightdate,pages,series',
    `1,"Un port gris /","Brun, Lise, 1961-",${A},Seuil,c2011,"214 p. ;",Ports`,
    `2,"La digue :","Pic, Zoé (1970-....)",${B},Seuil,[2013],"198 p. : ill. ;",Ports`,
  );
  const of = { editeur: 'Seuil', series: [{ titre: 'Ports', numero: null }] };
  expect(await rowsOf(file)).toEqual([
    {
      titre: 'Un port gris',
      auteurs: ['Lise Brun'],
      isbn: A,
      annee: 2011,
      nombrePages: 214,
      ...of,
    },
    {
      titre: 'La digue',
      auteurs: ['Zoé Pic'],
      isbn: B,
      annee: 2013,
      nombrePages: 198,
      ...of,
    },
  ]);
});

test('a phone’s catalogue yields its genres, years and readings', async () => {
  const file = lines(
    '_id,author,title,isbn,publisher,date_published,bookshelf,read,genre,loaned_to',
    `1,"Brun, Lise",Un,${A},Seuil,2011,Maison,1,Policier,`,
    `2,"Pic, Zoé",Deux,${B},Minuit,2019,Maison,0,"Science-fiction, Nouvelles",Paul`,
  );
  const { themes } = await readFile(file);
  expect(themes.map(({ nom }) => nom).toSorted()).toEqual([
    'Maison',
    'Nouvelles',
    'Policier',
    'Science-fiction',
  ]);
  expect(await rowsOf(file)).toMatchObject([
    { titre: 'Un', annee: 2011, editeur: 'Seuil', statut: 2 },
    { titre: 'Deux', annee: 2019, pret: { emprunteur: 'Paul', datePret: null } },
  ]);
});

test.each([
  ['Read but unowned', '', [{ fin: null }]],
  ['Read but unowned', '2023-05-14', [{ fin: '2023-05-14' }]],
  ['Lu mais non possédé', '', [{ fin: null }]],
  ['Your library, Read but unowned', '', null],
])('a book in LibraryThing’s collections « %s » is a reading, or owned', async (of, day, read) => {
  const header = 'Title\tPrimary Author\tCollections\tBook Id\tDate Read';
  const { records } = await readFile(lines(header, `A\tBrun, Lise\t${of}\t1\t${day}`));
  const raison = 'lu et pas possédé, d’après LibraryThing : noté dans vos lectures, sans livre';
  expect(records).toMatchObject([
    read === null
      ? { row: { statut: 2, lectures: [] }, avertissements: [] }
      : { row: { isLecture: true, statut: null, lectures: read }, avertissements: [raison] },
  ]);
});

test.each(['Sold', 'Not in Collection'])('a CLZ book with « %s » is not owned', async (status) => {
  const [row] = await rowsOf(lines(CLZ, `Brun,A,,,,,No,,,,,${status},No,`));
  expect(row).toMatchObject({ refus: `noté dans CLZ comme ${status}` });
});

test('quoted names and shelves may contain separators', async () => {
  const header = 'Book Id,Title,Author,Additional Authors,Exclusive Shelf,Bookshelves';
  const cells = '"""Pic, Zoé, fils"", Paul Mar",owned,"""envies, cadeaux"", Envies"';
  expect(await rowsOf(lines(header, `1,A,Lise Brun,${cells}`))).toEqual([
    { titre: 'A', auteurs: ['Lise Brun', 'Pic, Zoé, fils', 'Paul Mar'] },
  ]);
});
