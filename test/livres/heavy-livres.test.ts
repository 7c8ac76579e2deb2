import { expect, test } from 'vitest';
import { sizeOfLivres } from '#server/subjects/livres/read';
import { countTouched } from '#server/plumbing/writes/traces';
import { openHouse, type House } from '../support/house.ts';
import { pullAll } from '../support/replication.ts';

/** More books of 300 kB each than a page of the replication holds. */
const MORE_THAN_A_PAGE = 22;

const details = Array.from({ length: 30 }, (_, at) => ({
  nom: `Détail ${String(at)}`,
  valeur: 'x'.repeat(10_000),
}));

async function addHeavy(house: House, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const livre = { titre: `Livre ${String(at)}`, format: 'Physique', details };
    const { body } = await house.ask('ana', 'POST', '/api/livres', livre);
    ids.push(Number(Reflect.get(Object(body), 'id')));
  }
  return ids;
}

test('books with long details are sent in more pages and chunks, all of them', async () => {
  const house = await openHouse();
  const ids = await addHeavy(house, MORE_THAN_A_PAGE);
  const page = await house.ask('ana', 'GET', '/api/replication?limite=2000');
  expect(page.body).toMatchObject({ complet: false });
  const { changements } = await pullAll(house, 'ana');
  const livres = changements.filter(({ collection }) => collection === 'livres');
  expect(livres.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);

  const list = await house.ask('ana', 'GET', '/api/livres?limite=100');
  expect(list.headers.get('content-length')).toBeNull();
  expect(list.body).toHaveLength(MORE_THAN_A_PAGE);
  const archive = await fetch(`${house.url}/api/export/livres.ris`, {
    headers: house.headersOf('ana'),
  });
  expect((await archive.text()).match(/^TY {2}- /gm)).toHaveLength(MORE_THAN_A_PAGE);
});

test('books of long details are more work than their number, and so is taking it back', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const ids = await addHeavy(house, 5);
  expect(sizeOfLivres(database, ids)).toBeGreaterThan(100);
  const lot = { ids, action: 'supprimer' };
  const { headers } = await house.ask('ana', 'POST', '/api/livres/lot', lot);
  expect(countTouched(database, Number(headers.get('X-Modification')))).toBeGreaterThan(100);
  const path = `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`;
  expect((await house.ask('ana', 'POST', path)).status).toBe(201);
  expect(sizeOfLivres(database, ids)).toBeGreaterThan(100);
});
