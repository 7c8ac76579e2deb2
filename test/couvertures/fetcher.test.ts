import { describe, expect, test } from 'vitest';
import { pictureOf, type Answer } from './support/played.ts';
import { addMany, DAY_MS, fails, insert, isbnOf, MINUTE_MS, play } from './support/waiting.ts';

const urlOf = (n: number, host = 'a.test'): string => `https://${host}/${n}.jpg`;
const SILENCE: Answer = () => Promise.reject(new Error('silence'));
const DISK_FULL = Object.assign(new Error('no space left'), { code: 'ENOSPC' });

/** Books with one address each, at which there is no picture. */
function playWithout(count: number, adresseOf: (n: number) => string = urlOf) {
  const played = play();
  addMany(played.database, count, (n) => ({ coverUrl: adresseOf(n) }));
  for (let n = 1; n <= count; n++) played.sources.answer(adresseOf(n), fails(404));
  return played;
}

test('twelve are fetched at once, taking hosts by turns', async () => {
  const hostOf = (n: number) => `${'abc'[Math.floor((n - 1) / 20)] ?? ''}.test`;
  const { fetcher, sources, runUntil } = playWithout(60, (n) => urlOf(n, hostOf(n)));
  fetcher.start();
  await runUntil(() => sources.asks.length >= 24);
  expect(sources.peak).toBe(12);
  const hosts = sources.asks.map(({ adresse }) => new URL(adresse).hostname);
  const last = hosts.slice(0, 12).includes('c.test') ? 'a.test' : 'c.test';
  expect(hosts.indexOf(last)).toBe(12);
  await runUntil(() => fetcher.etat().aucune === 60);
  expect(sources.asks).toHaveLength(60);
});

test.each([
  [499, [3, 1, 2]],
  [500, [1, 2, 3]],
])('after %i later rows, brought forward covers come as %j', async (count, order) => {
  const { fetcher, sources, run, runUntil } = playWithout(3);
  fetcher.toFront([urlOf(3)]);
  fetcher.toFront(Array.from({ length: count }, (_, n) => urlOf(n, 'b.test')));
  await run(MINUTE_MS);
  expect(sources.asks).toEqual([]);
  fetcher.start();
  await runUntil(() => fetcher.etat().aucune === 3);
  expect(sources.asks.map(({ adresse }) => adresse)).toEqual(order.map((n) => urlOf(n)));
});

test('a cover brought forward once is not brought forward again', async () => {
  const { database, fetcher, sources, runUntil } = playWithout(3);
  fetcher.toFront([urlOf(3)]);
  fetcher.start();
  await runUntil(() => fetcher.etat().aucune === 3);
  database.write((tx) => fetcher.retry(tx));
  fetcher.toFront([]);
  await runUntil(() => sources.asks.length === 6);
  const order = [3, 1, 2, 1, 2, 3];
  expect(sources.asks.map(({ adresse }) => adresse)).toEqual(order.map((n) => urlOf(n)));
});

test('no request is sent while another connection writes', async () => {
  const { database, fetcher, sources, failures, run, runUntil, clock } = playWithout(3);
  const { promise, resolve } = Promise.withResolvers<null>();
  const work = database.writeLock.handOver('import', () => promise);
  const begin = clock.now();
  fetcher.start();
  await run(MINUTE_MS);
  expect(sources.asks).toEqual([]);
  resolve(null);
  await work;
  await runUntil(() => fetcher.etat().aucune === 3);
  expect(sources.asks.map(({ at }) => at - begin <= MINUTE_MS + 1000)).toEqual([true, true, true]);
  expect(failures).toEqual([]);
});

