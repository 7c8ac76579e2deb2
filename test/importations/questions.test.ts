import { expect, test } from 'vitest';
import { noon } from './days.ts';
import type { Importation, ImportationLigne } from '#shared/importations';
import type { Lecture } from '#shared/lectures';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { goodreads } from './samples.ts';
import { rowsOf } from './reading.ts';
import { importFile, sendFile } from './support.ts';

const execute = async (house: House, { id }: Importation, choices: object) =>
  house.ask('alice', 'POST', `/api/importations/${id}/execution`, choices);

const livresOf = async (house: House): Promise<Livre[]> =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

const endsOf = async (house: House): Promise<(string | null)[]> =>
  ((await house.ask('alice', 'GET', '/api/lectures')).body as Lecture[])
    .map(({ fin }) => fin)
    .sort();

// The order of days

const OPEN_DAYS = goodreads(
  { 'Book Id': '1', Title: 'Aa', 'Date Read': '3/4/2021', 'Exclusive Shelf': 'read' },
  { 'Book Id': '2', Title: 'Bb', 'Date Read': '5/6/2021', 'Exclusive Shelf': 'read' },
  { 'Book Id': '3', Title: 'Cc', 'Date Read': '7/7/2021', 'Exclusive Shelf': 'read' },
);

test('a file whose days are all ambiguous asks for their order, with their count and an example', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, OPEN_DAYS);
  expect(body.questions.ordreDates).toEqual({
    dates: 2,
    exemple: '3/4/2021',
    jourMois: '2021-04-03',
    moisJour: '2021-03-04',
    reponse: 'jourMois',
  });
});

test.each([
  ['jourMois', ['2021-04-03', '2021-06-05', '2021-07-07']],
  ['moisJour', ['2021-03-04', '2021-05-06', '2021-07-07']],
])('the chosen order of days, %s, applies to the import', async (ordreDates, days) => {
  const house = await openHouse();
  const { body } = await sendFile(house, OPEN_DAYS, { ordreDates });
  expect(body.questions.ordreDates?.reponse).toBe(ordreDates);
  await execute(house, body, {});
  expect(await endsOf(house)).toEqual(days);
  // The answer is not remembered.
  expect((await sendFile(house, OPEN_DAYS)).body.questions.ordreDates?.reponse).toBe('jourMois');
});

test.each([
  ['a day above twelve', '12/25/2020'],
  ['a day above twelve in a span', '1/2/2020-1/31/2020'],
  ['the year first', '2020-01-02'],
  ['one day and month', '7/7/2021'],
])('no order of days is asked for: %s', async (_, day) => {
  const house = await openHouse();
  const file = `Titre;Lu le\nAa;${day}\n`;
  const { body } = await sendFile(house, file, { ordreDates: 'moisJour' });
  expect(body.questions.ordreDates).toBeUndefined();
});

test('an unambiguous day of the file overrides the chosen order', async () => {
  const house = await openHouse();
  const file = 'Titre;Lu le\nAa;25/12/2020\nBb;3/4/2021\n';
  await importFile(house, file, { ordreDates: 'moisJour' });
  expect(await endsOf(house)).toEqual(['2020-12-25', '2021-04-03']);
});

test.each([
  ['a table', 'Titre;Date de parution;Lu le\nAa;25/12/1998;3/4/2021\n'],
  [
    'a list',
    '<?xml version="1.0"?><collection type="GCbooks" items="1"><item id="1" title="Aa" publication="14/03/2011" borrower="Zoé" lendDate="02/01/2024"/></collection>',
  ],
])('a day of publication shows the order of days in %s', async (_, file) => {
  const house = await openHouse();
  const { body } = await sendFile(house, file, { ordreDates: 'moisJour' });
  expect(body.questions.ordreDates).toBeUndefined();
  await execute(house, body, {});
  expect(await livresOf(house)).toHaveLength(1);
});

