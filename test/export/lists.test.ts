import { parse } from 'csv-parse/sync';
import { expect, test, vi } from 'vitest';
import { LIVRE_TEXTS } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { download } from './support.ts';

const ADDED = '2026-01-02T03:04:05.000Z';
const LENT = '2026-01-05T12:00:00.000Z';

/** A book with every field, one with the separators of every list, and one with few fields. */
async function household(): Promise<House> {
  const house = await openHouse();
  const send = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await house.ask('ana', method, `/api/${path}`, body);
    expect(status, `${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
  };
  await send('POST', 'emplacements', { nom: 'Salon' });
  await send('POST', 'emplacements', { nom: 'Étagère', parentId: 1 });
  await send('POST', 'livres', {
    titre: 'Dune',
    format: 'Physique',
    auteurs: ['Frank Herbert', 'Simon AND Co', 'Hugo, Victor', 'Candy Andy'],
    isbn: '2070360024',
    typeDocument: 'Roman',
    editeur: 'Laffont & fils',
    annee: 1965,
    nombrePages: 412,
    themes: ['Sable', 'Roman, essai & co'],
    coverUrl: 'https://exemple.fr/a.jpg',
    emplacementId: 2,
    place: { serie: { titre: 'Cycle #1' }, numero: '2_b' },
  });
  await send('POST', 'livres', {
    titre: 'A & B_{50 %}\\end ~x^2 $#',
    format: 'Numerique',
    auteurs: ['Zoé'],
    place: { serie: { titre: 'Autre' } },
  });
  await send('POST', 'livres', { titre: 'Sido', format: 'Physique' });
  await send('POST', 'livres/3/prets', { emprunteur: 'Max' });
  await send('POST', 'prets/1/retour');
  await send('POST', 'livres/1/prets', {
    emprunteur: 'Luc',
    datePret: LENT,
    dateRetourPrevue: '2126-03-03',
  });
  await send('PUT', 'livres/1/statut', { statut: 2, jour: '2026-01-03' });
  await send('PUT', 'lectures/1', { livreId: 1, fin: '2026-01-03', note: 9, avis: 'Du sable' });
  await send('PUT', 'livres/2/statut', { statut: 0 });
  const { database } = house.context;
  database.write((tx) => tx.run(`UPDATE Livre SET dateAjout = '${ADDED}'`));
  return house;
}

const list = async (house: House, name: string) =>
  (await download(house, `/api/export/${name}`)).bytes.toString();

/** The rows of a table, without their empty cells. */
function rows(text: string, delimiter: string) {
  const [head = [], ...lines] = parse(text, { bom: true, delimiter });
  return lines.map((cells) =>
    Object.fromEntries(head.flatMap((name, i) => (cells[i] ? [[name, cells[i]]] : []))),
  );
}

test('the spreadsheet’s table contains all data of each book', async () => {
  const house = await household();
  const text = await list(house, 'livres.csv');
  const texts = Object.values(LIVRE_TEXTS)
    .map(({ label }) => label({}, { locale: 'fr' }))
    .join(';');
  expect(text.split('\r\n')[0]).toBe(
    `\ufeffTitre;Auteurs;ISBN;${texts};Année;Pages;Format;Type;Statut;Étoiles;Lectures;Mon mot;Page atteinte;Jour de la page;Série;Numéro;Tomes contenus;Thèmes;Emplacement;Prêté à;Date de prêt;Emprunté à;Emprunté le;À rendre le;Ajouté par;Date d’ajout;Couverture`,
  );
  const common = { 'Ajouté par': 'ana', 'Date d’ajout': ADDED };
  expect(rows(text, ';')).toEqual([
    {
      ...common,
      Titre: 'Dune',
      Auteurs: 'Frank Herbert ; Simon AND Co ; Hugo, Victor ; Candy Andy',
      ISBN: '978-2-07-036002-4',
      Éditeur: 'Laffont & fils',
      Année: '1965',
      Pages: '412',
      Format: 'papier',
      Type: 'Roman',
      Statut: 'lu',
      Étoiles: '4,5',
      Lectures: '2026-01-03',
      'Mon mot': 'Du sable',
      Série: 'Cycle #1',
      Numéro: '2_b',
      Thèmes: 'Sable ; Roman, essai & co',
      Emplacement: 'Salon > Étagère',
      'Prêté à': 'Luc',
      'Date de prêt': LENT,
      'À rendre le': '2126-03-03',
      Couverture: 'https://exemple.fr/a.jpg',
    },
    {
      ...common,
      Titre: 'A & B_{50 %}\\end ~x^2 $#',
      Auteurs: 'Zoé',
      Format: 'numérique',
      Type: 'NonPrecise',
      Statut: 'à lire',
      Série: 'Autre',
    },
    { ...common, Titre: 'Sido', Format: 'papier', Type: 'NonPrecise' },
  ]);
  await house.ask('ana', 'PUT', '/api/livres/3/statut', { statut: 1 });
  expect(rows(await list(house, 'livres.csv'), ';')[2]).toMatchObject({ Statut: 'en cours' });
});

test('Goodreads’ table has the columns that Goodreads reads', async () => {
  const house = await household();
  const text = await list(house, 'goodreads.csv');
  expect(text.split('\r\n')[0]).toBe(
    'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies',
  );
  const common = { 'My Rating': '0', 'Date Added': '2026/01/02', 'Owned Copies': '1' };
  expect(rows(text, ',')).toEqual([
    {
      ...common,
      'My Rating': '5',
      'Date Read': '2026/01/03',
      'My Review': 'Du sable',
      'Book Id': '1',
      // A series is omitted if it would not be read back with the same name and number.
      Title: 'Dune',
      Author: 'Frank Herbert',
      'Additional Authors': 'Simon AND Co, "Hugo, Victor", Candy Andy',
      ISBN13: '9782070360024',
      Publisher: 'Laffont & fils',
      Binding: 'Paperback',
      'Number of Pages': '412',
      'Year Published': '1965',
      Bookshelves: 'Sable, "Roman, essai & co"',
      'Exclusive Shelf': 'read',
      'Read Count': '1',
    },
    {
      ...common,
      'Book Id': '2',
      Title: 'A & B_{50 %}\\end ~x^2 $#',
      Author: 'Zoé',
      Binding: 'ebook',
      'Exclusive Shelf': 'to-read',
      'Read Count': '0',
    },
    {
      ...common,
      'Book Id': '3',
      Title: 'Sido',
      Binding: 'Paperback',
      'Exclusive Shelf': 'owned',
      'Read Count': '0',
    },
  ]);
  await house.ask('ana', 'PUT', '/api/livres/3/statut', { statut: 1 });
  expect(rows(await list(house, 'goodreads.csv'), ',')[2]).toMatchObject({
    'Exclusive Shelf': 'currently-reading',
  });
});

test('Goodreads’ table has one row a book, with its last reading and their number', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Dune', format: 'Physique' });
  const read = (fields: object) =>
    house.ask('ana', 'POST', '/api/lectures', { livreId: 1, ...fields });
  await read({ fin: '2019-03-12', note: 8, avis: 'Du sable' });
  await read({ fin: '2023-05-01', note: 9 });
  await read({ fin: '2021' });
  await read({ debut: '2020-01-01', abandon: true });
  await read({ debut: '2026-01-01' });
  expect(rows(await list(house, 'goodreads.csv'), ',')).toMatchObject([
    {
      Title: 'Dune',
      'Date Read': '2023/05/01',
      'My Rating': '5',
      'My Review': 'Du sable',
      'Read Count': '3',
    },
  ]);
  expect(rows(await list(house, 'livres.csv'), ';')).toHaveLength(5);
});

test('for Goodreads the day of an addition is in the household’s time zone', async () => {
  const house = await household();
  const { database } = house.context;
  database.write((tx) => tx.run("UPDATE Livre SET dateAjout = '2026-02-28T23:30:00.000Z'"));
  vi.stubEnv('TZ', 'Europe/Paris');
  const text = await list(house, 'goodreads.csv').finally(() => {
    vi.unstubAllEnvs();
  });
  expect(rows(text, ',').map((row) => row['Date Added'])).toEqual(Array(3).fill('2026/03/01'));
});

test('BibTeX and RIS are complete, entry by entry', async () => {
  const house = await household();
  expect(await list(house, 'livres.bib')).toBe(
    [
      '@book{livre1,',
      '  title = {Dune},',
      '  author = {Frank Herbert and {Simon AND Co} and Hugo, Victor and Candy Andy},',
      '  publisher = {Laffont \\& fils},',
      '  year = {1965},',
      '  isbn = {978-2-07-036002-4},',
      '  pagetotal = {412},',
      '  series = {Cycle \\#1},',
      '  number = {2\\_b},',
      '  keywords = {Sable, {Roman, essai \\& co}},',
      '}\n',
      '@book{livre2,',
      '  title = {A \\& B\\_\\{50 \\%\\}\\textbackslash{}end \\textasciitilde{}x\\textasciicircum{}2 \\$\\#},',
      '  author = {Zoé},',
      '  series = {Autre},',
      '}\n',
      '@book{livre3,',
      '  title = {Sido},',
      '}\n\n',
    ].join('\n'),
  );
  expect(await list(house, 'livres.ris')).toBe(
    [
      'TY  - BOOK',
      'TI  - Dune',
      'AU  - Herbert, Frank',
      'AU  - Simon AND Co',
      'AU  - Hugo, Victor',
      'AU  - Andy, Candy',
      'PB  - Laffont & fils',
      'PY  - 1965',
      'SN  - 978-2-07-036002-4',
      'SP  - 412',
      'T2  - Cycle #1',
      'VL  - 2_b',
      'KW  - Sable',
      'KW  - Roman, essai & co',
      'ER  - ',
      'TY  - BOOK',
      'TI  - A & B_{50 %}\\end ~x^2 $#',
      'AU  - Zoé',
      'T2  - Autre',
      'ER  - ',
      'TY  - BOOK',
      'TI  - Sido',
      'ER  - ',
      '',
    ].join('\r\n'),
  );
});

test('the bibliographies have the details that have a field there', async () => {
  const house = await openHouse();
  const details = [
    { nom: 'Langue', valeur: 'français' },
    { nom: 'traduction', valeur: 'Lise & Zoé' },
    { nom: 'Résumé', valeur: 'Un port,\nl’hiver.' },
    { nom: 'Note', valeur: 'Lu\nTY  - BOOK' },
    { nom: 'Collection', valeur: 'Points' },
    { nom: 'Prix', valeur: '12 €' },
  ];
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Escales', format: 'Physique', details });
  const bib = await list(house, 'livres.bib');
  for (const field of [
    'language = {français}',
    'translator = {Lise \\& Zoé}',
    'abstract = {Un port,\nl’hiver.}',
    'note = {Lu\nTY  - BOOK}',
    'series = {Points}',
  ])
    expect(bib).toContain(`  ${field},\n`);
  const ris = await list(house, 'livres.ris');
  for (const line of [
    'T3  - Points',
    'LA  - français',
    'A4  - Lise & Zoé',
    'AB  - Un port,\r\nl’hiver.',
    'N1  - Lu TY  - BOOK',
  ])
    expect(ris).toContain(`\r\n${line}\r\n`);
  expect(bib + ris).not.toContain('12 €');
});
