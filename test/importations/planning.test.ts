import { expect, test } from 'vitest';
import { noon } from './days.ts';
import type { Importation } from '#shared/importations';
import type { Livre } from '#shared/livres';
import { MAX_PLACES, type Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { table } from './samples.ts';
import { countsOf, importFile, lignesOf, none, sendFile } from './support.ts';

const HEADERS = [
  'Titre',
  'Auteurs',
  'ISBN',
  'Format',
  'Statut',
  'Série',
  'Numéro',
  'Emprunteur',
  'Date de prêt',
];
type Cells = Readonly<Record<string, string>>;
const fileOf = (...rows: readonly Cells[]): string => table(HEADERS, rows);
const [A, B] = ['9782070360024', '9782070424641'];
const author = { Auteurs: 'Colette' };

const fates = async (house: House, { id }: Importation): Promise<string[]> =>
  (await lignesOf(house, id)).map(({ ligne, sort, raison }) =>
    [ligne, sort, raison].filter((word) => word !== null).join(' '),
  );

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

test('a file replaces nothing that a book has already', async () => {
  const house = await openHouse();
  for (const titre of ['Sido', 'Chéri', 'Mitsou', '…'])
    await ajouterLivre(house, { titre, auteurs: ['Colette'] });
  const pret = { emprunteur: 'Zoé', datePret: noon('2020-05-06') };
  await house.ask('alice', 'POST', '/api/livres/1/prets', {
    emprunteur: 'Luc',
    datePret: noon('2019-05-06'),
  });
  await house.ask('alice', 'POST', '/api/livres/2/prets', pret);
  await house.ask('alice', 'POST', '/api/prets/2/retour');
  await house.ask('alice', 'PUT', '/api/livres/2/statut', { statut: 1 });
  await house.ask('bob', 'PUT', '/api/livres/3/statut', { statut: 1 });
  const importation = await importFile(
    house,
    fileOf(
      { Titre: 'Sido', ...author, Emprunteur: 'Zoé' },
      { Titre: 'SIDO', ...author, Emprunteur: 'luc' },
      { Titre: 'Chéri', ...author, Statut: 'lu', Emprunteur: 'zoe', 'Date de prêt': '2020-05-06' },
      { Titre: 'Chéri', ...author, Emprunteur: 'Zoé' },
      { Titre: 'Chéri', ...author, Emprunteur: 'Zoé', 'Date de prêt': '2021-05-06' },
      { Titre: 'Chéri', ...author, Emprunteur: 'Luc' },
      { Titre: 'Mitsou', ...author, Statut: 'lu' },
      { Titre: 'Mitsou', ...author, Statut: 'à lire' },
      { Titre: '…' },
      { Titre: '?!' },
      { Titre: 'Ida', Format: 'epub', Emprunteur: 'Zoé' },
    ),
  );
  expect(await fates(house, importation)).toEqual([
    ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((ligne) => `${ligne} present déjà dans la bibliothèque`),
    '11 nouveau',
    '12 nouveau',
  ]);
  expect(countsOf(importation)).toEqual({
    ...none,
    lignes: 11,
    nouveaux: 2,
    presents: 9,
    statuts: 1,
    prets: 1,
    avertissements: [
      '2 déjà prêté à Luc',
      '12 un livre numérique ne se prête pas : prêt laissé de côté',
    ],
  });
  const livres = await livresOf(house);
  expect(
    livres.map(({ titre, statut, pret: open }) => [
      titre,
      statut,
      open?.datePret.slice(0, 4) ?? null,
    ]),
  ).toEqual([
    ['…', null, null],
    ['?!', null, null],
    ['Chéri', 1, '2021'],
    ['Ida', null, null],
    ['Mitsou', 2, null],
    ['Sido', null, '2019'],
  ]);
});

test('rows without ISBN are one book by title and author', async () => {
  const house = await openHouse();
  const importation = await importFile(
    house,
    fileOf(
      { Titre: 'Sido', ...author, ISBN: A, Statut: 'lu', Emprunteur: 'Zoé' },
      { Titre: 'Sido', ...author, Statut: 'en cours', Emprunteur: 'Luc' },
      { Titre: 'Sido', ...author, ISBN: B },
      { Titre: 'Sido', Auteurs: 'Luc Brun', ISBN: '2253004227' },
      { Titre: 'Tout autre', ISBN: A },
      { Titre: 'Anonyme' },
      { Titre: 'ANONYME' },
      { Titre: 'Anonyme', ...author },
      { Titre: '?!' },
      { Titre: '?!' },
      { ISBN: A },
      { Titre: 'Sido', Auteurs: 'Luc Brun' },
    ),
  );
  expect(await fates(house, importation)).toEqual([
    '2 nouveau',
    '3 present déjà à la ligne 2',
    '4 nouveau',
    '5 nouveau',
    '6 nouveau',
    '7 nouveau',
    '8 present déjà à la ligne 7',
    '9 nouveau',
    '10 nouveau',
    '11 nouveau',
    '12 present déjà à la ligne 2',
    '13 present déjà à la ligne 5',
  ]);
  expect(countsOf(importation)).toMatchObject({
    statuts: 1,
    prets: 1,
    avertissements: [
      '2 prêt sans date : c’est le jour de l’import qui est noté',
      '4 même œuvre que la ligne 2, sous un autre ISBN : deux livres',
      '6 même ISBN que la ligne 2, autre titre ou numéro : deux livres',
    ],
  });
  const first = (await livresOf(house)).find(({ isbn }) => isbn === A);
  expect(first).toMatchObject({ statut: 2, pret: { emprunteur: 'Zoé' } });
});

test('volumes of a set are as many books, once', async () => {
  const house = await openHouse();
  const volume = (Numéro: string, more: Cells = {}) => ({
    Titre: 'Akari',
    ...author,
    Série: 'Akari',
    Numéro,
    ...more,
  });
  const file = fileOf(
    volume('1', { ISBN: A }),
    volume('2', { ISBN: A }),
    volume('2', { ISBN: A }),
    volume('3'),
    volume('T04'),
  );
  const importation = await importFile(house, file);
  expect(await fates(house, importation)).toEqual([
    '2 nouveau',
    '3 nouveau',
    '4 present déjà à la ligne 3',
    '5 nouveau',
    '6 nouveau',
  ]);
  expect(countsOf(importation).avertissements).toEqual([
    '3 même ISBN que la ligne 2, autre titre ou numéro : deux livres',
  ]);
  expect(await importFile(house, file)).toMatchObject({ nouveaux: 0, series: 0 });
});

test('wishes are one by their title and author', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/souhaits', { titre: 'Ubik', auteur: 'Philip K. Dick' });
  await house.ask('bob', 'POST', '/api/souhaits', { titre: 'Ida' });
  const wish = { Statut: 'souhaits' };
  const importation = await importFile(
    house,
    fileOf(
      { Titre: 'UBIK', Auteurs: 'Dick, Philip K.', ...wish },
      { Titre: 'Ida', ...wish, ISBN: A },
      { Titre: 'ida', ...wish },
      { Titre: 'Ida', Auteurs: 'Gertrude Stein ; Luc Brun', ...wish },
    ),
  );
  expect(await fates(house, importation)).toEqual([
    '2 present déjà dans la liste de souhaits',
    '3 souhait',
    '4 present déjà à la ligne 3',
    '5 souhait',
  ]);
  expect((await house.ask('alice', 'GET', '/api/souhaits')).body).toMatchObject([
    { titre: 'Ubik' },
    { titre: 'Ida', auteur: null, isbn: A },
    { titre: 'Ida', auteur: 'Gertrude Stein ; Luc Brun', isbn: null },
  ]);
});

