import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { importFile, lignesOf, sendFile } from './support.ts';

const ISBN = '9782070360024';

const sheet = (...rows: readonly string[]): string =>
  ['Titre;Auteur;ISBN;Éditeur;Année;Pages;Emplacement', ...rows].join('\n');

const livresOf = async (house: House) =>
  ((await house.ask('alice', 'GET', '/api/livres')).body as Livre[]).map((livre) => ({
    titre: livre.titre,
    auteurs: livre.auteurs.map(({ nom }) => nom),
    isbn: livre.isbn,
    editeur: livre.editeur,
    annee: livre.annee,
    pages: livre.nombrePages,
    isPlaced: livre.emplacementId !== null,
  }));

const FIRST = sheet('Un;Lise Brun;;;;;', `Deux;;${ISBN};Seuil;1998;;`);
const EDITED = sheet(
  'Un;Lise Brun;9782070424641;Dargon;2001;120;Salon',
  `Deux;Zoé Pic;${ISBN};Dargon;2001;320;`,
);

const BEFORE = [
  {
    titre: 'Deux',
    auteurs: [],
    isbn: ISBN,
    editeur: 'Seuil',
    annee: 1998,
    pages: null,
    isPlaced: false,
  },
  {
    titre: 'Un',
    auteurs: ['Lise Brun'],
    isbn: null,
    editeur: null,
    annee: null,
    pages: null,
    isPlaced: false,
  },
];

test('an edited sheet fills empty fields', async () => {
  const house = await openHouse();
  await importFile(house, FIRST);
  expect(await livresOf(house)).toEqual(BEFORE);
  const dryRun = (await sendFile(house, EDITED)).body;
  expect(dryRun).toMatchObject({ nouveaux: 0, presents: 2, completes: 2 });
  expect((await lignesOf(house, dryRun.id)).map(({ raison }) => raison)).toEqual([
    'déjà dans la bibliothèque, complété : ISBN, éditeur, année, pages, emplacement',
    'déjà dans la bibliothèque, complété : pages, auteurs',
  ]);
  expect(await livresOf(house)).toEqual(BEFORE);
  const importation = await importFile(house, EDITED);
  expect(importation).toMatchObject({ presents: 2, completes: 2 });
  const [deux, un] = await livresOf(house);
  expect(deux).toEqual({ ...BEFORE[0], auteurs: ['Zoé Pic'], pages: 320 });
  expect(un).toEqual({
    titre: 'Un',
    auteurs: ['Lise Brun'],
    isbn: '9782070424641',
    editeur: 'Dargon',
    annee: 2001,
    pages: 120,
    isPlaced: true,
  });
  expect(await importFile(house, EDITED)).toMatchObject({ presents: 2, completes: 0 });
});

test('fields filled from a spreadsheet are undone', async () => {
  const house = await openHouse();
  await importFile(house, FIRST);
  const { id } = await importFile(house, EDITED);
  const undone = await house.ask('alice', 'DELETE', `/api/importations/${String(id)}`);
  expect(undone.status).toBe(200);
  expect(await livresOf(house)).toEqual(BEFORE);
});

test('another edition fills nothing', async () => {
  const house = await openHouse();
  await importFile(house, sheet(`Un;Lise Brun;${ISBN};;;;`));
  const other = await importFile(house, sheet('Un;Lise Brun;9782070424641;Dargon;2001;120;'));
  expect(other).toMatchObject({ presents: 1, completes: 0 });
});

test('two rows of one book fill it once', async () => {
  const house = await openHouse();
  await importFile(house, sheet('Un;Lise Brun;;;;;'));
  const rows = sheet('Un;Lise Brun;;Seuil;;;', 'Un;Lise Brun;;Dargon;2001;;');
  await importFile(house, rows);
  expect(await livresOf(house)).toMatchObject([{ editeur: 'Seuil', annee: 2001 }]);
});

test('a row with the ISBN of another author’s book is reported, one with another title is not', async () => {
  const house = await openHouse();
  await importFile(house, sheet(`Les Vagues;Virginia Woolf;${ISBN};;;;`, 'Un;;9782070424641;;;;'));
  const rows = [`Jane Eyre;Charlotte Brontë;${ISBN};;1812;;`, 'Un autre;Zoé Pic;9782070424641;;;;'];
  const { body } = await sendFile(house, sheet(...rows));
  expect(body).toMatchObject({ nouveaux: 0, presents: 2 });
  expect(body.avertissements.map(({ ligne, raison }) => [ligne, raison])).toEqual([
    [2, 'a l’ISBN de « Les Vagues », qui est d’un autre auteur : c’est ce livre qui le prend'],
  ]);
  // Also if the household owns that other book.
  await importFile(house, sheet('Jane Eyre;Charlotte Brontë;;;;;'));
  const both = (await sendFile(house, sheet(`Jane Eyre;Charlotte Brontë;${ISBN};;;;`))).body;
  expect(both.avertissements).toHaveLength(1);
  // By any of the authors, in any form of the name.
  const known = (await sendFile(house, sheet(`The Waves;Woolf, Virginia;${ISBN};;;;`))).body;
  expect(known.avertissements).toEqual([]);
});
