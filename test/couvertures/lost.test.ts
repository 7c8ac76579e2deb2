import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { CoverFiles } from '#server/subjects/couvertures/cover-store';
import { readThumbnails } from '#shared/couvertures';
import type { Livre } from '#shared/livres';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { coverOf, image, put } from './support/choosing.ts';
import { picture } from './support/pictures.ts';
import { gives, isbnPath, openSource } from './support/source.ts';

afterEach(() => vi.restoreAllMocks());

const ISBN = '9782070360024';

/** A household with one book, whose cover its source has. */
async function houseWithBook() {
  const source = await openSource();
  source.behave(isbnPath(ISBN), gives(await picture('#204060')));
  const path = join(temporaryFolder(), 'maison.sqlite');
  const open = () => openHouse(path, { OPEN_LIBRARY_COVERS_URL: source.url });
  const house = await open();
  await ajouterLivre(house, { isbn: ISBN });
  const fetchCover = async () => {
    house.context.covers.fetcher.start();
    await eventually(() => house.context.covers.fetcher.etat().gardees).toBe(1);
  };
  return { house, source, open, fetchCover };
}

const readLivre = async (house: House) => {
  const { body, headers } = await house.ask(null, 'GET', '/api/livres/1');
  return { couverture: (body as Livre).couverture, tag: headers.get('etag') ?? '' };
};

const fileOf = (house: House, name: string) => join(house.context.config.coversPath, name);

test('a truncated thumbnail is created again', async () => {
  const { house, fetchCover } = await houseWithBook();
  await fetchCover();
  const cle = (await readLivre(house)).couverture?.cle ?? '';
  const complete = (await image(house, cle, 'page')).bytes;
  truncateSync(fileOf(house, `${cle}.page.webp`), 20);
  expect((await image(house, cle, 'page')).bytes).toEqual(complete);
});

test('a picture that is cut is fetched again', async () => {
  const { house, source, fetchCover } = await houseWithBook();
  await fetchCover();
  const cle = (await readLivre(house)).couverture?.cle ?? '';
  for (const [times, bytes] of [0, 100].entries()) {
    truncateSync(fileOf(house, cle), bytes);
    expect((await image(house, cle, 'originale')).status).toBe(404);
    await eventually(() => source.asked.length).toBe(times + 2);
    await eventually(() => house.context.covers.fetcher.etat().gardees).toBe(1);
    expect((await image(house, cle, 'originale')).bytes).toEqual(await picture('#204060'));
  }
});

test('for a person’s lost picture its book shows another', async () => {
  const { house, open, fetchCover } = await houseWithBook();
  await fetchCover();
  const fetched = (await readLivre(house)).couverture;
  const mine = await picture('#ff0000');
  const { cle } = coverOf(await put(house, '/api/livres/1/couverture', mine));
  writeFileSync(fileOf(house, cle), '');
  // While an import holds the write lock, the loss can be neither stored nor announced.
  await house.context.database.writeLock.handOver('import', async () => {
    const unknown = await image(house, cle, 'originale');
    expect([unknown.status, unknown.json()]).toMatchObject([404, { code: 'INTROUVABLE' }]);
  });
  const refused = await image(house, cle, 'originale');
  expect(refused.status).toBe(404);
  expect(refused.json()).toMatchObject({ code: 'IMAGE_PERDUE' });
  expect((await readLivre(house)).couverture).toEqual({ ...fetched, source: 'perdue' });
  expect((await image(house, fetched?.cle ?? '', 'ligne')).status).toBe(200);
  await put(house, '/api/livres/1/couverture', mine);
  expect((await readLivre(house)).couverture).toMatchObject({ cle, source: 'personne' });
  writeFileSync(fileOf(house, cle), '');
  await house.close();
  expect((await readLivre(await open())).couverture).toEqual({ ...fetched, source: 'perdue' });
});

