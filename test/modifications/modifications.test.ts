import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { MODIFICATION_COUNT, type Fiche, type Modification } from '#shared/modifications';
import { ajouterEmplacement } from '#shared/emplacements';
import { insertRow } from '#server/plumbing/database/columns';
import { answer, operation } from '#server/plumbing/writes/operations';
import { Writes } from '#server/plumbing/writes/writes';
import { beginModification } from '#server/subjects/modifications/changesets';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { readOperations } from '../support/operations.ts';
import { ServerProcess } from '../support/process.ts';
import { householdRows } from './support/household.ts';

const DAY_MS = 86_400_000;

/** The records stored for each modification. */
const readFiches = (house: House): { utilisateur: string | null; fiches: Fiche[] }[] =>
  house.context.database
    .prepare<[], { utilisateur: string | null; fiches: string }>(
      'SELECT utilisateur, fiches FROM Modification ORDER BY id',
    )
    .all()
    .map(({ utilisateur, fiches }) => ({ utilisateur, fiches: JSON.parse(fiches) as Fiche[] }));

const list = async (house: House, query = ''): Promise<Modification[]> =>
  (await house.ask('ana', 'GET', `/api/modifications${query}`)).body as Modification[];

test('every operation that writes has its sentence', async () => {
  const missing = [...(await readOperations())].filter(
    ([, { method, path, skipsHistory, modification }]) =>
      method !== 'GET' && !skipsHistory && !path.endsWith('/annulation') && !modification,
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

test('every table of the household, and no other, has triggers', () => {
  const database = temporaryDatabase();
  const triggers = database
    .prepare<[], { name: string }>(
      // The data of a deleted book's readings is captured with its deletion.
      "SELECT DISTINCT tbl_name AS name FROM sqlite_temp_schema WHERE type = 'trigger' AND tbl_name <> 'Dormant' ORDER BY 1",
    )
    .all()
    .map(({ name }) => name);
  expect(triggers).toEqual(Object.keys(householdRows(database)));
  expect(database.capture.tables.toSorted()).toEqual(triggers);
});

test('the newest acts come first, page by page', async () => {
  const house = await openHouse();
  for (const titre of ['Un', 'Deux', 'Trois']) await ajouterLivre(house, { titre });
  expect((await list(house, '?limite=2')).map(({ id }) => id)).toEqual([3, 2]);
  expect((await list(house, '?avant=2')).map(({ resume }) => resume)).toEqual([
    'Livre ajouté : Un',
  ]);
  expect((await house.ask(null, 'GET', '/api/modifications?limite=0')).status).toBe(400);
});

test('a page holds a thousand acts at most', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Un' });
  expect(await list(house, '?limite=1000')).toHaveLength(1);
  for (const limite of ['1001', '0', '-1', 'x'])
    expect(await house.ask(null, 'GET', `/api/modifications?limite=${limite}`)).toMatchObject({
      status: 400,
      body: { code: 'REQUETE_INVALIDE', champs: [{ champ: 'limite' }] },
    });
});

test('a modification lists the fields of twenty records, and the name of each', async () => {
  const house = await openHouse();
  const titres = Array.from({ length: 25 }, (_, index) => `Livre ${String(index + 1)}`);
  for (const titre of titres) await ajouterLivre(house, { titre });
  const lot = { ids: titres.map((_, index) => index + 1), action: 'format', format: 'Numerique' };
  expect((await house.ask(null, 'POST', '/api/livres/lot', lot)).status).toBe(200);
  const { fiches = [] } = readFiches(house).at(-1) ?? {};
  expect(fiches.map(({ titre }) => titre)).toEqual(titres);
  const isDetailed = fiches.map(({ champs }) => champs.length > 0);
  expect(isDetailed).toEqual(titres.map((_, index) => index < 20));
});

test('a long summary is cut between characters', async () => {
  const house = await openHouse();
  const titre = `${'a'.repeat(298)}${'\u{1f4d7}'.repeat(10)}`;
  const { id } = await ajouterLivre(house, { titre });
  await house.ask(null, 'PUT', `/api/livres/${String(id)}`, { titre: 'Un', format: 'Physique' });
  const texts = JSON.stringify(readFiches(house));
  expect(texts).toContain(`${'a'.repeat(298)}…`);
  expect(texts).not.toMatch(/\\ud83d/);
});

test('a device has a modification’s changes, field by field', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] }, 'ana');
  const path = `/api/livres/${String(livre.id)}`;
  await house.ask('bob', 'PUT', path, {
    titre: 'Dune',
    format: 'Physique',
    auteurs: ['F. H.'],
    annee: 1965,
  });
  await house.ask('bob', 'DELETE', path);
  expect(readFiches(house)).toMatchObject([
    { fiches: [{ collection: 'livres', ajoutee: true }, { collection: 'auteurs' }] },
    {
      utilisateur: 'bob',
      fiches: [
        {
          collection: 'livres',
          id: 1,
          titre: 'Dune',
          champs: [
            { champ: 'annee', avant: null, apres: 1965 },
            { champ: 'auteurs', avant: 'Frank Herbert', apres: 'F. H.' },
          ],
        },
        { collection: 'auteurs', titre: 'F. H.', ajoutee: true },
        { collection: 'auteurs', titre: 'Frank Herbert', supprimee: true },
      ],
    },
    { fiches: [{ supprimee: true, titre: 'Dune' }, { collection: 'auteurs' }] },
  ]);
});

