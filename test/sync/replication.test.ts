import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectionNames, type CollectionName } from '#shared/collection-names';
import { collections } from '#shared/collections';
import type { ChangePage } from '#shared/replication';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { askPage, pullAll, pullPage } from '../support/replication.ts';

const STALE = { status: 409, body: { code: 'EPOQUE_PERIMEE' } };

const addLivre = (house: House, titre: string) =>
  house.ask('ana', 'POST', '/api/livres?confirmerDoublon=true', {
    titre,
    format: 'Physique',
    auteurs: ['Colette'],
  });

const setStatut = (house: House, utilisateur: string, livreId: number, statut: number | null) =>
  house.ask(utilisateur, 'PUT', `/api/livres/${String(livreId)}/statut`, { statut });

/** A page's changes as « collection/id », with `-` for deletions. */
const linesOf = ({ changements }: Pick<ChangePage, 'changements'>): string[] =>
  changements.map(
    ({ collection, id, document }) => `${document === null ? '-' : ''}${collection}/${String(id)}`,
  );

const of = ({ changements }: ChangePage, name: CollectionName) =>
  changements.filter(({ collection }) => collection === name);

test('an empty household gives one complete page, never stored', async () => {
  const house = await openHouse();
  for (const utilisateur of ['ana', null]) {
    const { headers, body } = await askPage(house, utilisateur);
    expect(body).toEqual({
      epoque: expect.stringMatching(/./) as string,
      bibliotheque: house.context.database.householdId,
      utilisateur,
      changements: [],
      revision: 0,
      complet: true,
    });
    expect(headers.get('cache-control')).toBe('private, no-store');
  }
});

test('another is answered between the pages of thirty devices', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const pagesBefore = async () => {
    let pages = 0;
    const pulls = Array.from({ length: 30 }, async () => {
      await askPage(house, 'ana');
      pages++;
    });
    await house.ask('bob', 'GET', '/api/livres/1');
    const before = pages;
    await Promise.all(pulls);
    return before;
  };
  // Opening a connection takes turns of its own.
  await pagesBefore();
  expect(await pagesBefore()).toBeLessThan(15);
});

test('pages hold each record once, by revision, as last written', async () => {
  const house = await openHouse();
  for (const titre of ['A', 'B', 'C']) await addLivre(house, titre);
  await house.ask(null, 'POST', '/api/revues', { titre: 'Rivages' });
  await setStatut(house, 'ana', 1, 0);
  await house.ask(null, 'PUT', '/api/livres/1', { titre: 'A2', format: 'Physique' });
  const { changements, revision } = await pullAll(house, 'ana', undefined, 2);
  const revisions = changements.map((change) => change.revision);
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  expect(linesOf({ changements }).sort()).toEqual([
    'auteurs/1',
    'livres/1',
    'livres/2',
    'livres/3',
    'revues/1',
    'statuts/1',
  ]);
  expect(changements.at(-1)).toMatchObject({ collection: 'livres', document: { titre: 'A2' } });
  expect(revision).toBe(house.context.database.revision());
});

test('the size of pages does not change the result', async () => {
  const house = await openHouse();
  for (const titre of ['A', 'B', 'C']) await addLivre(house, titre);
  const { changements } = await pullAll(house, null);
  const count = changements.length;
  expect((await pullPage(house, null, undefined, count)).complet).toBe(true);
  const cut = await pullPage(house, null, undefined, count - 1);
  expect(cut).toMatchObject({ complet: false, revision: cut.changements.at(-1)?.revision });
  expect(linesOf(await pullPage(house, null, cut))).toHaveLength(1);
  await setStatut(house, 'ana', 2, 0);
  await house.ask(null, 'DELETE', '/api/livres/3');
  const complete = await pullAll(house, 'ana');
  for (const limite of [1, 2, 3, 5000])
    expect(await pullAll(house, 'ana', undefined, limite)).toEqual(complete);
});

test('every write’s X-Revision is reached, by any caller', async () => {
  const house = await openHouse();
  await addLivre(house, 'A');
  const before = await pullAll(house, 'bob');
  const { headers } = await setStatut(house, 'ana', 1, 0);
  for (const utilisateur of ['ana', 'bob', null]) {
    const { revision } = await pullAll(house, utilisateur);
    expect(String(revision)).toBe(headers.get('x-revision'));
  }
  expect(await pullPage(house, 'bob', before)).toMatchObject({
    changements: [],
    revision: Number(headers.get('x-revision')),
    complet: true,
  });
});

