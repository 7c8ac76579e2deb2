import { rmSync, writeFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readThumbnails, type Couverture } from '#shared/couvertures';
import type { Livre } from '#shared/livres';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { send } from '../support/server.ts';
import { souhaiter } from '../support/souhaits.ts';
import { image } from './support/choosing.ts';
import { keptKeys, noise, picture, pictureFiles } from './support/pictures.ts';
import { gives, isbnPath, openSource, type Behaviour, type Source } from './support/source.ts';

const ISBN = '9782070360024';
const OTHER = '9782070408504';

/** A household with a single simulated source, for covers by ISBN and for the national library. */
const houseWith = (
  source: Source,
  path = join(temporaryFolder(), 'maison.sqlite'),
  settings: Readonly<Record<string, string>> = {},
) =>
  openHouse(path, {
    OPEN_LIBRARY_COVERS_URL: source.url,
    OPEN_LIBRARY_URL: source.url,
    BNF_SRU_URL: `${source.url}/api/SRU`,
    ...settings,
  });

const etatOf = (house: House) => house.context.covers.fetcher.etat();

const coverOf = async (house: House, id = 1): Promise<Couverture | null> => {
  const { body } = await house.ask(null, 'GET', `/api/livres/${id}`);
  return (body as Livre).couverture;
};

test('a book’s cover is fetched once, then kept', async () => {
  const source = await openSource();
  source.behave(isbnPath(ISBN), gives(await picture('#204060')));
  const house = await houseWith(source);
  await ajouterLivre(house, { isbn: ISBN });
  house.context.covers.fetcher.start();
  await eventually(() => etatOf(house).gardees).toBe(1);
  const couverture = await coverOf(house);
  expect(couverture).toMatchObject({ largeur: 300, hauteur: 450, source: 'adresse' });
  expect((await image(house, couverture?.cle ?? '', 'ligne', null)).status).toBe(200);
  // A fetched cover is nobody's modification.
  expect((await house.ask('ana', 'GET', '/api/modifications')).body).toMatchObject([
    { operation: 'ajouterLivre' },
  ]);

  const { coverUrl } = await souhaiter(house, 'ana', { isbn: ISBN });
  const relayed = await send(
    `${house.url}/api/couvertures?url=${encodeURIComponent(coverUrl ?? '')}`,
    { headers: ['SSO_USER', 'ana'] },
  );
  expect(relayed.status).toBe(200);
  expect(relayed.bytes).toEqual(await picture('#204060'));
  expect(source.asked).toEqual([isbnPath(ISBN)]);
  const state = await house.ask(null, 'GET', '/api/couvertures/etat');
  expect(state.body).toEqual({ gardees: 1, attente: 0, aucune: 0, plusTard: [] });
});

test('the cover of a private wish is its owner’s alone', async () => {
  const source = await openSource();
  source.behave(isbnPath(ISBN), gives(await picture('#204060')));
  const house = await houseWith(source);
  await souhaiter(house, 'ana', { isbn: ISBN });
  house.context.covers.fetcher.start();
  await eventually(() => etatOf(house).gardees).toBe(1);
  const cle = keptKeys(house.context)[0] ?? '';
  const statuses = async () =>
    Promise.all(
      ['ana', 'bob', null].map(async (who) => (await image(house, cle, 'ligne', who)).status),
    );
  expect(await statuses()).toEqual([200, 404, 404]);
  await ajouterLivre(house, { isbn: ISBN });
  expect(await statuses()).toEqual([200, 200, 200]);
});

test('thumbnails of a batch have the requested order', async () => {
  const source = await openSource();
  source.behave(isbnPath(ISBN), gives(await picture('#204060')));
  source.behave(isbnPath(OTHER), gives(await picture('#ff0000')));
  const house = await houseWith(source);
  await ajouterLivre(house, { isbn: ISBN });
  await souhaiter(house, 'ana', { isbn: OTHER });
  house.context.covers.fetcher.start();
  await eventually(() => etatOf(house).gardees).toBe(2);
  const mine = (await coverOf(house))?.cle ?? '';
  const wish = keptKeys(house.context).find((cle) => cle !== mine) ?? '';
  const unknown = 'f'.repeat(64);
  const ask = async (who: string) =>
    readThumbnails(
      (
        await send(`${house.url}/api/couvertures/lignes?cles=${[unknown, wish, mine].join(',')}`, {
          headers: ['SSO_USER', who],
        })
      ).bytes,
    );
  const row = async (cle: string) =>
    new Uint8Array((await image(house, cle, 'ligne', 'ana')).bytes);
  const asAna = (await ask('ana')).map((bytes) => bytes && new Uint8Array(bytes));
  expect(asAna).toEqual([null, await row(wish), await row(mine)]);
  expect((await ask('bob')).map((bytes) => bytes === null)).toEqual([true, true, false]);
  const tooMany = Array.from({ length: 101 }, () => unknown).join(',');
  const refused = await house.ask(null, 'GET', `/api/couvertures/lignes?cles=${tooMany}`);
  expect(refused.status).toBe(400);
});

