import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { countsOf, importFile, lignesOf, none, sendFile } from './support.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

const RIS = `TY  - BOOK
TI  - Le Quai des brumes grises
AU  - Vautrin, Odile
AU  - La Fontenelle, Jean de
PB  - Seuil
CY  - Paris
PY  - 2011/03/14/
SN  - 978-2-07-036002-4
SP  - 214
LA  - fre
A4  - Marchand, Lise
AB  - Un port,
l’hiver.
KW  - policier
KW  - Bretagne
ER  -${' '}

TY  - CHAP
TI  - Une nuit au phare
T2  - Nouvelles du large
AU  - Ferrand, Hugo
A2  - Marchand, Lise
PY  - 2015
SP  - 12
EP  - 30
ER  -${' '}

TY  - JOUR
TI  - Un article
AU  - Ferrand, Hugo
JO  - La Revue
SN  - 1234-5679
ER  -${' '}
`;

test('RIS: books, a chapter as its book, an article as a remark', async () => {
  const house = await openHouse();
  const importation = await importFile(house, RIS, { themes: 'true' });
  expect(importation.format).toBe('ris');
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 3,
    nouveaux: 2,
    avertissements: [
      '2 un chapitre, entré par le livre qui le contient : Une nuit au phare (Hugo Ferrand)',
    ],
    refuses: ['3 ce n’est pas un livre (JOUR)'],
    perdus: [
      'Langue 1',
      'Lieu d’édition 1',
      'Traduction 1',
      'Résumé 1',
      'Pages citées 1',
      'Chapitre 1',
    ],
  });
  expect(await livresOf(house)).toMatchObject([
    {
      titre: 'Le Quai des brumes grises',
      auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean de La Fontenelle' }],
      isbn: '9782070360024',
      editeur: 'Seuil',
      annee: 2011,
      nombrePages: 214,
      themes: ['policier', 'Bretagne'],
    },
    { titre: 'Nouvelles du large', auteurs: [{ nom: 'Lise Marchand' }], annee: 2015 },
  ]);
});

test.each([
  ['lines of an old Macintosh', RIS.replaceAll('\n', '\r')],
  ['lines of Windows and a mark', `\ufeff${RIS.replaceAll('\n', '\r\n')}`],
  ['Latin-1', Buffer.from(RIS.replaceAll('’', "'").replace('Seuil', 'Éd. du Seuil'), 'latin1')],
])('RIS with %s is read', async (_, file) => {
  const house = await openHouse();
  expect(await importFile(house, file)).toMatchObject({ format: 'ris', nouveaux: 2 });
});

test('truncated RIS is reported', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, RIS.slice(0, 140));
  expect(countsOf(body)).toMatchObject({
    nouveaux: 1,
    avertissements: ['la dernière fiche n’est pas finie : le fichier est peut-être coupé'],
  });
});

test('a record of RIS with two hundred thousand values of one tag is read in seconds', async () => {
  const house = await openHouse();
  const file = `TY  - BOOK\nTI  - Sido\n${'KW  - Mer\n'.repeat(200_000)}ER  - \n`;
  expect(await importFile(house, file)).toMatchObject({ format: 'ris', nouveaux: 1 });
});

// cspell:disable -- a file
const BIBTEX = String.raw`% Encoding: UTF-8
@string{seuil = {{\'E}ditions du Seuil}}

@book{vautrin2011,
  title = {Th{\'e}o et le {Quai} des brumes},
  subtitle = {Roman},
  author = {Vautrin, Odile and {de La Fontenelle}, Jean and Garc{\'i}a, Gabriel and Jean de Bar and others},
  publisher = seuil,
  year = 2011,
  isbn = {978-2-07-036002-4},
  keywords = {policier, {Bretagne, Nord}, {\'e}t{\'e}},
  translator = {Marchand, Lise},
  abstract = {Un port, l'hiver: 5\% de brume.},
  pages = {214},
  language = {french},
  ranking = {rank4},
  readstatus = {read},
  file = {:C\:/livres/a.pdf:PDF},
}

@incollection{ferrand, title = {Une nuit au phare}, booktitle = "Nouvelles du large",
  author = {Ferrand, Hugo}, editor = {Marchand, Lise}, pages = {12--30}, year = 2015}

@article{x, title = {Un article}, author = {Ferrand, Hugo}, year = {2015}}
@comment{jabref-meta: databaseType:bibtex;}
`;
// cspell:enable

