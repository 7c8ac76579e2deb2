import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';

const nomOf = async (house: House) => (await house.ask(null, 'GET', '/api/bibliotheque')).body;

test('the library has the household’s name, without one the setting’s', async () => {
  const house = await openHouse(undefined, { LIBRARY_NAME: 'Chez nous' });
  expect(await nomOf(house)).toEqual({ nom: 'Chez nous' });
  const named = await house.ask('alice', 'PUT', '/api/bibliotheque', { nom: ' Rue des Lilas ' });
  expect(named).toMatchObject({ status: 200, body: { nom: 'Rue des Lilas' } });
  expect(await nomOf(house)).toEqual({ nom: 'Rue des Lilas' });
  await house.ask('alice', 'PUT', '/api/bibliotheque', { nom: ' ' });
  expect(await nomOf(house)).toEqual({ nom: 'Chez nous' });
});

test('a change of the name is in the history, and can be undone', async () => {
  const house = await openHouse();
  const { headers } = await house.ask('alice', 'PUT', '/api/bibliotheque', { nom: 'Lilas' });
  const id = headers.get('x-modification') ?? '';
  const { body } = await house.ask('bruno', 'GET', '/api/modifications');
  expect(body).toMatchObject([{ resume: 'Bibliothèque nommée « Lilas »' }]);
  await house.ask('bruno', 'POST', `/api/modifications/${id}/annulation`);
  expect(await nomOf(house)).toEqual({ nom: 'Rayonnage' });
});

test('a name over 60 characters is refused at its field', async () => {
  const house = await openHouse();
  const answer = await house.ask('alice', 'PUT', '/api/bibliotheque', { nom: 'a'.repeat(61) });
  expect(answer).toMatchObject({ status: 400, body: { champs: [{ champ: 'nom' }] } });
});

test('a library that has only a name counts as empty', async () => {
  const house = await openHouse();
  await house.ask('alice', 'PUT', '/api/bibliotheque', { nom: 'Rue des Lilas' });
  expect(house.context.records.isEmpty()).toBe(true);
});
