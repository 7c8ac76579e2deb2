import { expect, test } from 'vitest';
import type { Detail } from '#shared/details';
import type { Importation } from '#shared/importations';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { importFile, sendFile } from './support.ts';

const [A, B] = ['9782070360024', '9782070368228'];

const lines = (...rows: readonly string[]): string => rows.join('\n').concat('\n');

const OWN = lines(
  'Titre;Auteur;ISBN;Langue;Traducteur;Prix;État;Dédicace;Résumé',
  `Un;Lise Brun;${A};français;;19,90;bon;;"Un port,\nl’hiver."`,
  `Deux;Zoé Pic;${B};français;Hugo Mer;18,50;usé;À Paul, pour ses vingt ans;`,
);

async function detailsOf(house: House, utilisateur = 'alice'): Promise<Record<string, Detail[]>> {
  const livres = (await house.ask(utilisateur, 'GET', '/api/livres')).body as Livre[];
  return Object.fromEntries(livres.map(({ titre, details }) => [titre, details]));
}

const proposalsOf = ({ perdus }: Pick<Importation, 'perdus'>) =>
  perdus.map(({ colonne, proposition }) => [
    colonne,
    proposition?.detail ?? null,
    proposition?.garder ?? null,
  ]);

const executer = (house: House, { id }: Importation, body: object = {}) =>
  house.ask('alice', 'POST', `/api/importations/${id}/execution`, body);

test('the columns that no field takes become details, under the names that they are known by', async () => {
  const house = await openHouse();
  const importation = await importFile(house, OWN);
  expect(proposalsOf(importation)).toEqual([
    ['Langue', 'Langue', true],
    ['Traducteur', 'Traduction', true],
    ['Prix', 'Prix', true],
    ['État', 'État', true],
    ['Dédicace', 'Dédicace', true],
    ['Résumé', 'Résumé', true],
  ]);
  expect(importation.perdus[0]).toMatchObject({ lignes: 2, exemples: ['français'] });
  expect(await detailsOf(house)).toEqual({
    Un: [
      { nom: 'Langue', valeur: 'français' },
      { nom: 'Prix', valeur: '19,90' },
      { nom: 'État', valeur: 'bon' },
      { nom: 'Résumé', valeur: 'Un port,\nl’hiver.' },
    ],
    Deux: [
      { nom: 'Langue', valeur: 'français' },
      { nom: 'Traduction', valeur: 'Hugo Mer' },
      { nom: 'Prix', valeur: '18,50' },
      { nom: 'État', valeur: 'usé' },
      { nom: 'Dédicace', valeur: 'À Paul, pour ses vingt ans' },
    ],
  });
});

test('the name under which a column is kept can be chosen, or none', async () => {
  const house = await openHouse();
  const { body: essai } = await sendFile(house, OWN);
  const details = [
    { colonne: 'Langue', nom: null },
    { colonne: 'Prix', nom: ' Payé ' },
    { colonne: 'État', nom: 'payé' },
  ];
  const { status, body } = await executer(house, essai, { details });
  expect(status).toBe(200);
  expect(proposalsOf(body as Importation).slice(0, 4)).toEqual([
    ['Langue', 'Langue', false],
    ['Traducteur', 'Traduction', true],
    ['Prix', 'Payé', true],
    ['État', 'payé', true],
  ]);
  expect((await detailsOf(house))['Un']).toEqual([
    { nom: 'Payé', valeur: '19,90\nbon' },
    { nom: 'Résumé', valeur: 'Un port,\nl’hiver.' },
  ]);
  const path = `/api/importations/${essai.id}`;
  expect(await house.ask('alice', 'DELETE', path)).toMatchObject({ body: { retires: 2 } });
  await executer(house, essai);
  expect(
    (await detailsOf(house))['Un']?.map(({ nom }) => nom),
    'made again as it was',
  ).toEqual(['Payé', 'Résumé']);
});

test.each([
  [{ colonne: 'Titre', nom: 'Titre' }, /details\.0\.colonne/],
  [{ colonne: 'Prix', nom: '  ' }, /details\.0\.nom/],
  [{ colonne: 'Prix', nom: 'p'.repeat(61) }, /details/],
])('the choice %j is refused', async (detail, champ) => {
  const house = await openHouse();
  const { body: essai } = await sendFile(house, OWN);
  const { status, body } = await executer(house, essai, { details: [detail] });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(champ)]);
  expect(await detailsOf(house)).toEqual({});
});