test('BibTeX: LaTeX, names, words, a chapter as its book, an article as a remark', async () => {
  const house = await openHouse();
  const importation = await importFile(house, BIBTEX, { themes: 'true' });
  expect(importation.format).toBe('bibtex');
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 3,
    nouveaux: 2,
    statuts: 1,
    avertissements: [
      '2 un chapitre, entré par le livre qui le contient : Une nuit au phare (Hugo Ferrand)',
    ],
    refuses: ['3 ce n’est pas un livre (@article)'],
    perdus: [
      'Langue 1',
      'Sous-titre 1',
      'Traduction 1',
      'Résumé 1',
      'Fichier 1',
      'Pages citées 1',
      'Chapitre 1',
    ],
  });
  const [nouvelles, theo] = await livresOf(house);
  expect(nouvelles).toMatchObject({ titre: 'Nouvelles du large', annee: 2015 });
  expect(theo).toMatchObject({
    titre: 'Théo et le Quai des brumes',
    auteurs: [
      { nom: 'Odile Vautrin' },
      { nom: 'Jean de La Fontenelle' },
      { nom: 'Gabriel García' },
      { nom: 'Jean de Bar' },
    ],
    editeur: 'Éditions du Seuil',
    isbn: '9782070360024',
    annee: 2011,
    nombrePages: 214,
    statut: 2,
    themes: ['policier', 'Bretagne, Nord', 'été'],
  });
});

test('BibTeX continues after a broken entry, and names it', async () => {
  const house = await openHouse();
  const file = `@book{a, title={Un}}\n@book{broken, title = {oops\n@book{b, title={Deux}}\n`;
  const { body } = await sendFile(house, file);
  expect(countsOf(body)).toMatchObject({
    nouveaux: 2,
    avertissements: ['une fiche ne se lit pas : @book{broken, title = {oops'],
  });
});

test('CSL-JSON: books, a chapter, an article', async () => {
  const house = await openHouse();
  const file = JSON.stringify([
    {
      id: 'a',
      type: 'book',
      title: 'Le <i>Quai</i>',
      author: [{ family: 'Fontenelle', given: 'Jean', 'non-dropping-particle': 'de La' }],
      issued: { 'date-parts': [['2011', 3]] },
      ISBN: '978-2-07-036002-4',
      'number-of-pages': '214',
      'collection-title': 'Brumes',
      'collection-number': '2',
      keyword: 'policier, Bretagne',
      language: 'fr-FR',
      publisher: 'Seuil',
    },
    {
      id: 'b',
      type: 'chapter',
      title: 'Une nuit',
      'container-title': 'Nouvelles',
      editor: [{ literal: 'Collectif' }],
    },
    { id: 'c', type: 'article-journal', title: 'Un article' },
  ]);
  const importation = await importFile(house, file, { themes: 'true' });
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 3,
    nouveaux: 2,
    series: 1,
    avertissements: ['2 un chapitre, entré par le livre qui le contient : Une nuit'],
    refuses: ['3 ce n’est pas un livre (article-journal)'],
    perdus: ['Langue 1', 'Chapitre 1'],
  });
  expect(importation.format).toBe('csljson');
  expect((await livresOf(house))[0]).toMatchObject({
    titre: 'Le Quai',
    auteurs: [{ nom: 'Jean de La Fontenelle' }],
    annee: 2011,
    nombrePages: 214,
    editeur: 'Seuil',
  });
});

const LIVRES = [
  {
    titre: 'Le Quai & « la {brume} », 50 % #1_a ~ ^ \\ fin',
    auteurs: ['Odile Vautrin', 'Jean de La Fontaine', 'Association des amis', 'Homère'],
    isbn: '9782070360024',
    editeur: 'R&D Éditions',
    annee: 2011,
    nombrePages: 214,
    themes: ['policier', 'Bretagne, Nord'],
    format: 'Physique',
  },
  { titre: 'Les Eaux mortes', auteurs: [], annee: -750, themes: [], format: 'Physique' },
];

