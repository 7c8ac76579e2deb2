import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectionNames, collections } from '#shared/collections';
import type { Jalon } from '#shared/replication';
import { temporaryFolder } from '../support/base.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';

interface Page {
  documents: { id: number; _deleted: boolean }[];
  jalon: Jalon;
}

const addLivre = async (house: House, titre: string): Promise<number> => {
  const { body } = await house.ask('ana', 'POST', '/api/livres?confirmerDoublon=true', {
    titre,
    format: 'Physique',
    auteurs: ['Colette'],
  });
  return (body as { id: number }).id;
};

const pull = (house: House, query: string, utilisateur: string | null = null): Promise<Answer> =>
  house.ask(utilisateur, 'GET', `/api/replication/${query}`);

async function page(house: House, query: string, utilisateur?: string): Promise<Page> {
  const { status, body } = await pull(house, query, utilisateur);
  expect(status, query).toBe(200);
  return body as Page;
}

const after = ({ epoque, revision }: Jalon) => `epoque=${epoque}&revision=${String(revision)}`;

test('an empty household gives an empty last page of every collection', async () => {
  const house = await openHouse();
  const { epoque } = house.context.base;
  for (const name of collectionNames) {
    expect(await page(house, name, 'ana')).toEqual({
      documents: [],
      jalon: { epoque, revision: 0 },
    });
  }
});

test('pages are in order of revision, full until the last, which has the database’s revision', async () => {
  const house = await openHouse();
  for (const titre of ['A', 'B', 'C', 'D', 'E']) await addLivre(house, titre);
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 1 });

  const first = await page(house, 'livres?limite=2');
  const second = await page(house, `livres?limite=2&${after(first.jalon)}`);
  const third = await page(house, `livres?limite=2&${after(second.jalon)}`);
  const ids = [first, second, third].map(({ documents }) => documents.map(({ id }) => id));
  expect(ids).toEqual([[1, 2], [3, 4], [5]]);
  expect(second.jalon.revision).toBeGreaterThan(first.jalon.revision);
  expect(third.jalon.revision).toBe(house.context.base.revision());

  const exact = await page(house, 'livres?limite=5');
  expect(exact.jalon.revision).toBeLessThan(house.context.base.revision());
  const nothing = await page(house, `livres?limite=5&${after(exact.jalon)}`);
  expect(nothing).toEqual({ documents: [], jalon: third.jalon });
});

test('every write’s X-Revision is reached by every collection', async () => {
  const house = await openHouse();
  await addLivre(house, 'A');
  const { headers } = await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 0 });
  for (const name of collectionNames) {
    const { jalon } = await page(house, name, 'bob');
    expect(String(jalon.revision), name).toBe(headers.get('x-revision'));
  }
});

test('a book’s document is the API’s record without what others carry', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const { body } = await house.ask('ana', 'GET', '/api/livres/1');
  const { statut, pret, ...livre } = body as Record<string, unknown>;
  expect([statut, pret]).toEqual([null, null]);
  expect((await page(house, 'livres')).documents).toEqual([{ ...livre, _deleted: false }]);
});

test('a deleted record is its number and nothing more, in every collection', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 0 });
  await house.ask(null, 'POST', '/api/livres/1/prets', { emprunteur: 'Zoé' });
  await house.ask(null, 'POST', '/api/prets/1/retour');
  await house.ask(null, 'DELETE', '/api/livres/1');
  for (const liste of ['souhaits', 'souhaits-revues']) {
    await house.ask('ana', 'POST', `/api/${liste}`, { titre: 'Sido' });
    await house.ask('ana', 'DELETE', `/api/${liste}/1`);
  }
  await house.ask(null, 'POST', '/api/series', { titre: 'Cycle', places: [{ titre: 'A' }] });
  await house.ask(null, 'DELETE', '/api/series/1');
  await house.ask(null, 'POST', '/api/revues', { titre: 'Rivages' });
  await house.ask(null, 'POST', '/api/revues/1/numeros', { numero: '1', themes: ['Mer'] });
  await house.ask(null, 'DELETE', '/api/revues/1');
  for (const name of collectionNames) {
    expect((await page(house, name, 'ana')).documents, name).toEqual([{ id: 1, _deleted: true }]);
  }
  expect((await page(house, 'statuts', 'bob')).documents).toEqual([]);
});