test('a cover that comes by itself makes no conflicting change', async () => {
  const { house, fetchCover } = await houseWithBook();
  const before = await readLivre(house);
  await fetchCover();
  const after = await readLivre(house);
  expect(after.couverture).not.toBeNull();
  expect(after.tag).not.toBe(before.tag);
  const edit = async (titre: string, tag: string) => {
    const answer = await fetch(`${house.url}/api/livres/1`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'If-Match': tag },
      body: JSON.stringify({ titre, format: 'Physique', isbn: ISBN }),
    });
    return answer.status;
  };
  expect(await edit('Un', before.tag)).toBe(200);
  expect(await edit('Deux', before.tag)).toBe(412);
  expect(await edit('Deux', after.tag)).toBe(412);
  expect(await edit('Deux', (await readLivre(house)).tag)).toBe(200);
});

const NO_SPACE = Object.assign(new Error('no space left'), { code: 'ENOSPC' });

test('on a full disk a lost thumbnail is shown unkept', async () => {
  const { house, fetchCover } = await houseWithBook();
  await fetchCover();
  const cle = (await readLivre(house)).couverture?.cle ?? '';
  truncateSync(fileOf(house, `${cle}.page.webp`), 20);
  vi.spyOn(CoverFiles.prototype, 'write').mockRejectedValue(NO_SPACE);
  expect((await image(house, cle, 'page')).status).toBe(200);
});

test('on a full disk a lost picture is not found', async () => {
  const { house, fetchCover } = await houseWithBook();
  await fetchCover();
  const cle = (await readLivre(house)).couverture?.cle ?? '';
  truncateSync(fileOf(house, cle), 20);
  vi.spyOn(house.context.database, 'write').mockImplementation(() => {
    throw NO_SPACE;
  });
  expect((await image(house, cle, 'originale')).status).toBe(404);
});

test('a damaged picture spoils no other row’s, and comes again', async () => {
  const { house, source, fetchCover } = await houseWithBook();
  await fetchCover();
  const cle = (await readLivre(house)).couverture?.cle ?? '';
  await ajouterLivre(house, { titre: 'Autre' });
  const mine = coverOf(await put(house, '/api/livres/2/couverture', await picture('#ff0000'))).cle;
  const damaged = readFileSync(fileOf(house, cle)).fill(0, 40);
  writeFileSync(fileOf(house, cle), damaged);
  truncateSync(fileOf(house, `${cle}.ligne.webp`), 20);
  const batch = await fetch(`${house.url}/api/couvertures/lignes?cles=${cle},${mine}`);
  expect(batch.status).toBe(200);
  await eventually(() => source.asked.length).toBe(2);
  await eventually(() => house.context.covers.fetcher.etat().gardees).toBe(1);
  expect((await image(house, cle, 'ligne')).status).toBe(200);
  expect((await image(house, cle, 'originale')).bytes).toEqual(await picture('#204060'));
});

test('an unreadable picture spoils no other row’s', async () => {
  const { house, fetchCover } = await houseWithBook();
  await fetchCover();
  const { cle = '' } = (await readLivre(house)).couverture ?? {};
  await ajouterLivre(house, { titre: 'Autre' });
  const mine = coverOf(await put(house, '/api/livres/2/couverture', await picture('#ff0000'))).cle;
  const ligne = fileOf(house, `${cle}.ligne.webp`);
  rmSync(ligne);
  mkdirSync(ligne);
  const batch = await fetch(`${house.url}/api/couvertures/lignes?cles=${cle},${mine}`);
  const pictures = readThumbnails(new Uint8Array(await batch.arrayBuffer()));
  expect(pictures.map((bytes) => bytes !== null)).toEqual([false, true]);
  // If no picture is readable, the disk may be missing: respond with an error, so that the batch is requested again.
  expect((await fetch(`${house.url}/api/couvertures/lignes?cles=${cle}`)).status).toBe(500);
});
