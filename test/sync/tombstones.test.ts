import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ChangePage } from '#shared/replication';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { askPage, pullAll, pullPage } from '../support/replication.ts';

const DAY_MS = 86_400_000;
const STALE = { status: 409, body: { code: 'EPOQUE_PERIMEE' } };

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));

/** Sets the clock forward, and runs the daily work. */
const daysLater = (days: number) => {
  vi.setSystemTime(Date.now() + (days - 1) * DAY_MS);
  vi.advanceTimersByTime(DAY_MS);
};

const addLivre = (house: House, titre: string) =>
  house.ask(null, 'POST', '/api/livres', { titre, format: 'Physique' });
const deleteLivre = (house: House, id: number) =>
  house.ask(null, 'DELETE', `/api/livres/${String(id)}`);

const tombstonesOf = ({ changements }: ChangePage): string[] =>
  changements
    .filter(({ document }) => document === null)
    .map(({ collection, id }) => `${collection}/${String(id)}`);

async function household(path?: string): Promise<House> {
  const house = await openHouse(path);
  for (const titre of ['A', 'B', 'C', 'D']) await addLivre(house, titre);
  return house;
}

test('a deletion is sent for 400 days, then forgotten', async () => {
  const house = await household();
  const before = await pullAll(house, null);
  await deleteLivre(house, 1);
  daysLater(400);
  expect(tombstonesOf(await pullAll(house, null, before))).toEqual(['livres/1']);
  daysLater(1);
  expect(await askPage(house, null, before)).toMatchObject(STALE);
  expect(tombstonesOf(await pullAll(house, null))).toEqual([]);
});

test('a start forgets tombstones, too', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await household(path);
  const before = await pullAll(house, null);
  await deleteLivre(house, 1);
  await house.close();
  vi.setSystemTime(Date.now() + 402 * DAY_MS);
  const again = await openHouse(path);
  expect(await askPage(again, null, before)).toMatchObject(STALE);
  expect(tombstonesOf(await pullAll(again, null))).toEqual([]);
});

test('a younger deletion is sent after an older one is forgotten', async () => {
  const house = await household();
  await deleteLivre(house, 1);
  daysLater(300);
  const before = await pullAll(house, null);
  await deleteLivre(house, 2);
  daysLater(200);
  expect(tombstonesOf(await pullAll(house, null, before))).toEqual(['livres/2']);
});

test('a copy that knew all forgotten deletions goes on', async () => {
  const house = await household();
  await deleteLivre(house, 1);
  const asleep = await pullAll(house, null);
  daysLater(800);
  await addLivre(house, 'E');
  expect((await pullAll(house, null, asleep)).changements).toMatchObject([
    { collection: 'livres', id: 5 },
  ]);
});

test('forgetting deletions never lowers the database’s revision', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await household(path);
  const { headers } = await deleteLivre(house, 4);
  const revision = Number(headers.get('x-revision'));
  const asleep = await pullAll(house, null);
  daysLater(401);
  expect(await pullAll(house, null)).toMatchObject({ revision, complet: true });
  expect(await pullAll(house, null, asleep)).toMatchObject({ revision, changements: [] });
  await house.close();
  const again = await openHouse(path);
  expect((await pullAll(again, null, asleep)).revision).toBe(revision);
  expect(Number((await addLivre(again, 'E')).headers.get('x-revision'))).toBeGreaterThan(revision);
});

test('a first pull goes on although deletions were forgotten', async () => {
  const house = await household();
  await deleteLivre(house, 4);
  await addLivre(house, 'E');
  daysLater(401);
  let page = await pullPage(house, null, undefined, 1);
  const ids = page.changements.map(({ id }) => id);
  while (!page.complet) {
    page = await pullPage(house, null, page, 1);
    ids.push(...page.changements.map(({ id }) => id));
  }
  expect(ids).toEqual([1, 2, 3, 5]);
});

test('a first pull goes on though its reader becomes known', async () => {
  const house = await household();
  await house.ask('ana', 'PUT', '/api/livres/2/statut', { statut: 0 });
  await deleteLivre(house, 4);
  daysLater(401);
  const begun = await pullPage(house, null, undefined, 1);
  expect(begun.complet).toBe(false);
  const rest = await pullAll(house, 'ana', begun, 1);
  expect(rest.changements.map(({ collection, id }) => `${collection}/${String(id)}`)).toEqual([
    'livres/2',
    'livres/3',
    'statuts/2',
  ]);
});

test('a first pull paused for longer is too old', async () => {
  const house = await household();
  const begun = await pullPage(house, null, undefined, 2);
  await deleteLivre(house, 1);
  daysLater(401);
  expect(await askPage(house, null, begun)).toMatchObject(STALE);
});

test('an empty household’s copy is too old like any other', async () => {
  const house = await openHouse();
  const empty = await pullAll(house, null);
  for (const titre of ['A', 'B']) await addLivre(house, titre);
  await deleteLivre(house, 1);
  expect(tombstonesOf(await pullAll(house, null, empty))).toEqual(['livres/1']);
  daysLater(401);
  expect(await askPage(house, null, empty)).toMatchObject(STALE);
});

test('the service’s own memory and the tags of records survive', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await household(path);
  await deleteLivre(house, 1);
  const { journal } = house.context;
  // Each modification has its own revision, before the book's.
  expect(journal.revisionOf('livres', '', 1)).toEqual({
    revision: 10,
    version: 10,
    supprime: true,
  });
  expect(journal.revisionOf('livres', '', 2)).toEqual({ revision: 4, version: 4, supprime: false });
  expect(journal.revisionOf('livres', '', 9)).toBeUndefined();
  daysLater(401);
  expect(journal.revisionOf('livres', '', 1)).toBeUndefined();
  expect(journal.revisionOf('livres', '', 2)).toEqual({ revision: 4, version: 4, supprime: false });
  await house.close();
  const { body } = await (await openHouse(path)).ask(null, 'GET', '/api/livres');
  expect(body).toMatchObject([{ id: 2 }, { id: 3 }, { id: 4 }]);
});

test('many are forgotten in short transactions, and no replica gets only a part of them', async () => {
  const house = await household();
  const { database } = house.context;
  const before = await pullAll(house, null);
  run(
    database,
    `INSERT INTO Journal (collection, id, utilisateur, supprime, version)
     WITH RECURSIVE n (value) AS (VALUES (1000) UNION ALL SELECT value + 1 FROM n LIMIT 2500)
     SELECT 'livres', value, '', 1, value FROM n`,
  );
  const written = () => database.value<number>('SELECT total_changes()') ?? 0;
  const turns: number[] = [];
  const { tombstones } = database;
  const forget = tombstones.forget.bind(tombstones);
  vi.spyOn(tombstones, 'forget').mockImplementation(() => {
    const total = written();
    const hasMore = forget();
    turns.push(written() - total);
    return hasMore;
  });
  const remaining = () =>
    database.value<number>('SELECT count(*) FROM Journal WHERE supprime = 1') ?? NaN;
  daysLater(401);
  expect(await askPage(house, null, before)).toMatchObject(STALE);
  await eventually(remaining).toBe(0);
  expect(Math.max(...turns)).toBeLessThan(1_000);
  expect(turns.length).toBeGreaterThan(2);
});