describe('the national library is asked where the open database has nothing', () => {
  const ARK = 'ark:/12148/cb900000042';
  const record = recordXml({ ark: 'cb900000042', titre: 'Phare', numeros: [`ISBN ${ISBN}`] });
  const cover = (ark: string) => `/couverture?appName=NE&idArk=${ark}&couverture=1`;
  const withRecord = async () => {
    const source = await openSource();
    source.behave('/api/SRU', gives(Buffer.from(envelope([record])), 'application/xml'));
    source.behave('/couverture', gives(await picture('#dddddd')));
    return source;
  };

  test('and its cover is kept', async () => {
    const source = await withRecord();
    source.behave(cover(ARK), gives(await picture('#008800')));
    const house = await houseWith(source);
    await ajouterLivre(house, { isbn: ISBN });
    house.context.covers.fetcher.start();
    await eventually(() => etatOf(house).gardees).toBe(1);
  });

  test('and its placeholder is none', async () => {
    const source = await withRecord();
    const house = await houseWith(source);
    await ajouterLivre(house, { isbn: ISBN });
    house.context.covers.fetcher.start();
    await eventually(() => etatOf(house).aucune).toBe(1);
    expect(await coverOf(house)).toBeNull();
  });
});

describe('a source that misbehaves leaves the book without a cover, and the service alive', () => {
  const redirects =
    (to: string): Behaviour =>
    (response) =>
      void response.writeHead(302, { Location: to }).end();

  test.each<[string, (source: Source) => Behaviour | Promise<Behaviour>]>([
    ['a page of HTML', () => gives(Buffer.from('<!doctype html><p>Bientôt'), 'text/html')],
    ['HTML called JPEG', () => gives(Buffer.from('<!doctype html><p>Bientôt'))],
    ['an SVG called JPEG', () => gives(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['half a picture', async () => gives((await noise(600, 900)).subarray(0, 40_000))],
    [
      'a picture drop by drop',
      () => (response) => {
        response.writeHead(200, { 'Content-Type': 'image/jpeg' }).write('\xff\xd8\xff', 'latin1');
        const drip = setInterval(() => response.write('.'), 100);
        response.on('close', () => clearInterval(drip));
      },
    ],
    ['eleven mebibytes', () => gives(Buffer.alloc(11 * 1024 * 1024))],
    ['a redirect to the home network', () => redirects('http://192.168.1.1/cover.jpg')],
    ['a redirect to another port here', () => redirects('http://127.0.0.1:9/cover.jpg')],
    ['a redirect to a file', () => redirects('file:///etc/hostname')],
    ['a circle of redirects', ({ url }) => redirects(url + isbnPath(ISBN))],
    ['an end in the middle', () => (response) => response.destroy()],
  ])('%s', async (_, behaviourOf) => {
    const source = await openSource();
    source.behave(isbnPath(ISBN), await behaviourOf(source));
    const house = await houseWith(source, undefined, { UPSTREAM_TIMEOUT_MS: '1000' });
    await ajouterLivre(house, { isbn: ISBN });
    house.context.covers.fetcher.start();
    await eventually(() => etatOf(house).attente + house.context.covers.fetcher.running).toBe(0);
    expect(etatOf(house).gardees).toBe(0);
    expect(await coverOf(house)).toBeNull();
    expect(pictureFiles(house.context.config.coversPath)).toEqual([]);
  });

  test('a private address is never asked for covers', async () => {
    const source = await openSource();
    source.behave('/secret', gives(await picture('#204060')));
    const house = await houseWith(source);
    await ajouterLivre(house, { coverUrl: `${source.url}/secret` });
    await ajouterLivre(house, { coverUrl: `${source.url}${isbnPath('secret')}` });
    house.context.covers.fetcher.start();
    await eventually(() => etatOf(house).aucune).toBe(2);
    expect(source.asked).toEqual([]);
  });
});

describe('at the start', () => {
  test('the folder contains the covers of all records again', async () => {
    const source = await openSource();
    source.behave(isbnPath(ISBN), gives(await picture('#204060')));
    source.behave(isbnPath(OTHER), gives(await picture('#ff0000')));
    const path = join(temporaryFolder(), 'maison.sqlite');
    const house = await houseWith(source, path);
    await ajouterLivre(house, { isbn: ISBN });
    await ajouterLivre(house, { isbn: OTHER });
    house.context.covers.fetcher.start();
    await eventually(() => etatOf(house).gardees).toBe(2);
    const [first, second] = [await coverOf(house), await coverOf(house, 2)];
    await house.ask(null, 'DELETE', '/api/livres/2');
    await house.close();

    const folder = house.context.config.coversPath;
    const unnamed = 'a'.repeat(64);
    writeFileSync(join(folder, unnamed), 'x');
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
    utimesSync(join(folder, unnamed), longAgo, longAgo);
    writeFileSync(join(folder, `${unnamed}.ligne.webp.0123456789ab.partiel`), 'x');
    writeFileSync(join(folder, 'Vacances.jpg'), 'x');
    const thumbnail = `${first?.cle ?? ''}.page.webp`;
    rmSync(join(folder, thumbnail));
    const again = await houseWith(source, path);
    const left = pictureFiles(folder);
    expect(left).toContain('Vacances.jpg');
    expect(left.filter((name) => name.includes(unnamed))).toEqual([]);
    expect(left.filter((name) => name.includes(second?.cle ?? '?'))).toEqual([]);
    expect((await image(again, first?.cle ?? '', 'page', null)).status).toBe(200);
    expect(pictureFiles(folder)).toContain(thumbnail);
    await again.close();

    writeFileSync(join(folder, unnamed), 'x');
    await expect(houseWith(source, join(path, '..', 'ailleurs.sqlite'))).rejects.toThrow(
      'il est à une autre bibliothèque',
    );
    expect(pictureFiles(folder)).toContain(unnamed);
    expect(pictureFiles(folder)).toContain(first?.cle);

    rmSync(join(folder, first?.cle ?? ''));
    const third = await houseWith(source, path);
    expect(await coverOf(third)).toBeNull();
    third.context.covers.fetcher.start();
    await eventually(() => etatOf(third).gardees).toBe(1);
    expect(await coverOf(third)).toEqual(first);
  });
});
