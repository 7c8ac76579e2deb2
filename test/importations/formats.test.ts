import { expect, test } from 'vitest';
import { noon } from './days.ts';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { babelio, goodreads, libraryThing, olderGoodreads } from './samples.ts';
import { countsOf, importFile, lignesOf, none, sendFile } from './support.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

test('Goodreads: formulas, series in titles, shelves, ebooks', async () => {
  const house = await openHouse();
  const file = goodreads(
    {
      Title: 'La Horde du Contrevent (La Horde, #1)',
      Author: 'Alain Damasio',
      'Additional Authors': 'Éric Henninot, Gaétan Georges',
      ISBN: '="2070424642"',
      ISBN13: '="9782070424641"',
      Publisher: 'Folio',
      Binding: 'Paperback',
      'Number of Pages': '736',
      'Year Published': '2007',
      'Original Publication Year': '2004',
      'Exclusive Shelf': 'read',
      Bookshelves: 'sf, read',
      'Date Read': '2024/03/02',
      'Date Added': '2024/01/02',
    },
    {
      Title: 'Odyssée',
      Author: 'Homère',
      ISBN: '=""',
      ISBN13: '=""',
      Binding: 'kindle_edition',
      'Year Published': '-750',
      'Exclusive Shelf': 'currently-reading',
      'My Review': 'Une revue\navec un saut de ligne, et "des guillemets"',
    },
    { Title: 'Dune', Author: 'Frank Herbert', 'Exclusive Shelf': 'to-read' },
    {
      Title: 'Ubik',
      Author: 'Philip K. Dick',
      'Exclusive Shelf': 'abandonnés',
      ISBN13: '9.78207E+12',
    },
  );
  const importation = await importFile(house, file, { nom: 'goodreads_library_export.csv' });
  expect(importation).toMatchObject({ format: 'goodreads', encodage: 'utf-8', colonnes: null });
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 4,
    nouveaux: 4,
    statuts: 3,
    series: 1,
    perdus: ['Binding 1', 'Original Publication Year 1', 'Date Added 1', 'Bookshelves 1'],
    avertissements: ['5 ISBN abîmé par un tableur, laissé de côté : 9.78207E+12'],
  });
  const livres = await livresOf(house);
  expect(livres.map(({ titre, statut, format, annee }) => [titre, statut, format, annee])).toEqual([
    ['Dune', 0, 'Physique', null],
    ['La Horde du Contrevent', 2, 'Physique', 2007],
    ['Odyssée', 1, 'Numerique', -750],
    ['Ubik', null, 'Physique', null],
  ]);
  expect(livres[1]).toMatchObject({ isbn: '9782070424641', editeur: 'Folio', nombrePages: 736 });
  expect(livres[1]?.auteurs).toHaveLength(3);
  const [serie] = (await house.ask(null, 'GET', '/api/series')).body as Serie[];
  expect(serie).toMatchObject({
    titre: 'La Horde',
    places: [{ numero: '1', livreId: livres[1]?.id }],
  });
});

test('Goodreads: « to-read » as wishes, wish lists always', async () => {
  const house = await openHouse();
  const file = olderGoodreads(
    { Title: 'Dune', Author: 'Frank Herbert', 'Exclusive Shelf': 'to-read' },
    {
      Title: 'Ubik',
      Author: 'Philip K. Dick',
      'Exclusive Shelf': 'to-read',
      Bookshelves: 'wishlist',
    },
  );
  const asStatut = (await sendFile(house, file)).body;
  expect(asStatut).toMatchObject({ nouveaux: 1, souhaits: 1, statuts: 1 });
  const asSouhait = await importFile(house, file, { aLire: 'souhait' });
  expect(asSouhait).toMatchObject({ nouveaux: 0, souhaits: 2, statuts: 0 });
  const again = await importFile(house, file, { aLire: 'souhait' });
  expect(again).toMatchObject({ nouveaux: 0, souhaits: 0, presents: 2 });
});

test('two ISBNs that contradict each other: the valid one counts', async () => {
  const house = await openHouse();
  const { body } = await sendFile(
    house,
    goodreads({ Title: 'A', Author: 'B', ISBN: '="2070360024"', ISBN13: '="9782070360020"' }),
  );
  expect((await lignesOf(house, body.id))[0]?.isbn).toBe('9782070360024');
  expect(countsOf(body).avertissements).toEqual([
    '2 ce n’est pas un ISBN, laissé de côté : 9782070360020',
  ]);
});

test('letters whose entity lost its semicolon are read in names', async () => {
  const house = await openHouse();
  const file = babelio(
    ['', 'Caf&eacute, noir', 'Go&#x0308,scinny Ren&eacute,', '', '', '', 'Lu', '0'],
    ['', 'R&D, mode d&#39,emploi', 'Homère', '', '', '', 'Lu', '0'],
  );
  const { body } = await sendFile(house, file.bytes);
  const lignes = await lignesOf(house, body.id);
  expect(lignes.map(({ titre, auteurs }) => [titre, auteurs[0]])).toEqual([
    ['Café noir', 'René Göscinny'],
    ["R&D, mode d'emploi", 'Homère'],
  ]);
});

