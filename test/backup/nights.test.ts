import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  backUpInThread,
  backUpNightly,
  makeBackup,
  untilNight,
} from '#server/plumbing/database/backup/backup';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { ServerProcess } from '../support/process.ts';
import { writeBackup } from '#server/plumbing/database/backup/file';
import { forgetOldestNight } from '#server/plumbing/database/backup/folder';
import { readDatabaseSummary } from '#server/plumbing/database/backup/database-file';
import { openHouse } from '../support/house.ts';
import { startNotices } from '#server/subjects/sauvegardes';
import { makeHousehold, run } from './support.ts';

const night = (day: number) => new Date(Date.UTC(2026, 0, day, 3));

const nightsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.includes('nuit'))
    .sort();

/**
 * A nightly backup of each of these days, of January 2026 unless `instantOf` says otherwise: the first is made, the
 * others are copies of it.
 */
async function makeNights(
  { path }: { readonly path: string },
  backups: string,
  [first = 1, ...others]: readonly number[],
  instantOf = night,
): Promise<void> {
  const made = await makeBackup(path, backups, { isNightly: true, now: instantOf(first) });
  for (const day of others) copyFileSync(made.path, join(backups, nameOf(instantOf(day))));
}

const nameOf = (instant: Date) =>
  `rayonnage-nuit-${instant.toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`;

const daysFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro', 'Moderato cantabile'];

/** Deletes all books of a closed household, except the first ones. */
function keepOnly(path: string, count: number): void {
  const database = temporaryDatabase(path);
  database.write((tx) => tx.run('DELETE FROM Livre WHERE id > ?', count));
  database.close();
}

test('an empty library at the same place pushes out no backup of the one before', async () => {
  const before = makeHousehold(TITRES);
  await makeNights(before, before.backups, daysFrom(1, 14));
  const good = nightsIn(before.backups);
  const empty = makeHousehold([]);
  await makeNights(empty, before.backups, daysFrom(15, 28));
  for (const day of [29, 30, 31]) await makeNights(empty, before.backups, [day]);
  const left = nightsIn(before.backups);
  expect(left.filter((name) => good.includes(name))).toEqual(good);
  expect(left).toHaveLength(14 + 14);
});

test('no nightly backup is deleted while half of the books are missing, until a person agrees', async () => {
  const house = makeHousehold(TITRES);
  await makeNights(house, house.backups, daysFrom(1, 14));
  keepOnly(house.path, 2);
  for (const day of [15, 16, 17]) await makeNights(house, house.backups, [day]);
  expect(nightsIn(house.backups)).toHaveLength(17);
  const { code, lines } = await run('backup', ['--voulu'], {
    DATABASE_PATH: house.path,
    BACKUP_PATH: house.backups,
  });
  expect([code, lines[1]]).toEqual([0, expect.stringMatching(/^Noté : /)]);
  const today = new Date(Date.now() + 60_000);
  const { fullest } = await makeBackup(house.path, house.backups, { isNightly: true, now: today });
  expect(fullest).toBeNull();
  expect(nightsIn(house.backups)).toHaveLength(17);
  expect(nightsIn(house.backups)).not.toContain('rayonnage-nuit-2026-01-01T03-00-00Z.zip');
});

test('a night forgets one at most, however many lie there', async () => {
  const house = makeHousehold();
  await makeNights(house, house.backups, daysFrom(1, 14));
  for (const day of daysFrom(15, 18))
    copyFileSync(join(house.backups, nameOf(night(1))), join(house.backups, nameOf(night(day))));
  await makeNights(house, house.backups, [19]);
  expect(nightsIn(house.backups)).toHaveLength(18);
  expect(nightsIn(house.backups)[0]).toBe(nameOf(night(2)));
});

/** A nightly backup of December 2025 in the format of versions that did not name the household. */
async function makeOldNight(path: string, backups: string, day: number): Promise<void> {
  const name = `rayonnage-nuit-2025-12-${String(day)}T03-00-00Z.zip`;
  const { date, schema, livres } = (await makeBackup(path, temporaryFolder())).manifest;
  mkdirSync(backups, { recursive: true });
  const contents = { databasePath: path, covers: [] };
  await writeBackup(join(backups, name), contents, { date, schema, livres });
}

test('older backups are unpacked one after another', async () => {
  const { path, backups } = makeHousehold(TITRES);
  await makeOldNight(path, backups, 10);
  const [first = ''] = nightsIn(backups);
  for (const day of daysFrom(11, 25))
    copyFileSync(join(backups, first), join(backups, first.replace('12-10', `12-${String(day)}`)));
  const library = {
    bibliotheque: readDatabaseSummary(path).bibliotheque ?? '',
    livres: TITRES.length,
  };
  const work = { isDone: false };
  const forgotten = forgetOldestNight(backups, night(1), library).finally(() => {
    work.isDone = true;
  });
  let most = 0;
  while (!work.isDone) {
    most = Math.max(most, readdirSync(backups).filter((name) => name.includes('partiel')).length);
    await setImmediate();
  }
  await forgotten;
  expect([most, nightsIn(backups).length]).toEqual([1, 15]);
});

test('an older backup without a household is attributed by its database', async () => {
  const [house, other] = [makeHousehold(TITRES), makeHousehold(TITRES)];
  await makeOldNight(other.path, house.backups, 10);
  await makeOldNight(house.path, house.backups, 11);
  await makeNights(house, house.backups, daysFrom(1, 13));
  await makeNights(house, house.backups, [14]);
  const left = nightsIn(house.backups);
  expect(left).toHaveLength(15);
  expect(left[0]).toContain('2025-12-10');
  expect(left[1]).toContain('2026-01-01');
});