test('days of loans, of entry and of lists ask for their order, too', async () => {
  const house = await openHouse();
  for (const [file, dates] of [
    ['Titre;Prêté à;Prêté le\nAa;Zoé;3/4/2021\n', 1],
    ['Titre;Date Added\nAa;3/4/2021\nBb;4/5/2021\n', 2],
    [
      '<?xml version="1.0"?><collection type="GCbooks" items="1"><item id="1" title="Aa" read="1" acquisition="" readdate="" borrower="Zoé" lendDate="03/04/2021"/></collection>',
      1,
    ],
  ] as const) {
    const { body } = await sendFile(house, file);
    expect([file, body.questions.ordreDates?.dates]).toEqual([file, dates]);
  }
  const entered = 'Titre;Date Added\nAa;3/4/2021\n';
  const { body } = await sendFile(house, entered, { ordreDates: 'moisJour' });
  expect(body.questions.datesEntree).toEqual({
    lignes: 1,
    premiere: '2021-03-04',
    derniere: '2021-03-04',
  });
  await execute(house, body, { datesEntree: true });
  expect((await livresOf(house)).map(({ dateAjout }) => dateAjout)).toEqual([noon('2021-03-04')]);
});

// To read

const toRead = (...owned: readonly string[]) =>
  goodreads(
    ...owned.map((copies, index) => ({
      'Book Id': String(index),
      Title: `Titre ${index}`,
      'Exclusive Shelf': 'to-read',
      'Owned Copies': copies,
    })),
  );

test('« to read » without a count of copies is asked for, with how many', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, 'Titre;Statut\nAa;à lire\nBb;à lire\nCc;lu\n');
  expect(body.questions.aLire).toEqual({ lignes: 2, reponse: 'statut' });
  const asWishes = await sendFile(house, 'Titre;Statut\nAa;à lire\nBb;à lire\nCc;lu\n', {
    aLire: 'souhait',
  });
  expect(asWishes.body).toMatchObject({
    nouveaux: 1,
    souhaits: 2,
    questions: { aLire: { lignes: 2, reponse: 'souhait' } },
  });
});

test('books marked « to read » are wishes or books without a question if the file counts copies', async () => {
  const house = await openHouse();
  for (const aLire of ['statut', 'souhait']) {
    const { body } = await sendFile(house, toRead('0', '1', '0'), { aLire });
    expect(body).toMatchObject({ nouveaux: 1, souhaits: 2, questions: {} });
  }
});

test('an owned book to read is matched, and no wish', async () => {
  const house = await openHouse();
  await importFile(house, 'Titre;Auteur\nAa;Ana Li\n');
  const file = 'Titre;Auteur;Statut\nAa;Ana Li;à lire\nBb;Ana Li;à lire\nCc;Ana Li;wishlist\n';
  const { body } = await sendFile(house, file, { aLire: 'souhait' });
  expect(body).toMatchObject({ nouveaux: 0, presents: 1, souhaits: 2 });
  await execute(house, body, {});
  expect(await livresOf(house)).toMatchObject([{ titre: 'Aa', statut: 0 }]);
});

test('an owned book to read gets its themes and details, a wish gets none', async () => {
  const house = await openHouse();
  await importFile(house, 'Titre;Auteur\nAa;Ana Li\n');
  const file =
    'Titre;Auteur;Statut;Étiquettes;Prix\nAa;Ana Li;à lire;mer;12 €\nBb;Ana Li;à lire;mer;9 €\nCc;Ana Li;lu;mer;\n';
  const { body } = await sendFile(house, file, { aLire: 'souhait', themes: 'true' });
  expect(body).toMatchObject({ nouveaux: 1, presents: 1, completes: 1, souhaits: 1 });
  expect(body.avertissements).toMatchObject([
    { ligne: 3, raison: 'un souhait n’a pas de thèmes, laissés de côté' },
    { ligne: 3, raison: 'un souhait n’a pas de détails, laissés de côté' },
  ]);
  await execute(house, body, {});
  expect(await livresOf(house)).toMatchObject([
    { titre: 'Aa', statut: 0, themes: ['mer'], details: [{ nom: 'Prix', valeur: '12 €' }] },
    { titre: 'Cc' },
  ]);
});

