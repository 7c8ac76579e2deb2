import { expect, test } from 'vitest';
import { download, unzip } from '../export/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { lecturesDe, noter } from './support.ts';

const SECRETS = /inavouable|ailleurs|2019-03-12|ajouterLecture|"note":9/;

/** A household in which Ana has readings of a book, of one that was deleted and restored, and without a book. */
async function household(): Promise<House> {
  const house = await openHouse();
  for (const titre of ['Dune', 'Sido']) await ajouterLivre(house, { titre });
  const ana = (method: string, path: string, body?: object) => house.ask('ana', method, path, body);
  await noter(house, 'ana', { livreId: 1, fin: '2019-03-12', note: 9, avis: 'inavouable' });
  await noter(house, 'ana', { livreId: 2, fin: '2019-03-12', note: 9, avis: 'inavouable' });
  await noter(house, 'ana', { titre: 'Lu ailleurs', avis: 'inavouable' });
  await ana('PUT', '/api/livres/1/statut', { statut: 1 });
  const { headers } = await house.ask('bob', 'DELETE', '/api/livres/2');
  const modification = `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`;
  await house.ask('bob', 'POST', modification);
  await ana('DELETE', '/api/lectures/3');
  return house;
}

test('no answer to anybody else holds anything of a reading', async () => {
  const house = await household();
  for (const who of ['bob', null]) {
    for (const path of [
      '/api/replication?limite=5000&modifications=true',
      '/api/modifications?limite=1000',
      '/api/livres',
      '/api/livres?tri=note',
      '/api/livres?tri=fin',
      '/api/livres/1',
      '/api/livres/2',
      '/api/export/livres.csv',
      '/api/export/goodreads.csv',
      '/api/export/livres.bib',
      '/api/export/livres.ris',
    ]) {
      const response = await fetch(house.url + path, { headers: house.headersOf(who) });
      expect(response.status, path).toBe(200);
      expect(await response.text(), `${String(who)} ${path}`).not.toMatch(SECRETS);
    }
    const files = await unzip((await download(house, '/api/export.zip', who)).bytes);
    expect([...files.values()].join('\n')).not.toMatch(SECRETS);
    expect(JSON.parse(files.get('rayonnage.json') ?? '')).toMatchObject({
      counts: { lectures: 0 },
    });
  }
  expect(await lecturesDe(house, 'ana')).toHaveLength(3);
});

test('a reader’s private modifications are read and undone by nobody else', async () => {
  const house = await household();
  const { headers } = await house.ask('ana', 'POST', '/api/lectures', { livreId: 1 });
  const path = `/api/modifications/${headers.get('X-Modification') ?? ''}`;
  expect(await house.ask('bob', 'GET', path)).toMatchObject({ status: 404 });
  expect(await house.ask('bob', 'POST', `${path}/annulation`)).toMatchObject({ status: 404 });
  expect(await house.ask('ana', 'POST', `${path}/annulation`)).toMatchObject({ status: 201 });
});

test('a restored export gives its readings only to who restores', async () => {
  const house = await household();
  const { bytes } = await download(house, '/api/export.zip', 'ana');
  const other = await openHouse();
  const response = await fetch(`${other.url}/api/restauration`, {
    method: 'POST',
    headers: { ...other.headersOf('bob'), 'Content-Type': 'application/zip' },
    body: new Uint8Array(bytes),
  });
  expect(response.status).toBeLessThan(300);
  expect(await lecturesDe(other, 'ana')).toEqual([]);
  expect(await lecturesDe(other, 'bob')).toHaveLength(3);
});
