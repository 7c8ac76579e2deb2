import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { send } from '../support/server.ts';
import { souhaiter } from '../support/souhaits.ts';
import { picture } from './support/pictures.ts';
import { gives, isbnPath, openSource } from './support/source.ts';

const ISBN = '9782070360024';

describe('a screen that asks for the cover of an ISBN', () => {
  const relayed = async (house: House) => {
    const { coverUrl } = await souhaiter(house, 'ana', { isbn: ISBN });
    const path = `/api/couvertures?url=${encodeURIComponent(coverUrl ?? '')}`;
    return (who = 'ana') => send(house.url + path, { headers: ['SSO_USER', who] });
  };

  test('has it kept, and nobody else has it of a wish that is not theirs', async () => {
    const source = await openSource();
    source.behave(isbnPath(ISBN), gives(await picture('#204060')));
    const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: source.url });
    const ask = await relayed(house);
    expect((await ask('bob')).status).toBe(404);
    expect(source.asked).toEqual([]);
    expect((await ask()).status).toBe(200);
    await eventually(() => house.context.covers.fetcher.etat().gardees).toBe(1);
    expect((await ask()).bytes).toEqual(await picture('#204060'));
    expect((await ask('bob')).status).toBe(404);
    expect(source.asked).toEqual([isbnPath(ISBN)]);
  });

  test('asks no source once what the open database allows is spent', async () => {
    const source = await openSource();
    source.behave(isbnPath(ISBN), gives(await picture('#204060')));
    const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: source.url });
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
