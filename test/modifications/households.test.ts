import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { livre, LIVRES } from './support/requests.ts';

const LENT = '/api/livres/1/prets';

/** The person named by the last modification. */
async function named(house: House): Promise<unknown> {
  const { body } = await house.ask('ana', 'GET', '/api/modifications?limite=1');
  return (body as { utilisateur: unknown }[])[0]?.utilisateur;
}

test('loans, series and places are attributed to nobody', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', LIVRES, livre('Sido'));
  expect(await named(house)).toBe('ana');
  const places = [{ titre: 'Un' }, { titre: 'Deux' }];
  for (const [method, path, body] of [
    ['POST', LENT, { emprunteur: 'Luc' }],
    ['PUT', '/api/prets/1', { emprunteur: 'Léa', datePret: '2024-03-01T12:00:00Z' }],
    ['POST', '/api/prets/1/retour', undefined],
    ['POST', '/api/series', { titre: 'Suite', places }],
    ['PUT', '/api/series/1/ordre', { elements: [{ place: 2 }, { place: 1 }] }],
    ['PUT', '/api/places/1/livre', { livreId: 1 }],
    ['PUT', '/api/livres/1/serie', { serie: null }],
    ['PUT', '/api/series/1', { titre: 'Cycle', places: [] }],
    ['POST', '/api/livres/lot', { ids: [1], action: 'preter', emprunteur: 'Luc' }],
    ['POST', '/api/livres/lot', { ids: [1], action: 'rendre' }],
    ['POST', '/api/livres/lot', { ids: [1], action: 'serie', serieId: 1 }],
    ['DELETE', '/api/series/1', undefined],
  ] as const) {
    const { status, headers, body: answer } = await house.ask('ana', method, path, body);
    expect(status, `${method} ${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
    expect(headers.get('X-Modification'), path).not.toBeNull();
    expect(await named(house), `${method} ${path}`).toBeNull();
  }
  await house.ask('ana', 'POST', '/api/livres/lot', { ids: [1], action: 'statut', statut: 1 });
  expect(await named(house)).toBe('ana');
});

test('a loan is accepted from another reader’s page', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', LIVRES, livre('Sido'));
  const send = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', 'X-Lecteur': 'bob' };
    const response = await fetch(house.url + path, {
      method: 'POST',
      headers: { ...house.headersOf('ana'), ...headers },
      body: JSON.stringify(body),
    });
    return response.status;
  };
  expect(await send(LIVRES, livre('Ida'))).toBe(403);
  expect(await send(LENT, { emprunteur: 'Luc' })).toBe(201);
  const lot = (action: string, more: object) => ({ ids: [1], action, ...more });
  expect(await send('/api/livres/lot', lot('rendre', {}))).toBe(200);
  expect(await send('/api/livres/lot', lot('statut', { statut: 1 }))).toBe(403);
});