test('a row’s outcome is decided again by the import itself', async () => {
  const house = await openHouse();
  const file = fileOf(
    { Titre: 'Sido', ...author, Statut: 'lu', ISBN: 'x' },
    { Titre: 'Ida', Série: 'Suite', Auteurs: 'ZoÃ©' },
    {},
  );
  const { body: essai } = await sendFile(house, `${file},x\n`);
  expect(await fates(house, essai)).toEqual([
    '2 nouveau',
    '3 nouveau',
    '5 refuse ni titre ni ISBN valable',
  ]);
  await ajouterLivre(house, { titre: 'Sido', auteurs: ['Colette'] });
  const path = `/api/importations/${String(essai.id)}`;
  const executed = (await house.ask('alice', 'POST', `${path}/execution`, {})).body as Importation;
  expect(executed).toMatchObject({ nouveaux: 1, presents: 1, statuts: 1, series: 1 });
  expect(executed.exemples).toEqual(essai.exemples);
  expect(countsOf(executed).avertissements).toEqual([
    'accents réparés dans 1 ligne',
    '2 ce n’est pas un ISBN, laissé de côté : x',
  ]);
  expect(executed.avertissements).toEqual(essai.avertissements);
  const lignes = await lignesOf(house, executed.id);
  expect(lignes).toMatchObject([
    { sort: 'present', livreId: 1, raison: 'déjà dans la bibliothèque' },
    { sort: 'nouveau', livreId: 2, raison: null },
    { sort: 'refuse', livreId: null },
  ]);
});