test('a book’s document is the API’s, without others’ fields', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const { body } = await house.ask('ana', 'GET', '/api/livres/1');
  const { statut, pret, ...livre } = body as Record<string, unknown>;
  expect([statut, pret]).toEqual([null, null]);
  expect(of(await pullAll(house, null), 'livres')).toMatchObject([{ id: 1, document: livre }]);
});

test('a book is sent again when an author is renamed', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const before = await pullAll(house, null);
  await house.ask(null, 'PUT', '/api/auteurs/1', { nom: 'Sidonie-Gabrielle Colette' });
  const after = await pullAll(house, null, before);
  expect(linesOf(after).sort()).toEqual(['auteurs/1', 'livres/1']);
  expect(of(after, 'livres')).toMatchObject([
    { document: { auteurs: [{ id: 1, nom: 'Sidonie-Gabrielle Colette' }] } },
  ]);
});

test('a deletion is sent in every collection, to its readers', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  await setStatut(house, 'ana', 1, 0);
  await house.ask(null, 'POST', '/api/livres/1/prets', { emprunteur: 'Zoé' });
  await house.ask(null, 'POST', '/api/prets/1/retour');
  await house.ask(null, 'DELETE', '/api/livres/1');
  for (const list of ['souhaits', 'souhaits-revues', 'lectures']) {
    await house.ask('ana', 'POST', `/api/${list}`, { titre: 'Sido' });
    await house.ask('ana', 'DELETE', `/api/${list}/1`);
  }
  for (const souhaits of [true, false])
    await house.ask('ana', 'PUT', '/api/moi/partage', { lectures: false, souhaits });
  await house.ask('ana', 'POST', '/api/selections', { nom: 'Lus', criteres: { statut: '2' } });
  await house.ask('ana', 'DELETE', '/api/selections/1');
  const objectif = { annee: '2026', unite: 'livres', nombre: 12 };
  await house.ask('ana', 'POST', '/api/objectifs', objectif);
  await house.ask('ana', 'DELETE', '/api/objectifs/1');
  await house.ask(null, 'POST', '/api/series', { titre: 'Cycle', places: [{ titre: 'A' }] });
  await house.ask(null, 'DELETE', '/api/series/1');
  await house.ask(null, 'POST', '/api/emplacements', { nom: 'Salon' });
  await house.ask(null, 'DELETE', '/api/emplacements/1');
  await house.ask(null, 'POST', '/api/revues', { titre: 'Rivages' });
  await house.ask(null, 'POST', '/api/revues/1/numeros', { numero: '1', themes: ['Mer'] });
  await house.ask(null, 'DELETE', '/api/revues/1');
  const all = collectionNames.filter((name) => name !== 'modifications');
  const shared = all.filter((name) => !collections[name].personal);
  const expected = (names: readonly string[]) => names.map((name) => `-${name}/1`).sort();
  expect(linesOf(await pullAll(house, 'ana')).sort()).toEqual(expected(all));
  expect(linesOf(await pullAll(house, 'bob')).sort()).toEqual(expected(shared));
  const forAll = shared.filter((name) => !('knownOnly' in collections[name]));
  expect(linesOf(await pullAll(house, null)).sort()).toEqual(expected(forAll));
});

test('personal records go only to their owner', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  await setStatut(house, 'Élodie', 1, 2);
  const page = await pullAll(house, 'Élodie');
  expect(page.utilisateur).toBe('Élodie');
  expect(of(page, 'statuts')).toMatchObject([{ document: { id: 1, livreId: 1, statut: 2 } }]);
  for (const utilisateur of ['Elodie', null]) {
    const other = await pullAll(house, utilisateur);
    expect(other.utilisateur).toBe(utilisateur);
    expect(of(other, 'statuts')).toEqual([]);
  }
});

