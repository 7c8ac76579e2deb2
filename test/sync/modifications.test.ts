import { expect, test, vi } from 'vitest';
import { MODIFICATION_COUNT, MODIFICATION_DAYS } from '#shared/modifications';
import type { ChangePage, Checkpoint } from '#shared/replication';
import { forgetOldModifications } from '#server/subjects/modifications/modifications';
import { atLeastOne } from '../support/at-least-one.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { askPage, pullAll, pullPage } from '../support/replication.ts';

const DAY_MS = 86_400_000;

const withActs = (
  house: House,
  utilisateur: string | null,
  from?: Checkpoint,
  limite?: number,
): Promise<ChangePage> => pullAll(house, utilisateur, from, limite, true);

const linesOf = ({ changements }: ChangePage): string[] =>
  changements.map(
    ({ collection, id, document }) => `${document === null ? '-' : ''}${collection}/${String(id)}`,
  );

const actsOf = (page: ChangePage): string[] =>
  linesOf(page).filter((line) => line.includes('modifications/'));

/** Three books, and ana's private wish and status. */
async function household(): Promise<House> {
  const house = await openHouse();
  for (const titre of ['Un', 'Deux', 'Trois']) await ajouterLivre(house, { titre });
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Secret' });
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 0 });
  return house;
}