test('a column is preselected if more than a tenth of the rows has a value', async () => {
  const house = await openHouse();
  const rows = Array.from({ length: 20 }, (_, i) => {
    const uuid = `123e4567-e89b-12d3-a456-4266141740${10 + i}`;
    const some = [i < 2 ? 'rare' : '', i < 3 ? 'assez' : ''];
    return [`T${i}`, ...some, 'https://exemple.fr/1', i, `2020-01-02 10:11:${10 + i}`, uuid].join();
  });
  const file = lines('Titre,rare,assez,web,id,vu,cle', ...rows);
  expect(proposalsOf((await sendFile(house, file)).body)).toEqual([
    ['rare', 'Rare', false],
    ['assez', 'Assez', true],
    ['web', 'Web', false],
    ['id', 'Id', false],
    ['vu', 'Vu', false],
    ['cle', 'Cle', false],
  ]);
});

test.each([
  ['itemcallnumber', 'Cote', true],
  ['Cote', 'Cote', true],
  ['languages', 'Langue', true],
  ['list_price', 'Prix', true],
  ['Price', 'Prix', true],
  ['value', 'Prix', true],
  ['condition', 'État', true],
  ['description', 'Résumé', true],
  ['comments', 'Résumé', true],
  ['Notes', 'Note', true],
  ['Commentaires', 'Note', true],
  ['translator', 'Traduction', true],
  ['Edition lang', 'Langue', true],
  ['Sous-titre', 'Sous-titre', true],
  ['purchase_date', 'Achat', true],
  ['date_acquired', 'Achat', true],
  ['Poids', 'Poids', true],
  ['biblionumber', 'Biblionumber', false],
  ['work id', 'Work id', false],
  ['Date Added', 'Date Added', false],
  ['Entry Date', 'Entry Date', false],
  ['last_updated', 'Last updated', false],
  ['Date d`entrée dans Babelio', 'Date d`entrée dans Babelio', false],
  ['Date de création', 'Date de création', false],
  ['Date de première édition', 'Date de première édition', true],
])('the column « %s » is proposed as « %s »: %s', async (header, detail, garder) => {
  const house = await openHouse();
  const { body } = await sendFile(house, lines(`Titre\t${header}`, 'A\t2020'));
  expect(proposalsOf(body)).toEqual([[header, detail, garder]]);
});

test('the second of two columns of one name keeps its values', async () => {
  const house = await openHouse();
  const body = await importFile(house, lines('Titre,Prix,List price', 'A,10 €,12 €'));
  expect(proposalsOf(body)).toEqual([
    ['Prix', 'Prix', true],
    ['List price', 'List price', true],
  ]);
  expect(await detailsOf(house)).toEqual({
    A: [
      { nom: 'Prix', valeur: '10 €' },
      { nom: 'List price', valeur: '12 €' },
    ],
  });
});

test('a name is spelt as the household spells it', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Z', details: [{ nom: 'PRIX', valeur: '1 €' }] }, 'alice');
  const { body: essai } = await sendFile(house, OWN);
  expect(proposalsOf(essai)).toContainEqual(['Prix', 'PRIX', true]);
  await executer(house, essai, { details: [{ colonne: 'État', nom: 'prix' }] });
  expect((await detailsOf(house))['Deux']).toContainEqual({ nom: 'PRIX', valeur: '18,50\nusé' });
});

test('a book that is there gets the details that it lacks, of several rows, and gives them back', async () => {
  const house = await openHouse();
  const details = [{ nom: 'Langue', valeur: 'breton' }];
  await ajouterLivre(
    house,
    { titre: 'Un', auteurs: ['Lise Brun'], isbn: A, details: details },
    'alice',
  );
  const file = lines(
    'Titre;Auteur;ISBN;Langue;Prix;État',
    `Un;Lise Brun;${A};français;19,90;`,
    `Un;Lise Brun;${A};;20;bon`,
    `Deux;Zoé Pic;${B};français;1;`,
    `Deux;Zoé Pic;${B};;;neuf`,
  );
  const importation = await importFile(house, file);
  expect(importation.completes).toBe(2);
  expect(await detailsOf(house)).toEqual({
    Un: [...details, { nom: 'Prix', valeur: '19,90' }, { nom: 'État', valeur: 'bon' }],
    Deux: [
      { nom: 'Langue', valeur: 'français' },
      { nom: 'Prix', valeur: '1' },
      { nom: 'État', valeur: 'neuf' },
    ],
  });
  const lignes = await house.ask('alice', 'GET', `/api/importations/${importation.id}/lignes`);
  expect(JSON.stringify(lignes.body)).toContain('complété : détails');
  await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  expect(await detailsOf(house)).toEqual({ Un: details });
});

