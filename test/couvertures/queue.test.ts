import { describe, expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { pragma } from '../support/database.ts';
import { recordsOf } from '../support/records.ts';
import { pictureOf } from './support/played.ts';
import {
  addMany,
  DAY_MS,
  fails,
  insert,
  isbnOf,
  MINUTE_MS,
  play,
  stateOf,
} from './support/waiting.ts';

test('covers by ISBN are asked a hundred in five minutes', { tags: 'large' }, async () => {
  const { database, fetcher, sources, runUntil } = play();
  addMany(database, 130, (n) => ({ isbn: isbnOf(n) }));
  fetcher.start();
  await runUntil(() => fetcher.etat().gardees === 130);
  expect(sources.asks.map(({ adresse }) => adresse)).toEqual(
    Array.from({ length: 130 }, (_, i) => `isbn:${isbnOf(i + 1)}`),
  );
  for (const { at } of sources.asks) {
    const within = sources.asks.filter((other) => other.at >= at && other.at < at + 5 * MINUTE_MS);
    expect(within.length).toBeLessThanOrEqual(100);
  }
  expect(sources.peak).toBeLessThanOrEqual(6);
});

test('a slow host does not delay another', async () => {
  const { database, fetcher, sources, runUntil } = play();
  addMany(database, 40, (n) => ({ coverUrl: `https://${n % 2 ? 'a' : 'b'}.test/${n}.jpg` }));
  fetcher.start();
  await runUntil(() => fetcher.etat().gardees === 40);
  const first = sources.asks[0]?.at;
  const atOnce = sources.asks.filter(({ at }) => at === first).map(({ adresse }) => adresse);
  for (const host of ['a.test', 'b.test'])
    expect(atOnce.filter((adresse) => adresse.includes(host))).toHaveLength(6);
});

test('rows on screen come first, the latest screen before others', async () => {
  const { database, fetcher, sources, runUntil } = play();
  addMany(database, 60, (n) => ({ coverUrl: `https://a.test/${n}.jpg` }));
  fetcher.start();
  await runUntil(() => sources.asks.length === 6);
  fetcher.toFront([40, 41].map((n) => `https://a.test/${n}.jpg`));
  fetcher.toFront([50, 51].map((n) => `https://a.test/${n}.jpg`));
  await runUntil(() => sources.asks.length === 12);
  expect(sources.asks.slice(6).map(({ adresse }) => /\/(\d+)\.jpg$/.exec(adresse)?.[1])).toEqual([
    '50',
    '51',
    '40',
    '41',
    '7',
    '8',
  ]);
});

test('a cover is one line of its record’s journal', async () => {
  const { database, fetcher, runUntil } = play();
  database.write((tx) => {
    insert(tx, 1, { coverUrl: 'https://a.test/1.jpg' });
    insert(tx, 2, { coverUrl: 'https://a.test/1.jpg' });
    insert(tx, 3);
  });
  const before = database.revision();
  fetcher.start();
  await runUntil(() => fetcher.etat().gardees === 1);
  expect(database.revision()).toBe(before + 2);
  for (const id of [1, 2])
    expect(recordsOf(database).documents('livres', '', [id]).get(id)).toMatchObject({
      couverture: { largeur: 20, hauteur: 30, source: 'adresse' },
    });
  expect(recordsOf(database).documents('livres', '', [3]).get(3)).toMatchObject({
    couverture: null,
  });
});

test('pictures queued during a pass are fetched in the same pass', async () => {
  const { database, fetcher, sources, runUntil } = play();
  fetcher.start();
  database.write((tx) => insert(tx, 1, { coverUrl: 'https://a.test/1.jpg' }));
  await runUntil(() => fetcher.etat().gardees === 1);
  expect(sources.asks).toHaveLength(1);
});

test('a cover that no record names any more is not fetched', async () => {
  const { database, fetcher, sources, runUntil } = play();
  fetcher.start();
  addMany(database, 30, (n) => ({ coverUrl: `https://a.test/encore/${n}.jpg` }));
  database.write((tx) => tx.prepare("DELETE FROM Livre WHERE titre = 'Livre 30'").run());
  await runUntil(() => fetcher.etat().attente === 0 && fetcher.running === 0);
  expect(fetcher.etat().gardees).toBe(29);
  expect(sources.asks.map(({ adresse }) => adresse)).not.toContain('https://a.test/encore/30.jpg');
});

test('a restart keeps to the hundred requests', { tags: 'large' }, async () => {
  const { database, sources, played, runUntil } = play();
  addMany(database, 120, (n) => ({ isbn: isbnOf(n) }));
  played.fetcher.start();
  await runUntil(() => played.fetcher.etat().gardees >= 50);
  await played.restart();
  await runUntil(() => played.fetcher.etat().gardees === 120);
  const times = sources.asks.map(({ at }) => at);
  for (const at of atLeastOne(times)) {
    const within = times.filter((other) => other >= at && other < at + 5 * MINUTE_MS);
    expect(within.length).toBeLessThanOrEqual(100);
  }
});

describe('an ISBN', () => {
  test('unknown to the first source is asked at the second', async () => {
    const { database, fetcher, sources, runUntil } = play();
    const isbn = isbnOf(7);
    database.write((tx) => insert(tx, 1, { isbn }));
    sources.answer(`isbn:${isbn}`, fails(404));
    sources.answer(`second:${isbn}`, () => pictureOf('the library'));
    fetcher.start();
    await runUntil(() => fetcher.etat().gardees === 1);
    expect(sources.asks.map(({ source }) => source)).toEqual(['first', 'second']);
  });

  test('with none at either is asked again after thirty days', async () => {
    const { database, fetcher, sources, runUntil } = play();
    const isbn = isbnOf(7);
    database.write((tx) => insert(tx, 1, { isbn }));
    sources.answer(`isbn:${isbn}`, fails(404));
    fetcher.start();
    await runUntil(() => fetcher.etat().aucune === 1);
    const [before] = sources.asks;
    await runUntil(() => sources.asks.length === 3);
    expect(sources.asks[2]).toMatchObject({ source: 'first' });
    expect((sources.asks[2]?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(30 * DAY_MS);
  });

  test('whose second source fails is asked there again', async () => {
    const { database, fetcher, sources, runUntil } = play();
    const isbn = isbnOf(1);
    database.write((tx) => insert(tx, 1, { isbn }));
    sources.answer(`isbn:${isbn}`, fails(404));
    sources.answer(`second:${isbn}`, fails(500));
    fetcher.start();
    await runUntil(() => sources.asks.length === 3);
    expect(sources.asks.map(({ source }) => source)).toEqual(['first', 'second', 'second']);
    sources.answer(`second:${isbn}`, () => pictureOf('late'));
    await runUntil(() => fetcher.etat().gardees === 1);
  });
});

test('when it is stopped it writes nothing more', async () => {
  const { database, fetcher, sources, runUntil } = play();
  addMany(database, 20, (n) => ({ coverUrl: `https://a.test/${n}.jpg` }));
  fetcher.start();
  await runUntil(() => sources.waiting > 0);
  await fetcher.stop();
  expect(fetcher.running).toBe(0);
  const revision = database.revision();
  database.write((tx) => insert(tx, 21, { coverUrl: 'https://a.test/21.jpg' }));
  expect(fetcher.running).toBe(0);
  expect(database.revision()).toBe(revision + 1);
});

test('a person’s picture is not replaced by its address’s', async () => {
  const { database, fetcher, store, runUntil } = play();
  const chosen = await store.add((await pictureOf('mine')).content);
  database.write((tx) => {
    insert(tx, 1, { coverUrl: 'https://a.test/1.jpg' });
    tx.prepare<[string]>('UPDATE Livre SET couvertureCle = ?').run(chosen.cle);
  });
  const before = database.revision();
  fetcher.start();
  await runUntil(() => fetcher.etat().gardees === 1);
  expect(database.revision()).toBe(before);
  expect(recordsOf(database).documents('livres', '', [1]).get(1)).toMatchObject({
    couverture: { cle: chosen.cle, source: 'personne' },
  });
});

test('covers that come together are announced to devices together', async () => {
  const { database, fetcher, runUntil } = play();
  addMany(database, 36, (n) => ({ coverUrl: `https://${'abcdef'[n % 6] ?? ''}.test/${n}.jpg` }));
  const before = database.revision();
  let commits = 0;
  database.onCommit(() => commits++);
  fetcher.start();
  await runUntil(() => fetcher.etat().gardees === 36);
  expect(database.revision()).toBe(before + 36);
  expect(commits).toBeLessThanOrEqual(6);
});

test('an address that another book takes meanwhile is fetched', async () => {
  const { database, fetcher, run } = play();
  const coverUrl = 'https://a.test/1.jpg';
  database.write((tx) => {
    insert(tx, 1, { coverUrl });
    tx.run('DELETE FROM Livre');
  });
  fetcher.start();
  // Less than the second during which writes are collected.
  await run(100);
  database.write((tx) => insert(tx, 2, { coverUrl }));
  await run(60 * MINUTE_MS);
  expect(stateOf(database, coverUrl)?.etat).toBe('gardee');
});

test('no picture is fetched while the database takes none', async () => {
  const { database, fetcher, sources, run } = play();
  addMany(database, 3, (n) => ({ coverUrl: `https://a.test/${String(n)}.jpg` }));
  pragma(database, 'query_only = ON');
  fetcher.start();
  await run(60 * MINUTE_MS);
  expect(sources.asks.length).toBeLessThanOrEqual(3);
  pragma(database, 'query_only = OFF');
  await run(MINUTE_MS);
  expect(stateOf(database, 'https://a.test/1.jpg')?.etat).toBe('gardee');
});
