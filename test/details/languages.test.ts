import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { detailKey, KNOWN_NAMES, nomIn, storedNom } from '#shared/detail-names';
import type { Detail } from '#shared/details';
import { langueIn, storedLangue } from '#shared/langues';
import type { Livre } from '#shared/livres';
import { LOCALES } from '#shared/locale';
import { textKey } from '#shared/text';
import { download, importInto } from '../export/support.ts';
import { sendFile } from '../importations/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const ENGLISH = { LANGUAGE: 'en' };

const detailsOf = async (house: House): Promise<readonly Detail[][]> =>
  ((await house.ask('ana', 'GET', '/api/livres')).body as Livre[]).map(({ details }) => details);

test('no name of a known detail means another one in another language', () => {
  const names = KNOWN_NAMES.flatMap((each) => [
    ...new Set(LOCALES.map((locale) => textKey(each[locale]))),
  ]);
  expect(new Set(names).size).toBe(names.length);
});

test.each(KNOWN_NAMES)('$fr is $en to who reads English, and one detail', ({ fr, en }) => {
  expect([detailKey(en), storedNom(en), nomIn('en', fr), nomIn('fr', en)]).toEqual([
    detailKey(fr),
    textKey(en) === textKey(fr) ? en : fr,
    textKey(en) === textKey(fr) ? fr : en,
    textKey(en) === textKey(fr) ? en : fr,
  ]);
});

test('a name of one’s own stays in every language', () => {
  for (const nom of ['Grand-mère', 'Ex-libris', 'Pricey'])
    expect([storedNom(nom), ...LOCALES.map((locale) => nomIn(locale, nom))]).toEqual([
      nom,
      ...LOCALES.map(() => nom),
    ]);
});

test('languages are stored by their French names and shown in the reader’s language', () => {
  expect(['English', 'german, English', 'français', 'eng', 'Klingon!'].map(storedLangue)).toEqual([
    'anglais',
    'allemand, anglais',
    'français',
    'eng',
    'Klingon!',
  ]);
  expect(['anglais', 'anglais, français', 'eng'].map((text) => langueIn('en-GB', text))).toEqual([
    'English',
    'English, French',
    'English',
  ]);
});

test('a known name is the same detail in both languages, in requests and in a search', async () => {
  const house = await openHouse(undefined, ENGLISH);
  const english = [
    { nom: 'price', valeur: '12 €' },
    { nom: 'Language', valeur: 'English' },
    { nom: 'Ex-libris', valeur: 'A.' },
  ];
  await ajouterLivre(house, { titre: 'Un', details: english }, 'ana');
  expect(await detailsOf(house)).toEqual([
    [
      { nom: 'Prix', valeur: '12 €' },
      { nom: 'Langue', valeur: 'anglais' },
      { nom: 'Ex-libris', valeur: 'A.' },
    ],
  ]);
  const found = await house.ask('ana', 'GET', '/api/livres?detail=Price:12%20%E2%82%AC');
  expect(found.body).toMatchObject([{ titre: 'Un' }]);
  const twice = [
    { nom: 'Price', valeur: '1' },
    { nom: 'Prix', valeur: '2' },
  ];
  const livre = { titre: 'Deux', format: 'Physique', details: twice };
  expect((await house.ask('ana', 'POST', '/api/livres', livre)).status).toBe(400);
  const named = await house.ask('ana', 'PUT', '/api/details', { nom: 'Price', nouveau: 'Cost' });
  expect(named.body).toMatchObject({ ancien: 'Prix', nom: 'Cost', livres: 1 });
});

test('a house that has spelt a known name in its own way keeps it, and it is renamed under either', async () => {
  const house = await openHouse(undefined, ENGLISH);
  await ajouterLivre(house, { titre: 'Un', details: [{ nom: 'PRIX', valeur: '1' }] }, 'ana');
  await ajouterLivre(house, { titre: 'Deux', details: [{ nom: 'Price', valeur: '2' }] }, 'ana');
  expect((await detailsOf(house)).flat().map(({ nom }) => nom)).toEqual(['PRIX', 'PRIX']);
  expect(
    (await house.ask('ana', 'DELETE', '/api/details?nom=Price', undefined)).body,
  ).toMatchObject({ livres: 2 });
});

test.each([
  ['an English', 'a French', ENGLISH, {}],
  ['a French', 'an English', {}, ENGLISH],
])('the table of %s house reads back in %s one as the same data', async (_f, _t, from, to) => {
  const house = await openHouse(undefined, from);
  const details = [
    { nom: 'Reliure', valeur: 'cuir' },
    { nom: 'Langue', valeur: 'anglais' },
    { nom: 'Lieu d’édition', valeur: 'Paris' },
    { nom: 'Ex-libris', valeur: 'A.' },
  ];
  await ajouterLivre(house, { titre: 'Un', details }, 'ana');
  const { bytes } = await download(house, '/api/export/livres.csv');
  const other = await openHouse(undefined, to);
  expect(await importInto(other, bytes)).toMatchObject({ status: 201 });
  expect(await detailsOf(other)).toEqual([details]);
});

test('an English house has English headers and words in its table', async () => {
  const house = await openHouse(undefined, ENGLISH);
  const details = [
    { nom: 'Reliure', valeur: 'leather' },
    { nom: 'Langue', valeur: 'français' },
  ];
  await ajouterLivre(house, { titre: 'Un', details }, 'ana');
  const { bytes } = await download(house, '/api/export/livres.csv');
  expect(parse(bytes, { bom: true, columns: true })).toMatchObject([
    { 'Detail: Binding': 'leather', 'Detail: Language': 'French' },
  ]);
});

test('the history names a known detail in the reader’s language', async () => {
  const house = await openHouse();
  const { id } = await ajouterLivre(house, { titre: 'Un' }, 'ana');
  const lot = { ids: [id], action: 'detail', nom: 'Price', valeur: '3 €' };
  expect((await house.ask('ana', 'POST', '/api/livres/lot', lot)).status).toBeLessThan(300);
  const read = async (language: string) => {
    const headers = { ...house.headersOf('ana'), 'Accept-Language': language };
    const response = await fetch(`${house.url}/api/modifications`, { headers });
    return JSON.stringify(await response.json());
  };
  expect(await read('en')).toContain('Price');
  expect(await read('fr')).toContain('Prix');
});

test('a column with a known name in any language is proposed as that detail', async () => {
  const house = await openHouse(undefined, ENGLISH);
  const table = Buffer.from('Title,Author,Binding,Detail: Place of publication\nUn,A,cuir,Paris\n');
  const { body } = await sendFile(house, table);
  expect(body.perdus.map(({ proposition }) => proposition?.detail)).toContain('Lieu d’édition');
});
