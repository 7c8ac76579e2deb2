import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordsOf } from '../support/records.ts';
import { pictureOf, type Answer } from './support/played.ts';
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

/** A transparent pixel, which some sources return instead of a cover. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

describe('a source that has no picture for now', () => {
  const ADDRESS = 'https://a.test/1.jpg';

  test('differs from one that has none', async () => {
    const { database, fetcher, sources, runUntil } = play();
    const cases: readonly [name: string, answer: Answer, expected: string][] = [
      ['404', fails(404), 'aucune'],
      ['410', fails(410), 'aucune'],
      ['403', fails(403), 'plusTard refus'],
      ['429', fails(429), 'plusTard refus'],
      ['500', fails(500), 'plusTard erreur'],
      ['502', fails(502), 'plusTard erreur'],
      ['a page of HTML', fails(200), 'plusTard erreur'],
      ['no answer', () => Promise.reject(new Error('timeout')), 'plusTard injoignable'],
      [
        'bytes that are no picture',
        async () => ({ type: 'image/png', content: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }),
        'plusTard erreur',
      ],
      ['a dot', async () => ({ type: 'image/gif', content: DOT }), 'aucune'],
    ];
    const ids = cases.map((_, index) => index + 1);
    const adresseOf = (id: number) => `https://${String(id)}.test/1.jpg`;
    database.write((tx) => {
      for (const id of ids) insert(tx, id, { coverUrl: adresseOf(id) });
    });
    for (const [index, [, answer]] of cases.entries()) sources.answer(adresseOf(index + 1), answer);
    fetcher.start();
    await runUntil(() => fetcher.etat().attente === 0 && fetcher.running === 0);
    const documents = recordsOf(database).documents('livres', '', ids);
    for (const [index, [name, , expected]] of cases.entries()) {
      const state = stateOf(database, adresseOf(index + 1));
      expect([state?.etat, state?.raison].filter(Boolean).join(' '), name).toBe(expected);
      expect(documents.get(index + 1), name).toMatchObject({ couverture: null });
    }
    for (const id of ids) sources.answer(adresseOf(id), () => pictureOf(adresseOf(id)));
    await runUntil(() => fetcher.etat().gardees === ids.length);
  });

  test('is asked after ten minutes, each time twice as long', async () => {
    const { database, fetcher, sources, runUntil } = play(0);
    database.write((tx) => insert(tx, 1, { coverUrl: ADDRESS }));
    sources.answer(ADDRESS, fails(503));
    fetcher.start();
    await runUntil(() => sources.asks.length === 5);
    const gaps = sources.asks.slice(1).map(({ at }, i) => at - (sources.asks[i]?.at ?? 0));
    expect(gaps).toEqual([10, 20, 40, 80].map((minutes) => minutes * MINUTE_MS));
  });

  test('is left alone for as long as it says', async () => {
    const { database, sources, played, clock, runUntil } = play();
    addMany(database, 30, (n) => ({ coverUrl: `https://a.test/${n}.jpg` }));
    database.write((tx) => insert(tx, 99, { coverUrl: 'https://b.test/1.jpg' }));
    for (let n = 1; n <= 6; n++)
      sources.answer(`https://a.test/${n}.jpg`, fails(429, 60 * MINUTE_MS));
    const begin = clock.now();
    played.fetcher.start();
    await runUntil(() => played.fetcher.etat().plusTard[0]?.nombre === 6);
    for (let n = 1; n <= 6; n++)
      sources.answer(`https://a.test/${n}.jpg`, () => pictureOf(String(n)));
    await played.restart();
    await runUntil(() => played.fetcher.etat().gardees === 31);
    const early = sources.asks.filter(({ at }) => at > begin && at < begin + 60 * MINUTE_MS);
    expect(early.filter(({ adresse }) => adresse.includes('a.test'))).toEqual([]);
  });

  test('« Réessayer » retries at once, except sources with a Retry-After', async () => {
    const { database, fetcher, sources, runUntil } = play();
    const urls = ['a', 'b', 'c', 'd'].map((host) => `https://${host}.test/1.jpg`);
    urls.forEach((coverUrl, n) => database.write((tx) => insert(tx, n, { coverUrl })));
    const [none = '', failing = '', refusing = '', unavailable = ''] = urls;
    sources.answer(none, fails(404));
    sources.answer(failing, fails(500));
    sources.answer(refusing, fails(429, DAY_MS));
    sources.answer(unavailable, fails(503, DAY_MS));
    fetcher.start();
    await runUntil(() => fetcher.etat().attente === 0 && fetcher.running === 0);
    for (const url of urls) sources.answer(url, () => pictureOf(url));
    database.write((tx) => fetcher.retry(tx));
    await runUntil(() => fetcher.etat().gardees === 2);
    expect(fetcher.etat().plusTard).toMatchObject([{ raison: 'refus', nombre: 2 }]);
  });

  test('a host that never answers leaves others their turns', async () => {
    const { database, fetcher, sources, runUntil } = play();
    addMany(database, 60, (n) => ({ coverUrl: `https://${n % 2 ? 'dead' : 'b'}.test/${n}.jpg` }));
    for (let n = 1; n < 60; n += 2)
      sources.answer(`https://dead.test/${n}.jpg`, () => Promise.reject(new Error('silence')));
    fetcher.start();
    await runUntil(() => fetcher.etat().gardees === 30);
    const dead = sources.asks.filter(({ adresse }) => adresse.includes('dead'));
    // Six concurrent requests, and two more that started before the third one failed.
    expect(dead.length).toBeLessThanOrEqual(8);
  });
});

test('on a full disk covers wait until there is room', async () => {
  const { database, fetcher, store, runUntil } = play();
  addMany(database, 20, (n) => ({ coverUrl: `https://a.test/${n}.jpg` }));
  const write = store.write.bind(store);
  let isFull = true;
  store.write = (picture) =>
    isFull
      ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
      : write(picture);
  fetcher.start();
  await runUntil(() => fetcher.etat().plusTard.length > 0);
  expect(fetcher.etat()).toMatchObject({
    attente: 0,
    plusTard: [{ raison: 'disque', nombre: 20 }],
  });
  isFull = false;
  await runUntil(() => fetcher.etat().gardees === 20);
});

test('a lost picture is requested again from its first source, and counted', async () => {
  const { database, fetcher, store, sources, runUntil } = play();
  const adresse = `isbn:${isbnOf(1)}`;
  database.write((tx) => insert(tx, 1, { isbn: isbnOf(1) }));
  sources.answer(adresse, fails(404));
  sources.answer(`second:${isbnOf(1)}`, () => pictureOf('second'));
  fetcher.start();
  await runUntil(() => fetcher.etat().gardees === 1);
  const cle = database.value<string>('SELECT cle FROM CouvertureAdresse') ?? '';
  sources.answer(adresse, fails(403, 10 * MINUTE_MS));
  rmSync(store.find(cle)?.path ?? '');
  expect(await store.read(cle, 'originale')).toBeNull();
  await runUntil(() => fetcher.etat().plusTard.length === 1);
  expect(sources.asks.map(({ source }) => source)).toEqual(['first', 'second', 'first']);
  expect(database.value('SELECT count(*) FROM CouvertureDemande')).toBe(2);
  expect(database.value('SELECT hote FROM CouvertureAdresse')).toBe('isbn');
});