test.each<[string, Answer]>([
  ['a picture', () => pictureOf('one')],
  ['no picture', fails(404)],
  ['a failure', fails(500)],
])('a host that answers with %s in between is not silent', async (_, answer) => {
  const { fetcher, sources, runUntil } = playWithout(12);
  for (const n of [1, 2, 4, 5]) sources.answer(urlOf(n), SILENCE);
  sources.answer(urlOf(3), answer);
  fetcher.start();
  await runUntil(() => sources.asks.length === 12);
  const [first, last] = [sources.asks[0], sources.asks[11]];
  expect((last?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(MINUTE_MS);
});

describe('what cannot be written', () => {
  const fail =
    'CREATE TRIGGER Panne BEFORE UPDATE ON CouvertureAdresse BEGIN SELECT raise(ABORT, 1); END';

  test('is logged, and asked again after a minute', async () => {
    const { database, fetcher, sources, failures, runUntil } = playWithout(2);
    database.write((tx) => tx.run(fail));
    fetcher.start();
    await runUntil(() => failures.length === 1);
    expect(fetcher.etat()).toEqual({ gardees: 0, attente: 2, aucune: 0, plusTard: [] });
    await runUntil(() => failures.length === 2);
    database.write((tx) => tx.run('DROP TRIGGER Panne'));
    await runUntil(() => fetcher.etat().aucune === 2);
    const [first, , again] = sources.asks;
    expect((again?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(MINUTE_MS);
    expect([sources.asks.length, failures.length]).toEqual([6, 2]);
  });

  test('nor put back is logged once a minute', async () => {
    const { database, fetcher, sources, failures, runUntil } = playWithout(1);
    sources.answer(urlOf(1), fails(500));
    fetcher.start();
    await runUntil(() => fetcher.etat().plusTard.length === 1);
    database.write((tx) => tx.run(fail));
    await runUntil(() => failures.length === 3);
    database.write((tx) => tx.run('DROP TRIGGER Panne'));
    await runUntil(() => sources.asks.length === 2);
    const [first, again] = sources.asks;
    expect((again?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(13 * MINUTE_MS);
  });

  test('on a full disk waits until a person asks', async () => {
    const { database, fetcher, store, sources, failures, clock, runUntil } = play();
    addMany(database, 2, (n) => ({ coverUrl: urlOf(n) }));
    const write = store.write.bind(store);
    store.write = () => Promise.reject(DISK_FULL);
    fetcher.start();
    await runUntil(() => fetcher.etat().plusTard.length > 0 && fetcher.running === 0);
    const prochainEssai = new Date(clock.now() + MINUTE_MS).toISOString();
    const plusTard = [{ raison: 'disque', nombre: 2, prochainEssai }];
    expect(fetcher.etat()).toEqual({ gardees: 0, attente: 0, aucune: 0, plusTard });
    store.write = write;
    const before = clock.now();
    // A screen has requested one of them.
    fetcher.keep([urlOf(1)], await pictureOf('one'));
    await runUntil(() => fetcher.etat().gardees === 1);
    expect(fetcher.etat().plusTard).toMatchObject([{ nombre: 1 }]);
    fetcher.keep([urlOf(2)], await pictureOf('two'));
    await runUntil(() => fetcher.etat().gardees === 2);
    expect(fetcher.etat().plusTard).toEqual([]);
    database.write((tx) => {
      insert(tx, 3, { coverUrl: urlOf(3) });
      fetcher.retry(tx);
    });
    expect(fetcher.etat()).toMatchObject({ attente: 1, plusTard: [] });
    await runUntil(() => fetcher.etat().gardees === 3);
    expect(clock.now() - before).toBeLessThan(MINUTE_MS);
    expect([sources.asks.length, failures]).toEqual([3, []]);
  });
});

describe('of a hundred requests in five minutes', () => {
  const takeAll = (fetcher: ReturnType<typeof play>['fetcher']) => {
    for (let count = 0; ; count++) if (!fetcher.takeCounted()) return count;
  };

  test('those of screens are counted, also after a restart', async () => {
    const { played, run } = play();
    expect(takeAll(played.fetcher)).toBe(100);
    await played.restart();
    expect(takeAll(played.fetcher)).toBe(0);
    await run(4 * MINUTE_MS);
    await played.restart();
    expect(takeAll(played.fetcher)).toBe(0);
    await run(2 * MINUTE_MS);
    expect(takeAll(played.fetcher)).toBe(100);
  });

  test('those that a stop cuts short are counted', async () => {
    const { database, played, sources, runUntil } = play();
    addMany(database, 6, (n) => ({ isbn: isbnOf(n) }));
    addMany(database, 5, (n) => ({ coverUrl: urlOf(n) }));
    played.fetcher.start();
    await runUntil(() => sources.waiting === 11);
    await played.restart();
    expect(sources.waiting).toBe(11);
    expect(played.failures).toEqual([]);
    expect(takeAll(played.fetcher)).toBe(88);
  });
});

describe('a picture that a screen has', () => {
  const open = () => {
    const played = play();
    addMany(played.database, 2, (n) => ({ coverUrl: urlOf(n) }));
    return played;
  };

  test('is kept only for an address that lacks it', async () => {
    const { database, fetcher, sources, runUntil } = open();
    const image = await pictureOf('one');
    fetcher.keep([urlOf(9)], image);
    expect(fetcher.running).toBe(0);
    fetcher.keep([urlOf(9), urlOf(1)], image);
    fetcher.keep([urlOf(1)], await pictureOf('another'));
    expect(fetcher.running).toBe(1);
    await runUntil(() => fetcher.etat().gardees === 1);
    const storedKey = () =>
      database.value('SELECT cle FROM CouvertureAdresse WHERE adresse = ?', urlOf(1));
    const cle = storedKey();
    fetcher.keep([urlOf(1)], await pictureOf('another'));
    expect(fetcher.running).toBe(0);
    fetcher.start();
    await runUntil(() => fetcher.etat().gardees === 2);
    expect(sources.asks.map(({ adresse }) => adresse)).toEqual([urlOf(2)]);
    expect(storedKey()).toBe(cle);
  });

  test.each<[string, Error, number]>([
    ['a full disk', DISK_FULL, 0],
    ['an error that nobody expects', new Error('odd'), 1],
  ])('and that %s refuses is asked for again', async (_, error, reported) => {
    const { fetcher, store, sources, failures, runUntil } = open();
    const write = store.write.bind(store);
    store.write = () => Promise.reject(error);
    fetcher.keep([urlOf(1)], await pictureOf('one'));
    await runUntil(() => fetcher.running === 0);
    expect(failures).toEqual([error].slice(0, reported));
    store.write = write;
    fetcher.start();
    await runUntil(() => fetcher.etat().gardees === 2);
    expect(sources.asks).toHaveLength(2);
  });

  test('is not kept once the service stops', async () => {
    const { fetcher } = open();
    fetcher.start();
    await fetcher.stop();
    fetcher.keep([urlOf(1)], await pictureOf('one'));
    expect(fetcher.running).toBe(0);
  });
});

test.each<[string, Answer]>([
  ['a host that was silent', SILENCE],
  ['a host that has refused', fails(429)],
  ['an address without a picture', fails(404)],
  ['a full disk', () => Promise.reject(DISK_FULL)],
])('a clock set back delays no %s', async (_, answer) => {
  const { database, fetcher, sources, clock, runUntil } = play();
  addMany(database, 3, (n) => ({ coverUrl: urlOf(n) }));
  for (let n = 1; n <= 3; n++) sources.answer(urlOf(n), answer);
  fetcher.start();
  const { attente } = fetcher.etat();
  await runUntil(() => sources.asks.length === attente && fetcher.running === 0);
  await clock.run(2_000, () => fetcher.running > sources.waiting);
  const asked = sources.asks.length;
  clock.setBack(400 * DAY_MS);
  const from = clock.now();
  database.write((tx) => insert(tx, 4, { coverUrl: urlOf(4, 'b.test') }));
  await runUntil(() => sources.asks.length >= asked + 4);
  expect(clock.now() - from).toBeLessThan(DAY_MS);
});