// All books of an import

const PLACES = [
  'Titre;Statut;Emplacement',
  'Aa;;House / Office / Shelf',
  'Bb;en cours;House / Office / Shelf 2',
  'Cc;;Grenier',
].join('\n');

const standsAt = async (house: House): Promise<Record<string, string | null>> => {
  const places = (await house.ask('alice', 'GET', '/api/emplacements')).body as {
    id: number;
    nom: string;
    parentId: number | null;
  }[];
  const byId = new Map(places.map((place) => [place.id, place]));
  const pathOf = (id: number | null): string[] => {
    const place = byId.get(id ?? 0);
    return place === undefined ? [] : [...pathOf(place.parentId), place.nom];
  };
  return Object.fromEntries(
    (await livresOf(house)).map(({ titre, emplacementId }) => [
      titre,
      pathOf(emplacementId).join(' > '),
    ]),
  );
};

test('« House / Office / Shelf » is one name, or a path if chosen, and is removed by an undo', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, PLACES);
  expect(body.questions.chemins).toEqual({
    lignes: 2,
    exemple: 'House / Office / Shelf',
    noms: ['House', 'Office', 'Shelf'],
  });
  await execute(house, body, {});
  expect(await standsAt(house)).toMatchObject({ Aa: 'House / Office / Shelf', Cc: 'Grenier' });
  await house.ask('alice', 'DELETE', `/api/importations/${body.id}`);
  expect((await house.ask('alice', 'GET', '/api/emplacements')).body).toEqual([]);

  const again = (await sendFile(house, PLACES)).body;
  await execute(house, again, { chemins: true });
  const paths = { Aa: 'House > Office > Shelf', Bb: 'House > Office > Shelf 2', Cc: 'Grenier' };
  expect(await standsAt(house)).toEqual(paths);
  await house.ask('alice', 'DELETE', `/api/importations/${again.id}`);
  expect((await house.ask('alice', 'GET', '/api/emplacements')).body).toEqual([]);
  // Executed again with the recorded decisions.
  await execute(house, again, {});
  expect(await standsAt(house)).toEqual(paths);
});

test('a state and a shelf apply to all books of an import, and are undone with it', async () => {
  const house = await openHouse();
  const file = [
    'Titre;Statut;Lu le;Emplacement',
    'Aa;;;Grenier',
    'Bb;à lire;;',
    'Cc;lu;2021-03-04;Grenier',
  ].join('\n');
  const { body } = await sendFile(house, file);
  await execute(house, body, { statut: 1, emplacement: ['Salon', 'Étagère 2'] });
  const where = 'Salon > Étagère 2';
  expect(await standsAt(house)).toEqual({ Aa: where, Bb: where, Cc: where });
  const statuts = async () =>
    (await livresOf(house)).map(({ titre, statut }) => [titre, statut]).sort();
  // A reading from the file is not changed.
  expect(await statuts()).toEqual([
    ['Aa', 1],
    ['Bb', 1],
    ['Cc', 2],
  ]);
  await house.ask('alice', 'DELETE', `/api/importations/${body.id}`);
  expect(await livresOf(house)).toEqual([]);
  expect((await house.ask('alice', 'GET', '/api/emplacements')).body).toEqual([]);
});

test('a book that is there keeps its state and its shelf', async () => {
  const house = await openHouse();
  await importFile(house, 'Titre;Statut;Emplacement\nAa;lu;Bureau\n');
  const { body } = await sendFile(house, 'Titre\nAa\nBb\n');
  await execute(house, body, { statut: 0, emplacement: ['Salon'] });
  expect(await standsAt(house)).toEqual({ Aa: 'Bureau', Bb: 'Salon' });
  expect((await livresOf(house)).map(({ titre, statut }) => [titre, statut]).sort()).toEqual([
    ['Aa', 2],
    ['Bb', 0],
  ]);
});