test('a book of another edition gets no details', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Un', auteurs: ['Lise Brun'], isbn: A }, 'alice');
  await importFile(house, lines('Titre;Auteur;ISBN;Prix', `Un;Lise Brun;${B};19,90`));
  expect(await detailsOf(house)).toMatchObject({ Un: [] });
});

test('values beyond the limits of a book, a wish or a reading are reported', async () => {
  const house = await openHouse();
  const headers = Array.from({ length: 32 }, (_, i) => `Colonne ${i}`);
  const cells = headers.map((_, i) => (i === 0 ? 'x'.repeat(10_001) : `v${i}`)).join();
  const { avertissements } = await importFile(
    house,
    lines(`Titre,Souhait,${headers.join()}`, `A,,${cells}`, `B,oui,${cells}`),
  );
  expect(avertissements.map(({ ligne, raison }) => `${ligne} ${raison}`)).toEqual([
    '2 Colonne 0 : plus de 10\u202f000 caractères, la suite laissée de côté',
    '2 plus de 30 détails, laissés de côté : Colonne 30, Colonne 31',
    '3 Colonne 0 : plus de 10\u202f000 caractères, la suite laissée de côté',
    '3 un souhait n’a pas de détails, laissés de côté',
  ]);
  const { A: details = [] } = await detailsOf(house);
  expect([details.length, details[0]?.valeur.length]).toEqual([30, 10_000]);
});

test('a name of more than sixty characters is proposed shorter', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, lines(`Titre,${'n'.repeat(80)}`, 'A,x'));
  expect(body.perdus[0]?.proposition?.detail).toBe(`N${'n'.repeat(59)}`);
  expect((await executer(house, body)).status).toBe(200);
  expect(await detailsOf(house)).toEqual({ A: [{ nom: `N${'n'.repeat(59)}`, valeur: 'x' }] });
});

test('HTML texts become plain, and meaningless values are no details', async () => {
  const house = await openHouse();
  const html = '"<p>Un port,<br>l&rsquo;hiver &amp; la mer.</p>"';
  await importFile(
    house,
    lines(
      'title,authors,author_sort,comments,languages,#signe',
      `A,Lise,x,${html},fra,`,
      'B,Zoé,x,,,non',
    ),
  );
  expect(await detailsOf(house)).toEqual({
    A: [
      { nom: 'Résumé', valeur: 'Un port,\nl’hiver & la mer.' },
      { nom: 'Langue', valeur: 'fra' },
    ],
    B: [],
  });
});

test('private notes of Goodreads stay with the reading', async () => {
  const house = await openHouse();
  const header = 'Book Id,Title,Author,Exclusive Shelf,Private Notes';
  const { perdus } = await importFile(house, lines(header, '1,A,Lise Brun,read,Beau'));
  expect(perdus).toEqual([]);
  const { body } = await house.ask('alice', 'GET', '/api/lectures');
  expect(body).toMatchObject([{ titre: 'A', avis: 'Beau' }]);
});

test.each(['Détail : Prix', 'Detail: Prix'])(
  'the column « %s » of our own table is kept, of however few books',
  async (header) => {
    const house = await openHouse();
    const rows = Array.from({ length: 20 }, (_, i) => `T${i};${i === 0 ? '12 €;12 €' : ';'}`);
    const { body } = await sendFile(house, lines(`Titre;${header};Prix`, ...rows));
    expect(proposalsOf(body).map(([colonne, , garder]) => [colonne, garder])).toEqual([
      [header, true],
      ['Prix', false],
    ]);
  },
);

test('details of our own BibTeX are kept, of however few books', async () => {
  const house = await openHouse();
  const books = Array.from(
    { length: 20 },
    (_, i) =>
      `@book{t${i}, title = {T${i}}${i === 0 ? ', translator = {Brun, Lise}, address = {Brest}' : ''}}`,
  );
  const { body } = await sendFile(house, lines(...books));
  expect(proposalsOf(body)).toEqual([
    ['Traduction', 'Traduction', true],
    ['Lieu d’édition', 'Lieu d’édition', false],
  ]);
});

test('details of our own bibliographies are kept, of however few books', async () => {
  const house = await openHouse();
  const books = Array.from({ length: 20 }, (_, i) => [
    `TY  - BOOK`,
    `TI  - T${i}`,
    ...(i === 0 ? ['A4  - Lise Brun', 'CY  - Brest'] : []),
    'ER  - ',
  ]);
  const { body } = await sendFile(house, lines(...books.flat()));
  expect(proposalsOf(body)).toEqual([
    ['Traduction', 'Traduction', true],
    ['Lieu d’édition', 'Lieu d’édition', false],
  ]);
});