/** Adds modifications, as if made later by the household. */
const addActs = (house: House, count: number) =>
  house.context.database.write((tx) =>
    tx
      .prepare<[number, string]>(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO Modification (date, proprietaire, operation, fiches)
         SELECT ?, '', 'ajouterLivre', '[]' FROM n`,
      )
      .run(count, new Date().toISOString()),
  );

test('a copy that does not ask gets no acts', async () => {
  const house = await household();
  for (const limite of [1, 1000]) {
    const page = await pullAll(house, 'ana', undefined, limite);
    expect(linesOf(page)).toEqual(['livres/1', 'livres/2', 'livres/3', 'souhaits/1', 'statuts/1']);
    expect(page).toMatchObject({ complet: true, revision: house.context.database.revision() });
    expect(page.epoque.split('.')).toHaveLength(4);
  }
});

test('modifications come last, with any size of pages', async () => {
  const house = await household();
  const acts = [1, 2, 3, 4, 5].map((id) => `modifications/${String(id)}`);
  const pages = [];
  for (const limite of [1, 2, 3, 4, 1000]) {
    const page = await withActs(house, 'ana', undefined, limite);
    expect(linesOf(page), String(limite)).toEqual([
      'livres/1',
      'livres/2',
      'livres/3',
      'souhaits/1',
      'statuts/1',
      ...acts,
    ]);
    expect(linesOf(await withActs(house, 'ana', page)), String(limite)).toEqual([]);
    pages.push({ limite, page });
  }
  await house.ask('bob', 'DELETE', '/api/livres/2');
  for (const { limite, page } of atLeastOne(pages))
    expect(linesOf(await withActs(house, 'ana', page, limite)), String(limite)).toEqual([
      '-livres/2',
      'modifications/6',
    ]);
});

test('new writes come before the acts still on their way', async () => {
  const house = await household();
  let page = await pullPage(house, 'ana', {}, 7, true);
  expect(page.complet).toBe(false);
  expect(actsOf(page)).toHaveLength(2);
  await ajouterLivre(house, { titre: 'Quatre' });
  page = await pullPage(house, 'ana', page, 1, true);
  expect(linesOf(page)).toEqual(['livres/4']);
  expect(page.revision).toBe(house.context.database.revision());
  expect(actsOf(await withActs(house, 'ana', page, 1))).toEqual([
    ...[3, 4, 5, 6].map((id) => `modifications/${String(id)}`),
  ]);
});

test('a replica that asks for modifications gets the missing ones', async () => {
  const house = await household();
  const without = await pullAll(house, 'ana');
  const complete = await withActs(house, 'ana', without);
  expect(linesOf(complete)).toEqual([1, 2, 3, 4, 5].map((id) => `modifications/${String(id)}`));
  await house.ask('ana', 'DELETE', '/api/livres/3');
  const stopped = await pullAll(house, 'ana', complete);
  expect(linesOf(stopped)).toEqual(['-livres/3']);
  expect(linesOf(await withActs(house, 'ana', stopped))).toEqual(['modifications/6']);
});

test('a page of acts is bounded by its bytes', async () => {
  const house = await openHouse();
  const messageOf = (kilobytes: number) => {
    const champs = [{ champ: 'resume', avant: 'é'.repeat(kilobytes * 512), apres: null }];
    const fiche = { collection: 'numeros', id: 1, titre: '', ajoutee: false, supprimee: false };
    return JSON.stringify([{ ...fiche, champs }]);
  };
  const sizes = [100, 100, 100, 600, 20, 100, 300, 1, 1];
  house.context.database.write((tx) => {
    const insert = tx.prepare<[string, string, string]>(
      `INSERT INTO Modification (date, proprietaire, operation, arguments, fiches)
     VALUES (?, '', 'traiterLot', ?, ?)`,
    );
    const now = new Date().toISOString();
    for (const [index, size] of sizes.entries())
      insert.run(now, JSON.stringify({ fait: 'phrase', phrase: `Acte ${index}` }), messageOf(size));
  });
  const pages: number[] = [];
  let page = await pullPage(house, 'ana', {}, 1000, true);
  for (;;) {
    pages.push(page.changements.length);
    expect(page.changements.length === 1 || JSON.stringify(page).length < 256 * 1024).toBe(true);
    if (page.complet) break;
    page = await pullPage(house, 'ana', page, 1000, true);
  }
  expect(pages).toEqual([2, 1, 1, 2, 1, 2]);
  expect(actsOf(await withActs(house, 'ana', undefined, 1000))).toHaveLength(sizes.length);
});

test('an act carries its records, and again once undone', async () => {
  const house = await household();
  const before = await withActs(house, 'bob');
  const { headers } = await house.ask('bob', 'DELETE', '/api/livres/2');
  const id = String(headers.get('X-Modification'));
  await house.ask('ana', 'POST', `/api/modifications/${id}/annulation`);
  const { changements } = await withActs(house, 'bob', before);
  const acts = changements.filter(({ collection }) => collection === 'modifications');
  expect(acts.map(({ document }) => document)).toMatchObject([
    { id: 7, utilisateur: 'ana', annuleId: 6, annulable: true },
    {
      id: 6,
      utilisateur: 'bob',
      annulable: false,
      annulee: true,
      annuleeParId: 7,
      fiches: [{ collection: 'livres', id: 2, titre: 'Deux', supprimee: true }],
    },
  ]);
});

test('a personal act comes to its owner only', async () => {
  const house = await household();
  await house.ask('ana', 'POST', '/api/modifications/4/annulation');
  for (const utilisateur of ['bob', null]) {
    const page = await withActs(house, utilisateur);
    expect(actsOf(page)).toEqual(['modifications/1', 'modifications/2', 'modifications/3']);
    expect(JSON.stringify(page)).not.toContain('Secret');
    expect(JSON.stringify(page)).not.toContain('statut"');
  }
  const [ana, bob] = [await withActs(house, 'ana'), await withActs(house, 'bob')];
  expect(actsOf(ana)).toHaveLength(6);
  house.context.database.write((tx) =>
    tx.prepare('DELETE FROM Modification WHERE id IN (1, 5)').run(),
  );
  expect(actsOf(await withActs(house, 'ana', ana))).toEqual([
    '-modifications/1',
    '-modifications/5',
  ]);
  expect(actsOf(await withActs(house, 'bob', bob))).toEqual(['-modifications/1']);
});

test('forgotten modifications are sent only to replicas that have them', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const house = await household();
  const complete = await withActs(house, 'ana');
  const without = await pullAll(house, 'ana');
  vi.setSystemTime(Date.now() + (MODIFICATION_DAYS + 1) * DAY_MS);
  addActs(house, MODIFICATION_COUNT - 3);
  await forgetOldModifications(house.context.database);
  const deletions = ['-modifications/1', '-modifications/2'];
  expect(actsOf(await withActs(house, 'ana', complete)).filter((line) => line[0] === '-')).toEqual(
    deletions,
  );
  for (const from of [undefined, without]) {
    const acts = actsOf(await withActs(house, 'ana', from, 5000));
    expect(acts).toHaveLength(MODIFICATION_COUNT);
    expect(acts.filter((line) => line.startsWith('-'))).toEqual([]);
  }
});

test('a copy too old to hear of forgotten acts restarts', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const house = await household();
  let page = await pullPage(house, 'ana', {}, 6, true);
  const acts = actsOf(page);
  // Only the modifications are incomplete in this page.
  expect([acts.length, page.complet]).toEqual([1, false]);
  house.context.database.write((tx) => tx.prepare('DELETE FROM Modification WHERE id = 1').run());
  page = await pullAll(house, 'ana', page);
  vi.setSystemTime(Date.now() + 401 * DAY_MS);
  vi.advanceTimersByTime(DAY_MS);
  expect(await askPage(house, 'ana', page, 10, true)).toMatchObject({ status: 409 });
  expect(await askPage(house, 'ana', page, 10)).toMatchObject({ status: 200 });
});
