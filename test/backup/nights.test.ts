import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  backUpInThread,
  backUpNightly,
  makeBackup,
  untilNight,
} from '#server/plumbing/database/backup/backup';
import { temporaryFolder } from '../support/database.ts';
import { ServerProcess } from '../support/process.ts';
import { makeHousehold } from './support.ts';

test('the last fourteen nightly backups are kept, requested ones always', async () => {
  const { path, backups } = makeHousehold();
  const asked = await makeBackup(path, backups, { now: new Date('2026-01-01T12:00:00Z') });
  for (let day = 1; day <= 16; day++)
    await makeBackup(path, backups, { isNightly: true, now: new Date(Date.UTC(2026, 0, day, 3)) });
  const names = readdirSync(backups).sort();
  expect(names.filter((name) => name.includes('nuit'))).toHaveLength(14);
  expect(names).toContain('rayonnage-nuit-2026-01-03T03-00-00Z.zip');
  expect(names).not.toContain('rayonnage-nuit-2026-01-02T03-00-00Z.zip');
  expect(existsSync(asked.path)).toBe(true);
});

test('a clock that was ahead costs no later backup', async () => {
  const { path, backups } = makeHousehold();
  const ahead = (day: number) => new Date(Date.UTC(2038, 0, day, 3));
  for (let day = 1; day <= 14; day++)
    await makeBackup(path, backups, { isNightly: true, now: ahead(day) });
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
  // First of what watches the held time, and all of that: restored later it would put the held time back, for other files.
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const source = { databasePath: path, coversPath: join(folder, 'couvertures'), folder: backups };
  backUpNightly(source, { done: () => undefined, failed: () => undefined })();
  expect(planned.mock.calls.map(([, ms]) => ms)).toEqual([60_000]);
});

test('a nightly backup in its own thread tells its path', async () => {
  const { path, backups, folder } = makeHousehold();
  const coversPath = join(folder, 'couvertures');
  const made = await backUpInThread({ databasePath: path, coversPath, folder: backups });
  expect(readdirSync(backups).map((name) => join(backups, name))).toEqual([made]);
  expect(made).toContain('rayonnage-nuit-');
});

test('a nightly backup that fails in its thread tells why', async () => {
  const { backups, folder } = makeHousehold();
  const coversPath = join(folder, 'couvertures');
  const nowhere = join(folder, 'rien.sqlite');
  await expect(
    backUpInThread({ databasePath: nowhere, coversPath, folder: backups }),
  ).rejects.toThrow(/^Il n’y a pas de bibliothèque à .* : rien à sauvegarder\.$/);
});

test('a backup has all of its pages read back once', async () => {
  const { path, backups } = makeHousehold();
  const pragma = vi.spyOn(Sqlite.prototype, 'pragma');
  await makeBackup(path, backups, { isNightly: true });
  const asked = pragma.mock.calls.map(([source]) => source);
  pragma.mockRestore();
  expect(asked.filter((source) => source === 'integrity_check')).toHaveLength(1);
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