test('an act is kept for thirty days or among 20,000', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const path = join(temporaryFolder(), 'maison.sqlite');
  let house = await openHouse(path);
  for (const titre of ['Un', 'Deux']) await ajouterLivre(house, { titre });
  const { database } = house.context;
  vi.setSystemTime(Date.now() + 31 * DAY_MS);
  await house.close();
  house = await openHouse(path);
  expect(await list(house)).toHaveLength(2);
  await ajouterLivre(house, { titre: 'Trois' });
  house.context.database.write((tx) =>
    tx
      .prepare<[number, string]>('UPDATE sqlite_sequence SET seq = ? WHERE name = ?')
      .run(MODIFICATION_COUNT + 2, 'Modification'),
  );
  vi.setSystemTime(Date.now() + 29 * DAY_MS);
  await ajouterLivre(house, { titre: 'Quatre' });
  await house.close();
  house = await openHouse(path);
  const entries = await list(house);
  expect(entries.map(({ resume }) => resume)).toEqual([
    'Livre ajouté : Quatre',
    'Livre ajouté : Trois',
  ]);
  for (const gone of [1, 2])
    expect(
      (await house.ask('ana', 'POST', `/api/modifications/${String(gone)}/annulation`)).status,
    ).toBe(404);
  expect(database.history.epoque).toBe(house.context.database.history.epoque);
});

test('a day later another person can undo it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune' });
  const before = householdRows(house.context.database);
  const { headers } = await house.ask('ana', 'DELETE', '/api/livres/1');
  vi.setSystemTime(Date.now() + DAY_MS);
  const path = `/api/modifications/${String(headers.get('X-Modification'))}/annulation`;
  const { status, body } = await house.ask('bob', 'POST', path);
  expect([status, body]).toMatchObject([201, { utilisateur: 'bob', annulable: true }]);
  expect(householdRows(house.context.database)).toEqual(before);
  expect((await house.ask('ana', 'POST', path)).body).toMatchObject({
    raison: 'Cette modification est déjà annulée.',
  });
});

test('a service killed after an act can still undo it', { tags: 'process' }, async () => {
  const settings = { DATABASE_PATH: join(temporaryFolder(), 'maison.sqlite') };
  const send = async (url: string, method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text && (JSON.parse(text) as unknown),
    };
  };
  const first = new ServerProcess(settings);
  const url = await first.url();
  await send(url, 'POST', '/api/livres', {
    titre: 'Dune',
    format: 'Physique',
    auteurs: ['Herbert'],
  });
  const { body: before } = await send(url, 'GET', '/api/livres');
  const { headers } = await send(url, 'DELETE', '/api/livres/1');
  await first.end('SIGKILL');
  const second = new ServerProcess(settings);
  const again = await second.url();
  const id = String(headers.get('X-Modification'));
  expect((await send(again, 'POST', `/api/modifications/${id}/annulation`, {})).status).toBe(201);
  expect((await send(again, 'GET', '/api/livres')).body).toEqual(before);
});

test('a modification keeps the address of its new record', async () => {
  const { records, journal } = (await openHouse()).context;
  const headers = { Location: '/api/livres/1' };
  const made = operation(ajouterEmplacement, {
    may: 'household',
    run: (tx) => {
      const nom = 'Salon';
      const id = insertRow(tx, 'Emplacement', { nom, nomNormalise: nom, position: 0 });
      return answer(
        { id, nom, parentId: null, note: null, rang: 0, fermeLe: null },
        { status: 202, headers },
      );
    },
  });
  const write = {
    operation: made,
    call: { prepared: undefined },
    utilisateur: 'ana',
    actor: 'ana',
    recordId: null,
    ifMatch: undefined,
    key: null,
    maxWaitMs: undefined,
  };
  expect(new Writes(records, journal, beginModification).perform(write, undefined)).toMatchObject({
    status: 202,
    message: { fait: 'emplacementAjoute' },
    headers: { ...headers, 'X-Modification': '1' },
  });
});
