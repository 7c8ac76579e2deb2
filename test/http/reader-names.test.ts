import { expect, test } from 'vitest';
import { readerNotices } from '#server/start/known-readers';
import { openHouse, type House } from '../support/house.ts';

const whoIs = async (house: House, user: string) =>
  Reflect.get(Object((await house.ask(user, 'GET', '/api/moi')).body), 'utilisateur') as unknown;

const wish = (house: House, user: string, titre: string) =>
  house.ask(user, 'POST', '/api/souhaits', { titre });

const wishesOf = async (house: House, user: string) =>
  ((await house.ask(user, 'GET', '/api/souhaits')).body as { titre: string }[]).map(
    ({ titre }) => titre,
  );

test('a reader’s name ignores case', async () => {
  const house = await openHouse();
  await wish(house, 'camille', 'Regain');
  await wish(house, 'Camille', 'Sido');
  for (const user of ['camille', 'Camille', 'CAMILLE']) {
    expect(await whoIs(house, user)).toBe('camille');
    expect(await wishesOf(house, user)).toEqual(['Regain', 'Sido']);
  }
  await wish(house, 'Élodie', 'Nadja');
  expect(await wishesOf(house, 'ÉLODIE')).toEqual(['Nadja']);
  expect(await wishesOf(house, 'Elodie')).toEqual([]);
});

test('the database’s spelling outlives a start', async () => {
  const house = await openHouse();
  await house.ask('camille', 'PUT', '/api/moi/langue', { langue: 'en' });
  const { path } = house.context.database.options;
  await house.close();
  expect(await whoIs(await openHouse(path), 'Camille')).toBe('camille');
});

test('two existing readers whose names differ by case stay two, and the operator is warned', async () => {
  const house = await openHouse();
  await wish(house, 'camille', 'Regain');
  house.context.database.write((tx) =>
    tx.run(
      `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, rang, dateAjout)
       SELECT 'Camille', 'Sido', 'sido', rang, dateAjout FROM Souhait`,
    ),
  );
  const { path } = house.context.database.options;
  await house.close();
  const again = await openHouse(path);
  expect(await wishesOf(again, 'camille')).toEqual(['Regain']);
  expect(await wishesOf(again, 'Camille')).toEqual(['Sido']);
  expect(readerNotices(again.context.readers)).toEqual([
    expect.stringMatching(/[Cc]amille, [Cc]amille/),
  ]);
});
