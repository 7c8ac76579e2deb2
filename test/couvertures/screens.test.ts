import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { send } from '../support/server.ts';
import { souhaiter } from '../support/souhaits.ts';
import { picture } from './support/pictures.ts';
import { gives, isbnPath, openSource } from './support/source.ts';

const ISBN = '9782070360024';

async function houseWithSource() {
  const source = await openSource();
  source.behave(isbnPath(ISBN), gives(await picture('#204060')));
  const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: source.url });
  return { source, house };
}

describe('a screen that asks for the cover of an ISBN', () => {
  const relayed = async (house: House) => {
    const { coverUrl } = await souhaiter(house, 'ana', { isbn: ISBN });
    const path = `/api/couvertures?url=${encodeURIComponent(coverUrl ?? '')}`;
    return (who = 'ana') => send(house.url + path, { headers: ['SSO_USER', who] });
  };

  test('has it kept for the next time', async () => {
    const { source, house } = await houseWithSource();
    const ask = await relayed(house);
    expect((await ask()).status).toBe(200);
    await eventually(() => house.context.covers.fetcher.etat().gardees).toBe(1);
    expect((await ask()).bytes).toEqual(await picture('#204060'));
    expect(source.asked).toEqual([isbnPath(ISBN)]);
  });

  test('gets no cover of another person’s wish', async () => {
    const { source, house } = await houseWithSource();
    const ask = await relayed(house);
    expect((await ask('bob')).status).toBe(404);
    expect(source.asked).toEqual([]);
    expect((await ask()).status).toBe(200);
    await eventually(() => house.context.covers.fetcher.etat().gardees).toBe(1);
    expect((await ask('bob')).status).toBe(404);
  });

  test('asks no source once the open database’s allowance is spent', async () => {
    const { source, house } = await houseWithSource();
    const { database } = house.context;
    database.write((tx) => {
      for (let i = 0; i < 100; i++)
        tx.run('INSERT INTO CouvertureDemande (date) VALUES (?)', Date.now());
    });
    const ask = await relayed(house);
    expect((await ask()).status).toBe(404);
    expect(source.asked).toEqual([]);
  });
});