test('Babelio: Latin-1, only the header quoted, false ISBNs, no dates', async () => {
  const house = await openHouse();
  const file = babelio(
    [
      '9782070360024',
      'L’Étranger'.replace('’', "'"),
      'Camus Albert',
      'Gallimard',
      '01/12/1971',
      '02/03/2020 10:11',
      'Lu',
      '4',
    ],
    [
      '978B00ABCDEFG',
      'Numérique',
      'Thu Huong Duong',
      'Oct-18',
      '0000-00-00',
      '02/03/2020 10:11',
      'A lire',
      '0',
    ],
    [
      'SIE123456',
      'Blacksad, Tome 4 : L"Enfer',
      'Guarnido  Juanjo ',
      'Dargaud',
      '1989-00-00',
      '',
      'En cours',
      '0',
    ],
    ['', 'Désert', 'Le Clézio', '', '', '', 'Pense-bête', '0'],
  );
  const { body } = await sendFile(house, file.bytes);
  expect(body).toMatchObject({ format: 'babelio', encodage: 'windows-1252' });
  expect(countsOf(body)).toEqual({
    ...none,
    lignes: 4,
    nouveaux: 3,
    souhaits: 1,
    statuts: 3,
    series: 1,
    perdus: ['Date d`entrée dans Babelio 2'],
    avertissements: [
      '3 ce n’est pas un ISBN, laissé de côté : 978B00ABCDEFG',
      '4 ce n’est pas un ISBN, laissé de côté : SIE123456',
    ],
  });
  const lignes = await lignesOf(house, body.id);
  expect(lignes.map(({ titre, auteurs }) => [titre, auteurs[0]])).toEqual([
    ["L'Étranger", 'Albert Camus'],
    ['Numérique', 'Thu Huong Duong'],
    ['Blacksad, Tome 4 : L"Enfer', 'Juanjo Guarnido'],
    ['Désert', 'Le Clézio'],
  ]);
});

test('LibraryThing: brackets, roles, collections, loans, one stray byte', async () => {
  const house = await openHouse();
  const text = libraryThing(
    {
      'Book Id': '1',
      Title: 'Marelle',
      'Primary Author': 'Cortázar, Julio',
      'Secondary Author': 'Bataillon, Laure|Vargas Llosa, Mario',
      'Secondary Author Roles': 'Translator|Preface',
      Publication: 'Gallimard (1979), Poche, 592 pages',
      Date: '[1979-04-16]',
      'Page Count': ' 592 ',
      Collections: 'Your library',
      'Date Read': '2010-01-02',
      ISBN: '[2070291340]',
      ISBNs: '2070291340, 9782070291342',
      Subjects: 'Litt@rature',
      'Lending Patron': 'Zoé',
      'Lending Start': '2020-05-06',
    },
    {
      'Book Id': '2',
      Title: 'Fictions',
      'Primary Author': 'Borges, Jorge Luis',
      Collections: 'Wishlist',
    },
  );
  const bytes = Buffer.from(text);
  bytes[bytes.indexOf('@')] = 0xe9;
  const importation = await importFile(house, bytes);
  expect(importation).toMatchObject({ format: 'librarything', encodage: 'utf-8' });
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 2,
    nouveaux: 1,
    souhaits: 1,
    statuts: 1,
    prets: 1,
    avertissements: ['1 lettre mal écrite dans le fichier, lue au mieux'],
    perdus: ['Publication 1', 'Translator 1', 'Preface 1', 'Subjects 1'],
  });
  expect(await livresOf(house)).toMatchObject([
    {
      titre: 'Marelle',
      isbn: '9782070291342',
      editeur: 'Gallimard',
      annee: 1979,
      nombrePages: 592,
      auteurs: [{ nom: 'Julio Cortázar' }],
      pret: { emprunteur: 'Zoé', datePret: noon('2020-05-06') },
    },
  ]);
});

test('LibraryThing’s JSON reports the values that are not imported', async () => {
  const house = await openHouse();
  const livre = { title: 'Marelle', primaryauthor: 'Cortázar, Julio', books_id: '1', rating: 4 };
  const expected = {
    review: 'Lu deux fois.',
    tags: ['Argentine', 'prêté'],
    entrydate: '2019-02-03',
  };
  const file = JSON.stringify({
    1: { ...livre, ...expected },
    2: { ...livre, title: 'B', rating: 0 },
  });
  expect(countsOf(await importFile(house, Buffer.from(file)))).toEqual({
    ...none,
    lignes: 2,
    nouveaux: 2,
    statuts: 1,
    perdus: ['entry date 1', 'tags 1'],
  });
});

test('other values of LibraryThing’s JSON are reported', async () => {
  const house = await openHouse();
  const livre = {
    title: 'Marelle',
    primaryauthor: 'Cortázar, Julio',
    books_id: '1',
    public: 'true',
    authors: [
      { lf: 'Cortázar, Julio', fl: 'Julio Cortázar', role: 'Author' },
      { lf: 'Guille-Bataillon, Laure', fl: 'Laure Guille-Bataillon', role: 'Translator' },
    ],
    language: ['French'],
    ddc: { code: ['863'], wording: ['Spanish fiction'] },
    comment: 'Dédicacé.',
  };
  const importation = await importFile(house, Buffer.from(JSON.stringify({ 1: livre })));
  expect(importation.perdus.map(({ colonne }) => colonne)).toEqual([
    'language',
    'ddc',
    'comment',
    'Translator',
  ]);
  const [added] = await livresOf(house);
  expect(added).toMatchObject({ auteurs: [{ nom: 'Julio Cortázar' }] });
  expect(added?.details).toEqual(
    expect.arrayContaining([
      { nom: 'Traduction', valeur: 'Laure Guille-Bataillon' },
      { nom: 'Ddc', valeur: '863, Spanish fiction' },
    ]),
  );
});
