import { expect } from 'vitest';
import type { House } from '../support/house.ts';
import { sendBefore } from '../couvertures/support/sent-before.ts';
import { png } from '../support/png.ts';

const picture = (grey: number): Buffer =>
  png({ width: 60, height: 90, pixels: new Uint8Array(5400).fill(grey) });

async function choose(house: House, path: string, grey: number): Promise<void> {
  const response = await fetch(`${house.url}${path}/couverture`, {
    method: 'PUT',
    headers: house.headersOf('ana'),
    body: new Uint8Array(picture(grey)),
  });
  expect(response.status).toBe(200);
}

const add = async (house: House, path: string, body: object): Promise<number> =>
  Number(Reflect.get(Object((await house.ask('ana', 'POST', path, body)).body), 'id'));

/** A book, an issue and a wish with an uploaded picture each; the was uploaded to an earlier version. */
export async function furnish(house: House): Promise<void> {
  const livre = await add(house, '/api/livres', { titre: 'Nadja', format: 'Physique' });
  const numero = await add(house, '/api/revues/numeros', {
    revue: { titre: 'Rivages' },
    numero: { numero: '1', themes: [], articles: [] },
  });
  const souhait = await add(house, '/api/souhaits', { titre: 'Ubik' });
  await choose(house, `/api/livres/${livre}`, 40);
  await sendBefore(house.context, numero, picture(80));
  await choose(house, `/api/souhaits/${souhait}`, 120);
}