test('a renamed author is sent again with the books that cite the name', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const { jalon } = await page(house, 'livres');
  await house.ask(null, 'PUT', '/api/auteurs/1', { nom: 'Sidonie-Gabrielle Colette' });
  const { documents } = await page(house, `livres?${after(jalon)}`);
  expect(documents).toMatchObject([{ auteurs: [{ id: 1, nom: 'Sidonie-Gabrielle Colette' }] }]);
});

test('a personal collection needs an identity before all else, and gives the caller’s own', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  await house.ask('Élodie', 'PUT', '/api/livres/1/statut', { statut: 2 });
  for (const name of collectionNames.filter((each) => collections[each].personal)) {
    for (const query of [
      '',
      '?epoque=x',
      '?limite=0',
      '?epoque=x&revision=99',
      '?limite=1&limite=2',
    ]) {
      expect(await pull(house, name + query), query).toMatchObject({
        status: 401,
        body: { code: 'IDENTITE_INCONNUE' },
      });
    }
  }
  expect((await page(house, 'statuts', 'Élodie')).documents).toEqual([
    { id: 1, livreId: 1, statut: 2, _deleted: false },
  ]);
  expect((await page(house, 'statuts', 'élodie')).documents).toEqual([]);
});

test('answers are private and never stored', async () => {
  const house = await openHouse();
  for (const name of collectionNames) {
    const { headers } = await pull(house, name, 'ana');
    expect(headers.get('cache-control'), name).toBe('private, no-store');
  }
});

test.each([
  ['livres?revision=0', 'epoque'],
  ['livres?epoque=&revision=3', 'epoque'],
  ['livres?epoque=x&revision=-1', 'revision'],
  ['livres?epoque=x&revision=un', 'revision'],
  ['livres?epoque=x&revision=1.5', 'revision'],
  ['livres?limite=0', 'limite'],
  ['livres?limite=5001', 'limite'],
  ['livres?limite=5&limite=6', 'limite'],
])('%s is 400 for its %s', async (query, champ) => {
  const house = await openHouse();
  expect(await pull(house, query)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] },
  });
});

test('an epoch of its own without a revision is 400', async () => {
  const house = await openHouse();
  const { epoque } = (await page(house, 'livres')).jalon;
  expect(await pull(house, `livres?epoque=${epoque}`)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'revision' }] },
  });
});

test.each(['souris', 'Livres', 'livres/1', 'constructor', ''])(
  'the collection « %s » is unknown',
  async (name) => {
    const house = await openHouse();
    expect(await pull(house, name, 'ana')).toMatchObject({
      status: 404,
      body: { code: 'INTROUVABLE' },
    });
  },
);

test('refuses another epoch at any revision, and a revision ahead of the database', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const { epoque, revision } = (await page(house, 'livres')).jalon;
  const stale = { status: 409, body: { code: 'EPOQUE_PERIMEE' } };
  for (const autre of ['autre', epoque.toUpperCase(), 'é"; --', 'x'.repeat(2000)]) {
    const query = `livres?epoque=${encodeURIComponent(autre)}`;
    expect(await pull(house, `${query}&revision=0`), autre).toMatchObject(stale);
    expect(await pull(house, query), autre).toMatchObject(stale);
  }
  expect(await pull(house, `livres?${after({ epoque: 'autre', revision })}`)).toMatchObject(stale);
  expect(await pull(house, `livres?${after({ epoque, revision: revision + 1 })}`)).toMatchObject(
    stale,
  );
  expect(await pull(house, `livres?${after({ epoque, revision })}`)).toMatchObject({ status: 200 });
  expect(await pull(house, `livres?${after({ epoque, revision: 0 })}`)).toMatchObject({
    status: 200,
  });
});

test('after a restored backup every replica starts again, wherever it had come to', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await openHouse(path);
  await addLivre(house, 'Sido');
  const early = (await page(house, 'livres')).jalon;
  await house.close();
  copyFileSync(path, `${path}.sauvegarde`);

  const later = await openHouse(path);
  expect(await pull(later, `livres?${after(early)}`)).toMatchObject({ status: 200 });
  await addLivre(later, 'Chéri');
  await later.close();

  copyFileSync(`${path}.sauvegarde`, path);
  const restored = await openHouse(path);
  expect(await pull(restored, `livres?${after(early)}`)).toMatchObject({ status: 409 });
  expect((await page(restored, 'livres')).documents).toHaveLength(1);
});
