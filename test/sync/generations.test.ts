import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/events.ts';
import { openHouse, type House } from '../support/house.ts';
import { askPage, pullAll } from '../support/replication.ts';

const STALE = { status: 409, body: { code: 'EPOQUE_PERIMEE' } };

const addLivre = (house: House, titre: string) =>
  house.ask('ana', 'POST', '/api/livres', { titre, format: 'Physique' });

/** A data folder whose files can be restored together, as from a disk snapshot. */
function dataFolder() {
  const [folder, kept] = [temporaryFolder(), `${temporaryFolder()}-kept`];
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
  return {
    path: join(folder, 'maison.sqlite'),
    keep: () => cpSync(folder, kept, { recursive: true }),
    putBack: () => {
      rmSync(folder, { recursive: true });
      cpSync(kept, folder, { recursive: true });
    },
  };
}

test.each([
  ['while the service stood', false],
  ['while it ran', true],
])('restored files, kept %s, make only newer replicas start over', async (_, isRunning) => {
  const folder = dataFolder();
  let house = await openHouse(folder.path);
  await addLivre(house, 'Sido');
  const early = await pullAll(house, 'ana');
  if (!isRunning) await house.close();
  folder.keep();
  if (!isRunning) house = await openHouse(folder.path);
  expect((await addLivre(house, 'Perdu')).body).toMatchObject({ id: 2 });
  const late = await pullAll(house, 'ana', early);
  await house.close();

  folder.putBack();
  const again = await openHouse(folder.path);
  // Another book has the lost one's id, and the revision is at least as high as before.
  expect((await addLivre(again, 'Chéri')).body).toMatchObject({ id: 2 });
  await addLivre(again, 'Gigi');
  await addLivre(again, 'Mitsou');
  expect(again.context.database.revision()).toBeGreaterThan(late.revision);
  expect(await askPage(again, 'ana', late)).toMatchObject(STALE);
  const rest = (await pullAll(again, 'ana', early)).changements;
  expect(rest.filter(({ collection }) => collection === 'livres')).toHaveLength(3);
});

test('two histories after restoring one folder are distinguished', async () => {
  const folder = dataFolder();
  await (await openHouse(folder.path)).close();
  folder.keep();
  const pages = [];
  for (const titre of ['Un', 'Deux']) {
    const house = await openHouse(folder.path);
    for (const page of pages) expect(await askPage(house, null, page)).toMatchObject(STALE);
    await addLivre(house, titre);
    for (const page of pages) expect(await askPage(house, null, page)).toMatchObject(STALE);
    pages.push(await pullAll(house, null));
    await house.close();
    folder.putBack();
  }
  expect(pages).toHaveLength(2);
});

test('a copy goes on over any number of starts', async () => {
  const { path } = dataFolder();
  const first = await openHouse(path);
  let page = await pullAll(first, 'ana');
  await first.close();
  for (let start = 0; start < 4; start++) {
    const house = await openHouse(path);
    if (start % 2 === 1) await addLivre(house, `Livre ${String(start)}`);
    page = await pullAll(house, 'ana', page);
    expect(page.changements.length > 0).toBe(start % 2 === 1);
    await house.close();
  }
});

test('a copy from before generations goes on where files stayed', async () => {
  const folder = dataFolder();
  const house = await openHouse(folder.path);
  const { database } = house.context;
  await addLivre(house, 'Sido');
  const { epoque, revision } = await pullAll(house, 'ana');
  const before = (at: number) => ({ epoque: epoque.replace(/-\w+/, ''), revision: at });
  expect(before(revision).epoque).not.toBe(epoque);
  // As after the first start of a version with generations.
  database.write((tx) => {
    tx.run('DELETE FROM Generation');
    tx.run("DELETE FROM sqlite_sequence WHERE name = 'Generation'");
  });
  await house.close();
  folder.keep();
  const now = await openHouse(folder.path);
  expect(await askPage(now, 'ana', before(revision))).toMatchObject({ status: 200 });
  await addLivre(now, 'Chéri');
  expect(await askPage(now, 'ana', before(revision))).toMatchObject({ status: 200 });
  expect(await askPage(now, 'ana', before(revision + 1))).toMatchObject(STALE);
});

test('a start begins one generation, however much is written', async () => {
  const { path } = dataFolder();
  for (const start of [1, 2]) {
    const house = await openHouse(path);
    for (const nth of [1, 2, 3]) await addLivre(house, `Livre ${String(start)}-${String(nth)}`);
    expect(house.context.database.value('SELECT count(*) FROM Generation')).toBe(start);
    await house.close();
  }
});

test('a replica of a forgotten generation must start over', async () => {
  const { path } = dataFolder();
  const house = await openHouse(path);
  const page = await pullAll(house, 'ana');
  house.context.database.write((tx) =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO Generation (nom, revision) SELECT 'g' || i, 0 FROM n`,
    ),
  );
  await house.close();
  const later = await openHouse(path);
  expect(await askPage(later, 'ana', page)).toMatchObject(STALE);
  expect(later.context.database.value('SELECT count(*) FROM Generation')).toBe(1000);
  const before = { ...page, epoque: page.epoque.replace(/-\w+/, '') };
  expect(await askPage(later, 'ana', before)).toMatchObject(STALE);
});

test('a browser ahead of restored files is told to pull', async () => {
  const folder = dataFolder();
  const house = await openHouse(folder.path);
  await addLivre(house, 'Sido');
  folder.keep();
  const stream = await listen(house, 'ana');
  await addLivre(house, 'Perdu');
  await eventually(stream.revisions).toHaveLength(1);
  const lost = /^id: (.+)$/m.exec(stream.text())?.[1];
  await house.close();
  folder.putBack();
  const again = await openHouse(folder.path);
  const back = await listen(again, 'ana', lost);
  await eventually(back.revisions).toEqual([again.context.database.revision()]);
});
