import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import type { ImportationLigne } from '#shared/importations';
import { openHouse, type House } from '../support/house.ts';
import { babelio } from './samples.ts';
import { sendFile } from './support.ts';

const fileOf = (...auteurs: readonly string[]): Buffer =>
  babelio(...auteurs.map((nom, index) => ['', `Titre ${index}`, nom, '', '', '', 'Lu', '0'])).bytes;

const GIVEN_FIRST = ['Gustave Flaubert', 'Gustave Roud', 'Victor Hugo', 'Guy de Maupassant'];

async function tryFile(house: House, ...auteurs: readonly string[]) {
  const { body } = await sendFile(house, fileOf(...auteurs), {}, 'alice');
  const path = `/api/importations/${String(body.id)}`;
  const ask = async (end: string, method = 'GET', sent?: object) =>
    (await house.ask('alice', method, end === '' ? path : `${path}/${end}`, sent)).body;
  return { ask, ordre: body.ordreDesNoms };
}

const nomsOf = async (house: House): Promise<string[]> =>
  ((await house.ask('alice', 'GET', '/api/auteurs')).body as Auteur[]).map(({ nom }) => nom);

test('a file shows both readings of three of its authors', async () => {
  const house = await openHouse();
  const { ordre } = await tryFile(
    house,
    'Camus Albert',
    'Gary Romain',
    'Zola Émile',
    'Dib Mohammed',
  );
  expect(ordre).toEqual({
    ordre: 'nomPrenom',
    noms: 4,
    exemples: [
      { nom: 'Camus Albert', inverse: 'Albert Camus' },
      { nom: 'Gary Romain', inverse: 'Romain Gary' },
      { nom: 'Zola Émile', inverse: 'Émile Zola' },
    ],
  });
});

test('repeated given names come first', async () => {
  const house = await openHouse();
  const { ordre } = await tryFile(house, ...GIVEN_FIRST);
  expect(ordre.ordre).toBe('prenomNom');
  expect((await tryFile(house, 'Flaubert Gustave', 'Roud Gustave')).ordre.ordre).toBe('nomPrenom');
});

test('authors with the given name first stay so if chosen', async () => {
  const house = await openHouse();
  const { ask } = await tryFile(house, ...GIVEN_FIRST);
  const rows = (await ask('lignes?ordreNoms=prenomNom')) as ImportationLigne[];
  expect(rows.map(({ auteurs }) => auteurs[0])).toEqual(GIVEN_FIRST);
  await ask('execution', 'POST', { ordreNoms: 'prenomNom' });
  expect((await nomsOf(house)).sort()).toEqual(GIVEN_FIRST.toSorted());
  const made = (await ask('lignes')) as ImportationLigne[];
  expect(made.map(({ auteurs }) => auteurs[0])).toEqual(GIVEN_FIRST);
});

test('a redone import keeps the chosen order of names', async () => {
  const house = await openHouse();
  const { ask } = await tryFile(house, ...GIVEN_FIRST);
  await ask('execution', 'POST', { ordreNoms: 'prenomNom' });
  await ask('', 'DELETE');
  expect(await nomsOf(house)).toEqual([]);
  await ask('execution', 'POST', {});
  expect((await nomsOf(house)).sort()).toEqual(GIVEN_FIRST.toSorted());
});
