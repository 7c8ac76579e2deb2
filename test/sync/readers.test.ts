import { expect, test } from 'vitest';
import type { ChangePage } from '#shared/replication';
import { openHouse, type House } from '../support/house.ts';
import { pullAll, pullPage } from '../support/replication.ts';

/** Three books: Ana has read two and Bob one; Ana's second status is the last change. */
async function household(): Promise<House> {
  const house = await openHouse();
  const statut = (who: string, livreId: number) =>
    house.ask(who, 'PUT', `/api/livres/${String(livreId)}/statut`, { statut: 0 });
  for (const titre of ['A', 'B', 'C'])
    await house.ask(null, 'POST', '/api/livres', { titre, format: 'Physique' });
  await statut('ana', 1);
  await statut('bob', 2);
  await house.ask(null, 'PUT', '/api/livres/3', { titre: 'C2', format: 'Physique' });
  await statut('ana', 3);
  return house;
}

const linesOf = ({ changements }: Pick<ChangePage, 'changements'>): string[] =>
  changements.map(({ collection, id }) => `${collection}/${String(id)}`);

test('a caller who becomes known gets all personal records', async () => {
  const house = await household();
  const unknown = await pullAll(house, null);
  expect(linesOf(unknown)).toEqual(['livres/1', 'livres/2', 'livres/3']);
  for (const limite of [1, 2, 100]) {
    const known = await pullAll(house, 'ana', unknown, limite);
    expect(known).toMatchObject({ utilisateur: 'ana', revision: unknown.revision });
    expect(linesOf(known), String(limite)).toEqual(['statuts/1', 'statuts/3']);
    expect(linesOf(await pullAll(house, 'ana', known)), String(limite)).toEqual([]);
  }
  // The same for a device in the middle of its first pull, after this many changes.
  for (const limite of [1, 2]) {
    const begun = await pullPage(house, null, undefined, limite);
    const rest = await pullAll(house, 'ana', begun, 1);
    expect([...linesOf(begun), ...linesOf(rest)].sort(), String(limite)).toEqual([
      'livres/1',
      'livres/2',
      'livres/3',
      'statuts/1',
      'statuts/3',
    ]);
  }
});

test('changes during a catch-up of personal records follow it', async () => {
  const house = await household();
  const unknown = await pullAll(house, null);
  const first = await pullPage(house, 'ana', unknown, 1);
  expect(first).toMatchObject({ complet: false, changements: [{ collection: 'statuts', id: 1 }] });
  await house.ask(null, 'PUT', '/api/livres/1', { titre: 'A2', format: 'Physique' });
  const rest = await pullAll(house, 'ana', first, 1);
  expect(linesOf(rest)).toEqual(['statuts/3', 'livres/1']);
});

test('another reader of a checkpoint gets all their own records', async () => {
  const house = await household();
  const ana = await pullAll(house, 'ana');
  expect(linesOf(await pullAll(house, 'bob', ana))).toEqual(['statuts/2']);
  const nobody = await pullAll(house, null, ana);
  expect(nobody).toMatchObject({ utilisateur: null, changements: [] });
  expect(linesOf(await pullAll(house, 'ana', nobody))).toEqual(['statuts/1', 'statuts/3']);
});

test('the epoch does not tell who reads', async () => {
  const house = await household();
  const { epoque } = await pullAll(house, 'ana');
  expect(epoque).not.toContain('ana');
  expect((await pullAll(house, 'bob')).epoque).not.toBe(epoque);
  expect((await pullAll(house, 'ana')).epoque).toBe(epoque);
});

test('a private act of another reader moves the count and shows nothing', async () => {
  const house = await household();
  const before = await pullAll(house, 'ana');
  await house.ask('bob', 'POST', '/api/lectures', { livreId: 2, debut: '2026-01-02' });
  await house.ask('bob', 'POST', '/api/souhaits', { titre: 'Ulysse' });
  const after = await pullAll(house, 'ana', before);
  expect(linesOf(after)).toEqual([]);
  expect(JSON.stringify(after)).not.toMatch(/bob|Ulysse|2026-01-02/);
  expect(after.revision).toBeGreaterThan(before.revision);
});
