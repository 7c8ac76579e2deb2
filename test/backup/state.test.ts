import {
  copyFileSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { listBackups } from '#server/plumbing/database/backup/folder';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { recordsOf } from '../support/records.ts';
import { makeHousehold } from './support.ts';

const well = { retenues: null, echec: null };

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro'];

test('the state tells the number of backups and the newest', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const house = await openHouse(path, { BACKUP_PATH: backups });
  const read = async () => (await house.ask(null, 'GET', '/api/sauvegardes')).body;
  expect(await read()).toEqual({ chaqueNuit: true, nombre: 0, derniere: null, ...well });
  const { bytes } = await makeBackup(path, backups, { isNightly: true });
  writeFileSync(join(backups, 'rayonnage-2030-01-01T00-00-00Z.zip.partiel'), 'cut off');
  expect(await read()).toEqual({
    chaqueNuit: true,
    nombre: 1,
    ...well,
    derniere: { date: expect.any(String) as string, octets: bytes },
  });
  expect(recordsOf(temporaryDatabase()).isEmpty()).toBe(true);
});

test('the newest backup is the one that was written last', async () => {
  const { path, backups } = makeHousehold();
  const house = await openHouse(path, { BACKUP_PATH: backups });
  const read = async () => (await house.ask(null, 'GET', '/api/sauvegardes')).body;
  const created = [];
  for (const day of [1, 2, 3])
    created.push(await makeBackup(path, backups, { now: new Date(Date.UTC(2026, 0, day)) }));
  const old = new Date('2026-02-01T00:00:00.000Z');
  const date = '2026-03-01T00:00:00.000Z';
  for (const newest of atLeastOne(created)) {
    for (const each of created) utimesSync(each.path, old, old);
    writeFileSync(newest.path, '.', { flag: 'a' });
    utimesSync(newest.path, new Date(date), new Date(date));
    const derniere = { date, octets: newest.bytes + 1 };
    expect(await read()).toMatchObject({ nombre: 3, derniere });
  }
  // A backup dated in the future must not hide that newer ones are missing.
  const ahead = new Date(Date.now() + 365 * 24 * 3_600_000);
  utimesSync((await makeBackup(path, backups, { now: ahead })).path, ahead, ahead);
  expect(await read()).toMatchObject({ nombre: 4, derniere: { date } });
  // A link to a missing disk is no backup.
  symlinkSync(join(backups, 'absent.zip'), join(backups, 'rayonnage-2026-01-04T00-00-00Z.zip'));
  expect(await read()).toMatchObject({ nombre: 4, derniere: { date } });
});

test('the state warns if half of the books are gone, and ignores another household’s backups', async () => {
  const [full, other] = [makeHousehold(TITRES), makeHousehold(TITRES)];
  const { manifest } = await makeBackup(full.path, full.backups, { isNightly: true });
  await makeBackup(other.path, full.backups, { isNightly: true });
  const house = await openHouse(full.path, { BACKUP_PATH: full.backups });
  const read = async () => (await house.ask(null, 'GET', '/api/sauvegardes')).body;
  expect(await read()).toMatchObject({ nombre: 1, retenues: null });
  for (const id of [2, 3]) await house.ask(null, 'DELETE', `/api/livres/${String(id)}`);
  expect(await read()).toMatchObject({ retenues: { date: manifest.date, livres: 3 } });
  await makeBackup(full.path, full.backups, { isMeant: true });
  expect(await read()).toMatchObject({ nombre: 2, retenues: null });
});

test('without a folder of backups there are no backups', async () => {
  const { path, backups } = makeHousehold();
  const nothing = { nombre: 0, derniere: null, ...well };
  const house = await openHouse(path);
  const read = await house.ask(null, 'GET', '/api/sauvegardes');
  expect(read).toMatchObject({ status: 200, body: { chaqueNuit: false, ...nothing } });
  const { path: other } = makeHousehold();
  const nightly = await openHouse(other, { BACKUP_PATH: backups });
  rmSync(backups, { recursive: true, force: true });
  expect(await nightly.ask(null, 'GET', '/api/sauvegardes')).toMatchObject({
    status: 200,
    body: { chaqueNuit: true, ...nothing },
  });
});

test.skipIf(process.platform !== 'linux')(
  'a health that is asked for often reads a backup once, and its beginning alone',
  async () => {
    const { path, backups } = makeHousehold(TITRES);
    const { path: backup } = await makeBackup(path, backups, { isNightly: true });
    const days = Array.from({ length: 50 }, (_, n) => new Date(Date.UTC(2025, 0, 1 + n)));
    for (const day of days)
      copyFileSync(
        backup,
        join(backups, `rayonnage-${day.toISOString().slice(0, 10)}T03-00-00Z.zip`),
      );
    const bytesRead = (): number =>
      Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
    const bytesFor = (work: () => void): number => {
      const before = bytesRead();
      work();
      return bytesRead() - before;
    };
    const read = () => {
      expect(listBackups(backups).map(({ manifest }) => manifest?.livres)).toEqual(
        Array.from({ length: 51 }, () => TITRES.length),
      );
    };
    expect(bytesFor(read)).toBeLessThan(51 * 5_000);
    expect(bytesFor(read)).toBeLessThan(51 * 100);
    writeFileSync(backup, 'nothing');
    expect(listBackups(backups).find((each) => each.path === backup)?.manifest).toBeNull();
  },
);