test(
  'a start on a new database warns that the backups contain more',
  { tags: 'process' },
  async () => {
    const before = makeHousehold(TITRES);
    await makeNights(before, before.backups, [1]);
    const DATABASE_PATH = join(temporaryFolder(), 'data', 'bibliotheque.sqlite');
    const start = async (settings: Record<string, string>) => {
      const server = new ServerProcess({ DATABASE_PATH, ...settings });
      await server.said(/Base neuve.*\n/);
      return (await server.end('SIGTERM')).stdout;
    };
    expect(await start({})).toContain(`Base neuve créée : ${DATABASE_PATH}\n`);
    expect(await start({ BACKUP_PATH: before.backups })).toMatch(
      /Base neuve créée le .*, avec 0 livre ; les sauvegardes de .* en ont davantage : 4 livres le 1er janvier 2026 \(rayonnage-nuit-2026-01-01T03-00-00Z\.zip\)\. .*\(DATABASE_PATH\).*\n/,
    );
  },
);

test('a start reports the actual error of reading the backups', async () => {
  const { context } = await openHouse();
  const folder = temporaryFolder();
  const noFolder = join(folder, 'no-folder');
  writeFileSync(noFolder, '');
  const noticesWith = (paths: Partial<typeof context.config>) =>
    startNotices({ ...context, config: { ...context.config, ...paths } }).at(-1);
  expect(noticesWith({ backupPath: noFolder })).toMatch(/no-folder est un fichier/);
  const databasePath = join(folder, 'none.sqlite');
  expect(noticesWith({ databasePath, backupPath: folder })).toBe(
    `La bibliothèque n’a pu être comparée à ses sauvegardes : La base ${databasePath} ne s’ouvre pas (unable to open database file).`,
  );
});

test('the last fourteen nightly backups are kept, requested ones always', async () => {
  const house = makeHousehold();
  const { path, backups } = house;
  const asked = await makeBackup(path, backups, { now: new Date('2026-01-01T12:00:00Z') });
  await makeNights(house, backups, daysFrom(1, 14));
  for (const day of [15, 16]) await makeNights(house, backups, [day]);
  const names = readdirSync(backups).sort();
  expect(names.filter((name) => name.includes('nuit'))).toHaveLength(14);
  expect(names).toContain('rayonnage-nuit-2026-01-03T03-00-00Z.zip');
  expect(names).not.toContain('rayonnage-nuit-2026-01-02T03-00-00Z.zip');
  expect(existsSync(asked.path)).toBe(true);
});

test('a clock that was ahead costs no later backup', async () => {
  const house = makeHousehold();
  const { path, backups } = house;
  await makeNights(house, backups, daysFrom(1, 14), (day) => new Date(Date.UTC(2038, 0, day, 3)));
  const made = [];
  for (const day of [1, 2])
    made.push(
      await makeBackup(path, backups, { isNightly: true, now: new Date(Date.UTC(2026, 0, day)) }),
    );
  expect(made.map((backup) => existsSync(backup.path))).toEqual([true, true]);
  expect(readdirSync(backups)).toHaveLength(14);
});

test('a backup from tomorrow puts off none of today', async () => {
  const { path, backups, folder } = makeHousehold();
  const ahead = new Date(Date.now() + 400 * 24 * 3_600_000);
  const { path: made } = await makeBackup(path, backups, { isNightly: true, now: ahead });
  utimesSync(made, ahead, ahead);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const planned = vi.spyOn(globalThis, 'setTimeout');
  // Register this first, so that it runs last: spies restored after it would reinstall fake timers for other files.
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const source = { databasePath: path, coversPath: join(folder, 'couvertures'), folder: backups };
  backUpNightly(source, { done: () => undefined, failed: () => undefined })();
  expect(planned.mock.calls.map(([, ms]) => ms)).toEqual([60_000]);
});

test('a nightly backup in its own thread returns its path', async () => {
  const { path, backups, folder } = makeHousehold();
  const coversPath = join(folder, 'couvertures');
  const { path: made } = await backUpInThread({ databasePath: path, coversPath, folder: backups });
  expect(readdirSync(backups).map((name) => join(backups, name))).toEqual([made]);
  expect(made).toContain('rayonnage-nuit-');
});

test('a nightly backup that fails in its thread reports the reason', async () => {
  const { backups, folder } = makeHousehold();
  const coversPath = join(folder, 'couvertures');
  const nowhere = join(folder, 'rien.sqlite');
  await expect(
    backUpInThread({ databasePath: nowhere, coversPath, folder: backups }),
  ).rejects.toThrow(/^Il n’y a pas de bibliothèque à .* : rien à sauvegarder\.$/);
});

test('a night begins at three, tomorrow where that is over', () => {
  const hours = (text: string) => untilNight(new Date(text)) / 3_600_000;
  expect(hours('2026-11-20T01:00:00')).toBe(2);
  expect(hours('2026-11-20T03:00:00')).toBe(24);
  expect(hours('2026-11-20T22:30:00')).toBe(4.5);
});

test(
  'an unusable BACKUP_PATH ends the start, naming the setting',
  { tags: 'process' },
  async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await new ServerProcess({ BACKUP_PATH: file }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Réglage BACKUP_PATH : .*\n$/);
  },
);

test('a missing folder of backups is made at the start', { tags: 'process' }, async () => {
  const folder = join(temporaryFolder(), 'a', 'b');
  await new ServerProcess({ BACKUP_PATH: folder }).url();
  expect(existsSync(folder)).toBe(true);
});
