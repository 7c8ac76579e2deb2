// @module-tag random
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { Database } from '#server/plumbing/database/database';
import { atLeastOne } from '../support/at-least-one.ts';
import { furnish } from '../modifications/support/base.ts';
import { householdRows } from '../modifications/support/household.ts';
import { makeHousehold, titresOf } from '../backup/support.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { png } from '../support/png.ts';
import { random, runs, SEED } from '../support/random.ts';
import { folderOf, imageOf, imagesDuring, torn } from './image.ts';
import { writeSomething } from './writes.ts';

const CUTS = runs(30);
const CUTS_A_HOUSE = 200;
const FILE = 'bibliotheque.sqlite';

/** The household's rows, its history, and its journal's revision. */
const stateOf = (database: Database) => ({
  rows: householdRows(database),
  acts: database.prepare('SELECT id, annuleeParId FROM Modification ORDER BY id').all(),
  revision: database.revision(),
});

/** The file names of uploaded pictures. */
const chosenCovers = (database: Database): string[] =>
  database
    .all<{ cle: string }>(
      `SELECT couvertureCle AS cle FROM Livre WHERE cle IS NOT NULL
       UNION SELECT couvertureCle FROM Numero WHERE couvertureCle IS NOT NULL
       UNION SELECT couvertureCle FROM Souhait WHERE couvertureCle IS NOT NULL`,
    )
    .map(({ cle }) => cle);

const missingCovers = (database: Database, folder: string): string[] =>
  chosenCovers(database).filter((cle) => !existsSync(join(folder, 'couvertures', cle)));

test(`a power cut leaves each write complete or undone (SEED=${String(SEED)})`, async () => {
  const chance = random(SEED);
  for (let cut = 0; cut < CUTS;) {
    // The records are in the log, like the writes after them.
    const house = await openHouse();
    await furnish(house);
    const { config, database } = house.context;
    const folder = dirname(config.databasePath);
    for (const end = Math.min(CUTS, cut + CUTS_A_HOUSE); cut < end; cut++) {
      const [before, old] = [imageOf(folder), stateOf(database)];
      await writeSomething(house, chance);
      const [after, present] = [imageOf(folder), stateOf(database)];
      // During a slow write the log was emptied: how the disk held it before is not known.
      if (after.get(`${FILE}-wal`)?.length === 0) continue;
      const left = folderOf(torn(before, after, chance));
      const found = Database.open(join(left, FILE));
      try {
        expect(found.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
        expect(found.all('PRAGMA foreign_key_check')).toEqual([]);
        const state = stateOf(found);
        expect([old.revision, present.revision]).toContain(state.revision);
        expect(state).toEqual(state.revision === old.revision ? old : present);
        expect(missingCovers(found, left)).toEqual([]);
      } finally {
        found.close();
      }
    }
    // After a crash, every acknowledged write is there.
    const present = stateOf(database);
    const found = temporaryDatabase(join(folderOf(imageOf(folder)), FILE));
    expect(stateOf(found)).toEqual(present);
    await house.close();
  }
});

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro'];

test('a backup interrupted at any step leaves complete files only', async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const images = await imagesDuring(folder, () => makeBackup(path, backups));
  expect(images.length).toBeGreaterThan(3);
  const whole: string[] = [];
  for (const image of atLeastOne(images)) {
    const left = join(folderOf(image), 'coffre');
    const names = existsSync(left) ? readdirSync(left) : [];
    for (const name of names.filter((each) => each.endsWith('.zip'))) {
      const elsewhere = join(left, 'x.sqlite');
      await restoreBackup(join(left, name), { databasePath: elsewhere });
      whole.push(...titresOf(elsewhere));
    }
    // The next backup succeeds, whatever the last one has left.
    await makeBackup(join(dirname(left), FILE), left);
  }
  expect(whole).toEqual(expect.arrayContaining(TITRES));
});

test('an interrupted restore leaves one complete household with its covers', async () => {
  const { path, backups, folder } = await householdWithCover('Nouveau', 1);
  const { path: file } = await makeBackup(path, backups);
  const old = await householdWithCover('Ancien', 2);
  expect(folder).not.toBe(old.folder);
  const images = await imagesDuring(old.folder, () =>
    restoreBackup(file, { databasePath: old.path }),
  );
  const seen = new Set<string>();
  for (const image of atLeastOne(images)) {
    const left = folderOf(image);
    const found = temporaryDatabase(join(left, FILE));
    expect(found.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(chosenCovers(found)).toHaveLength(1);
    expect(missingCovers(found, left)).toEqual([]);
    found.close();
    for (const titre of titresOf(join(left, FILE))) seen.add(titre);
  }
  expect([...seen].sort()).toEqual(['Ancien', 'Nouveau']);
});

/** A household with one book and its uploaded picture, whose service was stopped. */
async function householdWithCover(titre: string, grey: number) {
  const household = makeHousehold([titre]);
  const house = await openHouse(household.path);
  onTestFinished(() => house.close());
  const pixels = new Uint8Array(60 * 90).fill(grey);
  const answer = await fetch(`${house.url}/api/livres/1/couverture`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(png({ width: 60, height: 90, pixels })),
  });
  expect(answer.status).toBe(200);
  await house.close();
  return household;
}