test.each([[{ emplacement: [''] }], [{ emplacement: Array(7).fill('a') }], [{ statut: 3 }]])(
  'a choice that cannot be is refused: %j',
  async (choices) => {
    const house = await openHouse();
    const { body } = await sendFile(house, 'Titre\nAa\n');
    expect((await execute(house, body, choices)).status).toBe(400);
    expect(await livresOf(house)).toEqual([]);
  },
);

// A table without a header

const HEADLESS = 'Le Petit Quai;Ana Li\nRegain;Jean Giono\n';
const COLONNES = JSON.stringify({ titre: 'Le Petit Quai', auteurs: 'Ana Li' });

test('the first line is a book if chosen, now and for the same table later', async () => {
  const house = await openHouse();
  const asHeader = await sendFile(house, HEADLESS, { colonnes: COLONNES });
  expect(asHeader.body).toMatchObject({ lignes: 1, premiereLigne: 'entete' });
  const answers = { colonnes: COLONNES, premiereLigne: 'livre' };
  const asLivre = await sendFile(house, HEADLESS, answers);
  expect(asLivre.body).toMatchObject({
    lignes: 2,
    premiereLigne: 'livre',
    nombreAvertissements: 0,
  });
  const again = await sendFile(house, HEADLESS);
  expect(again.body).toMatchObject({ lignes: 2, premiereLigne: 'livre' });
  await execute(house, again.body, {});
  expect((await livresOf(house)).map(({ titre }) => titre).sort()).toEqual([
    'Le Petit Quai',
    'Regain',
  ]);
});

test('a first line that is no book is skipped if chosen', async () => {
  const house = await openHouse();
  const file = 'Nom;An 1984\nRegain;1930\n';
  const colonnes = JSON.stringify({ titre: 'Nom', annee: 'An 1984' });
  const response = await sendFile(house, file, { colonnes });
  const { body } = await sendFile(house, file, { colonnes, premiereLigne: 'entete' });
  expect([response.body.lignes, body.lignes]).toEqual([2, 1]);
});

// Titles and authors in one cell

test.each([
  ['"Book, Author"\n"Dune, Frank Herbert"\n"The Lion, the Witch, C. S. Lewis"\nUbik\n'],
  ['"Book, Author"\nDune, Frank Herbert\nThe Lion, the Witch, C. S. Lewis\nUbik\n'],
  ['Title by Author\nDune by Frank Herbert\nThe Lion, the Witch by C. S. Lewis\nUbik\n'],
  ['Titre / Auteur;An\nDune / Frank Herbert;\nThe Lion, the Witch / C. S. Lewis;\nUbik;\n'],
  ['Author - Title\nFrank Herbert - Dune\nC. S. Lewis - The Lion, the Witch\nUbik\n'],
])('titles and authors in one cell come apart: %s', async (file) => {
  expect(await rowsOf(file)).toMatchObject([
    { titre: 'Dune', auteurs: ['Frank Herbert'] },
    { titre: 'The Lion, the Witch', auteurs: ['C. S. Lewis'] },
    { titre: 'Ubik' },
  ]);
});

test('a column that its person takes for both is parted at its last comma', async () => {
  const file = 'Quoi;An\nDune, Frank Herbert;1965\n';
  expect(
    await rowsOf(file, { given: { titre: 'Quoi', auteurs: 'Quoi', annee: 'An' } }),
  ).toMatchObject([{ titre: 'Dune', auteurs: ['Frank Herbert'], annee: 1965 }]);
});

test('the rows of a dry run show the effect of the answers', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, 'Titre;Statut\nAa;à lire\n', { aLire: 'souhait' });
  const path = `/api/importations/${body.id}/lignes?sort=souhait`;
  const lignes = (await house.ask('alice', 'GET', path)).body as ImportationLigne[];
  expect(lignes.map(({ titre }) => titre)).toEqual(['Aa']);
});