test('an invalid query is refused by its parameter', async () => {
  const house = await openHouse();
  const { epoque } = await pullPage(house, 'ana');
  for (const [query, champ] of [
    ['revision=0', 'epoque'],
    ['epoque=x', 'revision'],
    [`epoque=${epoque}`, 'revision'],
    ['epoque=&revision=3', 'epoque'],
    ['epoque=x&revision=-1', 'revision'],
    ['epoque=x&revision=un', 'revision'],
    ['epoque=x&revision=1.5', 'revision'],
    ['limite=0', 'limite'],
    ['limite=5001', 'limite'],
    ['limite=5&limite=6', 'limite'],
  ] as const)
    expect(await house.ask('ana', 'GET', `/api/replication?${query}`), query).toMatchObject({
      status: 400,
      body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] },
    });
});

test('a collection has no path of its own', async () => {
  const house = await openHouse();
  for (const name of ['livres', 'souhaits', 'Livres', 'livres/1', ''])
    expect(await house.ask('ana', 'GET', `/api/replication/${name}`), name).toMatchObject({
      status: 404,
      body: { code: 'INTROUVABLE' },
    });
});

test('refuses another epoch, or a revision ahead of the database', async () => {
  const house = await openHouse();
  const other = await pullPage(await openHouse(), null);
  await addLivre(house, 'Sido');
  const { epoque, revision } = await pullAll(house, null);
  const foreign = [
    other.epoque,
    'autre',
    epoque.toUpperCase(),
    `${epoque}0`,
    epoque.slice(1),
    'é"; --',
    'x'.repeat(2000),
  ];
  for (const each of foreign)
    for (const at of [0, revision, revision + 1])
      expect(await askPage(house, null, { epoque: each, revision: at }), each).toMatchObject(STALE);
  expect(await askPage(house, null, { epoque, revision: revision + 1 })).toMatchObject(STALE);
  for (const at of [0, revision])
    expect(await askPage(house, null, { epoque, revision: at })).toMatchObject({ status: 200 });
});

test('after an older file every replica ahead starts again', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await openHouse(path);
  await addLivre(house, 'Sido');
  const early = await pullAll(house, null);
  await house.close();
  copyFileSync(path, `${path}.sauvegarde`);

  const later = await openHouse(path);
  await addLivre(later, 'Chéri');
  const ahead = await pullAll(later, null);
  await later.close();

  copyFileSync(`${path}.sauvegarde`, path);
  const restored = await openHouse(path);
  expect(await askPage(restored, null, ahead)).toMatchObject(STALE);
  expect(await askPage(restored, null, early)).toMatchObject({ status: 200 });
  expect(of(await pullAll(restored, null), 'livres')).toHaveLength(1);
});

test('a foreign checkpoint is refused with this household’s counts', async () => {
  const other = await openHouse();
  await addLivre(other, 'Sido');
  const { epoque, revision } = await pullAll(other, 'ana');
  const house = await openHouse();
  for (const titre of ['A', 'B', 'C']) await addLivre(house, titre);
  await setStatut(house, 'ana', 1, 0);
  await setStatut(house, 'bob', 2, 0);
  await house.ask('ana', 'DELETE', '/api/livres/3');
  const documents = (await pullAll(house, 'ana')).changements.filter(
    ({ document, collection }) => document !== null && collection !== 'modifications',
  );
  const { householdId, history } = house.context.database;
  // Two books, their author, and the caller's own status.
  expect(documents).toHaveLength(4);
  expect(await askPage(house, 'ana', { epoque, revision })).toMatchObject({
    status: 409,
    body: {
      code: 'EPOQUE_PERIMEE',
      bibliotheque: householdId,
      epoque: history.epoque,
      suite: false,
      documents: documents.length,
      livres: 2,
    },
  });
});

test('a write of a page that shows another household is refused', async () => {
  const house = await openHouse();
  const { householdId } = house.context.database;
  const add = (bibliotheque: string) =>
    fetch(`${house.url}/api/livres`, {
      method: 'POST',
      headers: {
        ...house.headersOf('ana'),
        'content-type': 'application/json',
        'X-Bibliotheque': bibliotheque,
      },
      body: JSON.stringify({ titre: 'Sido', format: 'Physique' }),
    });
  const refused = await add('une autre');
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ code: 'AUTRE_BIBLIOTHEQUE' });
  expect((await house.ask('ana', 'GET', '/api/livres')).body).toEqual([]);
  expect((await add(householdId)).status).toBe(201);
});
