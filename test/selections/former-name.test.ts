import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';

test.each([
  ['search', { criteres: { theme: 'Mer' } }],
  ['list', { livres: [] }],
])('the name that a %s had before it was shared stays its owner’s', async (_, found) => {
  const house = await openHouse();
  const selection = { nom: 'Pour Tom', ...found };
  const { body } = await house.ask('ana', 'POST', '/api/selections', selection);
  expect(body).toMatchObject({ id: 1 });
  const shared = { nom: 'Ville', partagee: true, ...found };
  const { headers } = await house.ask('ana', 'PUT', '/api/selections/1', shared);
  const act = headers.get('X-Modification') ?? '';
  const seenByBob = async (): Promise<string> =>
    JSON.stringify((await house.ask('bob', 'GET', `/api/modifications/${act}`)).body);
  expect(await seenByBob()).toContain('Ville');
  expect(await seenByBob()).not.toContain('Pour Tom');
  await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
  expect(await seenByBob()).not.toContain('Pour Tom');
});