test('a long BibTeX file keeps its abbreviations and cross-references', async () => {
  const house = await openHouse();
  const url = `https://example.org/${'a'.repeat(8000)}`;
  const file = [
    '@string{phare = {Éditions du Phare}}',
    '@book{enfant, title = {Tome deux}, crossref = {parent}}',
    ...Array.from(
      { length: 80 },
      (_, at) => `@book{k${at}, title = {Livre ${at}}, publisher = phare, url = {${url}}}`,
    ),
    '@book{ouvert, title = {Jamais fermé',
    '@book{parent, title = {Tome un}, publisher = phare, year = 2001, crossref = {enfant}}',
  ].join('\n');
  expect(await importFile(house, file)).toMatchObject({
    avertissements: [{ arguments: { dit: '@book{ouvert, title = {Jamais fermé' } }],
  });
  const livres = await livresOf(house);
  expect(new Set(livres.map(({ titre }) => titre)).size).toBe(82);
  expect(new Set(livres.map(({ editeur }) => editeur))).toEqual(new Set(['Éditions du Phare']));
  expect(livres.find(({ titre }) => titre === 'Tome deux')).toMatchObject({ annee: 2001 });
});

test.each(['livres.bib', 'livres.ris'])('our own %s is read back', async (name) => {
  const house = await openHouse();
  for (const livre of LIVRES) await house.ask('alice', 'POST', '/api/livres', livre);
  const [first] = await livresOf(house);
  const serie = (await house.ask('alice', 'POST', '/api/series', { titre: 'Brumes', total: null }))
    .body as Serie;
  await house.ask('alice', 'POST', `/api/series/${serie.id}/places`, {
    numero: '2',
    livreId: first?.id,
  });
  const file = await (
    await fetch(`${house.url}/api/export/${name}`, { headers: house.headersOf('alice') })
  ).text();

  const other = await openHouse();
  const importation = await importFile(other, file, { themes: 'true' });
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 2,
    nouveaux: 2,
    series: importation.series,
  });
  const dataOf = ({ titre, auteurs, isbn, editeur, annee, nombrePages, themes }: Livre) => ({
    titre,
    isbn,
    editeur,
    annee,
    nombrePages,
    auteurs: auteurs.map(({ nom }) => nom),
    themes,
  });
  expect((await livresOf(other)).map(dataOf)).toEqual((await livresOf(house)).map(dataOf));
  expect((await other.ask('alice', 'GET', '/api/series')).body).toMatchObject(
    importation.series === 1 ? [{ titre: 'Brumes', places: [{ numero: '2' }] }] : [],
  );
  expect((await lignesOf(other, importation.id)).map(({ sort }) => sort)).toEqual([
    'nouveau',
    'nouveau',
  ]);
});

test.each([
  ['BibTeX without an entry', '@comment{rien}\n', 400],
  ['a table of addresses', 'nom,adresse\nA,a@book{b.c\n', 400],
])('%s is refused', async (_, file, status) => {
  const house = await openHouse();
  expect((await sendFile(house, file)).status).toBe(status);
});

test('a field of a file is data, whatever its name', async () => {
  const house = await openHouse();
  const names = ['parti', 'refus', 'À dire', 'Image de couverture', 'Type de document', 'Format'];
  const fields = names.map((name, at) => `${name.replaceAll(' ', '-')} = {valeur ${at}}`);
  const file = `@book{a, title = {Le Mat}, author = {Noir, Jean}, ${fields.join(', ')}}`;
  const importation = await importFile(house, file);
  expect(countsOf(importation)).toMatchObject({ nouveaux: 1, refuses: [], avertissements: [] });
  const tellico = `<?xml version="1.0"?><tellico xmlns="http://periapsis.org/tellico/" syntaxVersion="11">
<collection type="2"><fields>${names.map((name, at) => `<field name="f${at}" title="${name}" type="1"/>`).join('')}</fields>
<entry id="1"><title>Le Mat, 2</title>${names.map((_, at) => `<f${at}>valeur ${at}</f${at}>`).join('')}</entry></collection></tellico>`;
  const other = await importFile(house, tellico);
  expect(countsOf(other)).toMatchObject({ nouveaux: 1, refuses: [] });
  const [livre] = (await livresOf(house)).filter(({ titre }) => titre === 'Le Mat, 2');
  expect(livre?.typeDocument).toBe('NonPrecise');
  expect(livre?.details).toEqual(
    expect.arrayContaining([
      { nom: 'Parti', valeur: 'valeur 0' },
      { nom: 'Refus', valeur: 'valeur 1' },
    ]),
  );
});