test('a refused row is identified by title or by cells', async () => {
  const house = await openHouse();
  const long = 't'.repeat(501);
  const { body } = await sendFile(
    house,
    fileOf({ Titre: long }, { Auteurs: 'Colette', ISBN: 'x' }, { Auteurs: 'a'.repeat(300) }),
  );
  expect(body.refuses.map(({ texte }) => texte)).toEqual([
    `${'t'.repeat(199)}…`,
    'Colette · x',
    `${'a'.repeat(199)}…`,
  ]);
  expect(body.entetes).toEqual(HEADERS);
});

test('a book has one place in a series', async () => {
  const house = await openHouse();
  for (const titre of ['Sido', 'Chéri', 'Mitsou'])
    await ajouterLivre(house, { titre, auteurs: ['Colette'] });
  const places = [{ titre: 'Sido', numero: '1', livreId: 1 }];
  await house.ask('alice', 'POST', '/api/series', { titre: 'Suite', places });
  await house.ask('alice', 'POST', '/api/series', {
    titre: 'Autre',
    places: [{ titre: 'Chéri', livreId: 2 }],
  });
  const importation = await importFile(
    house,
    fileOf(
      { Titre: 'Sido', ...author, Série: 'SUITE', Numéro: '7' },
      { Titre: 'Chéri', ...author, Série: 'Suite', Numéro: '2' },
      { Titre: 'Chéri', ...author, Série: 'suite', Numéro: '3' },
      { Titre: 'Mitsou', ...author, Série: 'Suite', Numéro: '3' },
      { Titre: 'Gigi', ...author, Série: 'Suite', Numéro: '4' },
      { Titre: 'Gigi', ...author, Série: 'Suite', Numéro: '5' },
      { Titre: 'Duo', ...author, Série: 'Suite' },
      { Titre: 'Julie', ...author, Série: 'Neuve' },
      { Titre: 'Sido', ...author, Série: 'Autre', Numéro: '1' },
    ),
  );
  expect(importation.series).toBe(3);
  const series = (await house.ask('alice', 'GET', '/api/series')).body as Serie[];
  expect(
    series.map(({ titre, places: of }) => [
      titre,
      ...of.map((one) => `${one.numero ?? '-'} ${one.titre}`),
    ]),
  ).toEqual([
    ['Autre', '- Chéri', '1 Sido'],
    ['Neuve', '- Julie'],
    ['Suite', '1 Sido', '2 Chéri', '3 Mitsou', '4 Gigi', '- Duo'],
  ]);
});

test('a file of a whole series is planned by its numbers, up to the limit of a series', async () => {
  const house = await openHouse();
  const rows = Array.from({ length: MAX_PLACES + 2 }, (_, n) => ({
    Titre: 'Rivage',
    ...author,
    Série: 'Rivage',
    Numéro: String(n + 1),
  }));
  const twice = { Titre: 'Rivage', ...author, Série: 'Rivage', Numéro: '0002' };
  const importation = await importFile(house, fileOf(...rows, twice));
  expect(countsOf(importation)).toMatchObject({ nouveaux: MAX_PLACES + 2, presents: 1, series: 1 });
  expect(importation.avertissements).toMatchObject([
    {
      ligne: MAX_PLACES + 2,
      raison: `la série « Rivage » est pleine (5\u202f000 volumes) : ce livre et ceux de cette série qui suivent viennent sans elle`,
    },
  ]);
  const serie = (await house.ask('alice', 'GET', '/api/series/1')).body as Serie;
  expect(serie.places.map(({ numero }) => numero)).toEqual(
    Array.from({ length: MAX_PLACES }, (_, n) => String(n + 1)),
  );
  const place = { serie: { id: 1 }, numero: null };
  expect(await house.ask('alice', 'PUT', '/api/livres/5002/serie', place)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'serie' }] },
  });
  const lot = { ids: [5002], action: 'serie', serie: { id: 1 } };
  expect(await house.ask('alice', 'POST', '/api/livres/lot', lot)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'serie.titre' }] },
  });
  const places = Array.from({ length: MAX_PLACES + 1 }, () => ({ titre: 'Rivage' }));
  const rewritten = await house.ask('alice', 'PUT', '/api/series/1', { titre: 'Rivage', places });
  expect(rewritten).toMatchObject({ status: 400, body: { champs: [{ champ: 'places' }] } });
});
