import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { countsOf, importFile, lignesOf, none, sendFile } from './support.ts';

const ISBN = '9782070360024';
const BORROWED = [
  'title,author,isbn,timestamp,activity,library',
  `A,Lise Brun,${ISBN},"January 05, 2024 09:12",Borrowed,Bibliothèque du port`,
  `A,Lise Brun,${ISBN},"January 20, 2024 18:40",Returned,Bibliothèque du port`,
].join('\n');

const lecturesOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/lectures')).body as Lecture[];

test('a library’s loan is imported as a reading without a book, once, and undone with its import', async () => {
  const house = await openHouse();
  const importation = await importFile(house, BORROWED);
  expect(countsOf(importation)).toMatchObject({
    ...none,
    lignes: 2,
    refuses: [expect.stringContaining('Returned') as string],
    avertissements: [expect.stringContaining('Bibliothèque du port') as string],
  });
  expect(importation).toMatchObject({ lectures: 1, datesDeLecture: 1, nouveaux: 0 });
  expect(await lignesOf(house, importation.id, '?sort=lecture')).toMatchObject([
    { sort: 'lecture', titre: 'A', livreId: null },
  ]);
  expect((await house.ask('alice', 'GET', '/api/livres')).body).toEqual([]);
  const read = { livreId: null, titre: 'A', debut: '2024-01-05', fin: null };
  expect(await lecturesOf(house)).toMatchObject([read]);
  await importFile(house, BORROWED);
  expect(await lecturesOf(house)).toHaveLength(1);
  await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
  expect(await lecturesOf(house)).toEqual([]);
});

test('a library’s loan belongs to the household’s book if there is one; without a reader it is left out', async () => {
  const house = await openHouse();
  const { body } = await house.ask('alice', 'POST', '/api/livres', {
    titre: 'A',
    format: 'Physique',
    auteurs: ['Lise Brun'],
    isbn: ISBN,
  });
  const livre = body as Livre;
  expect(await importFile(house, BORROWED)).toMatchObject({ lectures: 0, presents: 1 });
  expect(await lecturesOf(house)).toMatchObject([{ livreId: livre.id, debut: '2024-01-05' }]);
  const { body: unsaid } = await sendFile(house, BORROWED, {}, null);
  expect(unsaid).toMatchObject({ lectures: 0, nombreRefuses: 2, presents: 0 });
});

test('two rows of one book add the themes of both, to a new book and to an owned one', async () => {
  const house = await openHouse();
  const file = [
    'Titre;Auteur;Tags',
    'A;Lise Brun;policier',
    'A;Lise Brun;mer, Policier',
    'A;Lise Brun;phare',
  ].join('\n');
  const themesOf = async () =>
    ((await house.ask('alice', 'GET', '/api/livres')).body as Livre[]).map(({ themes }) => themes);
  const importation = await importFile(house, file, { themes: 'true' });
  expect(importation).toMatchObject({ nouveaux: 1, presents: 2, completes: 0 });
  expect(await themesOf()).toEqual([['policier', 'mer', 'phare']]);
});
