import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { OLDEST_SCHEMA, readMigrations } from '#server/plumbing/database/migrations';
import { isSound, lostRows, schemaOf } from '../../scripts/upgrade/lost-rows.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { makeOldest } from '../support/oldest.ts';
import { ServerProcess } from '../support/process.ts';

const LAST = readMigrations().length;

const COPY = `maison.avant-0${String(OLDEST_SCHEMA + 1)}`;

test('keeps one copy of the old database, its log included', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  makeOldest(path);
  const old = new Sqlite(path);
  old.pragma('journal_mode = WAL');
  old.exec("UPDATE Livre SET titre = 'Gigi'");
  temporaryDatabase(path).close();
  old.close();
  const copy = new Sqlite(join(folder, `${COPY}.sqlite`), { readonly: true });
  expect(copy.pragma('user_version', { simple: true })).toBe(OLDEST_SCHEMA);
  expect(copy.prepare('SELECT titre FROM Livre').pluck().all()).toEqual(['Gigi']);
  copy.close();

  temporaryDatabase(path).close();
  expect(readdirSync(folder).filter((name) => name.includes('avant'))).toHaveLength(1);
});

test('keeps no copy of a new database, and overwrites none', () => {
  const folder = temporaryFolder();
  Database.open(join(folder, 'neuve.sqlite')).close();
  expect(readdirSync(folder).filter((name) => name.includes('avant'))).toEqual([]);

  for (const name of ['a', 'b']) {
    const path = join(folder, 'maison.sqlite');
    makeOldest(path, `UPDATE Livre SET titre = '${name}'`);
    const database = temporaryDatabase(path);
    database.close();
    rmSync(path);
  }
  const copies = [`${COPY}.sqlite`, `${COPY}-2.sqlite`];
  const titles = copies.map((name) => {
    const db = new Sqlite(join(folder, name), { readonly: true });
    const title = db.prepare('SELECT titre FROM Livre').pluck().get();
    db.close();
    return title;
  });
  expect(titles).toEqual(['a', 'b']);
});

test('a copy from before an upgrade can be upgraded again', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  makeOldest(path);
  const database = temporaryDatabase(path);
  database.write((tx) => tx.run("UPDATE Livre SET titre = 'Gigi'"));
  const { origin } = database.history;
  database.close();
  copyFileSync(join(folder, `${COPY}.sqlite`), path);
  const again = temporaryDatabase(path);
  expect(again.values('SELECT titre FROM Livre')).toEqual(['Sido']);
  // Devices that have seen later revisions learn that the household is in another state.
  expect(again.history.holds(origin, 1)).toBe(false);
});

test('a power cut during a migration leaves the old database', { tags: 'process' }, () => {
  const folder = temporaryFolder();
  const [former, path] = [join(folder, 'former.sqlite'), join(folder, 'maison.sqlite')];
  makeOldest(former);
  copyFileSync(former, path);
  const script = fileURLToPath(new URL('../support/powercut.ts', import.meta.url));
  const { signal } = spawnSync(process.execPath, [script, path, String(LAST)], {
    encoding: 'utf8',
  });
  expect(signal).toBe('SIGKILL');
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect([schemaOf(path), isSound(path)]).toEqual([OLDEST_SCHEMA, true]);
  expect(lostRows(former, path)).toEqual([]);

  temporaryDatabase(path).close();
  expect([schemaOf(path), isSound(path)]).toEqual([LAST, true]);
  expect(lostRows(former, path)).toEqual([]);
});

test('a failed migration leaves the database as it was', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  makeOldest(path);
  const migrations = readMigrations().map((migration) =>
    migration.numero === LAST
      ? { ...migration, sql: `${migration.sql}; SELECT nulle_part();` }
      : migration,
  );
  const announced = vi.fn();
  expect(() => Database.open(path, migrations, undefined, announced)).toThrow(
    /^La base ne passe pas du schéma 86 au \d+ \(no such function.*\) : elle est restée comme elle était/,
  );
  expect(announced).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^La base passe du schéma 86 au/),
  );
  expect(readdirSync(folder).filter((name) => name.includes('avant'))).toEqual([]);
  const again = Database.open(path, readMigrations().slice(0, OLDEST_SCHEMA));
  expect(again.upgrade).toBeNull();
  again.close();
});

test(
  'an upgrade reports its duration and the path of the backup',
  { tags: 'process' },
  async () => {
    const path = join(temporaryFolder(), 'maison.sqlite');
    makeOldest(path);
    const server = new ServerProcess({ DATABASE_PATH: path });
    await server.url();
    const { stdout, stderr } = await server.end('SIGTERM');
    expect(stderr).toMatch(/^La base passe du schéma 86 au \d+ : une minute au plus/);
    expect(stdout).toMatch(
      /^La base est passée du schéma 86 au \d+ en [\d,]+ s\. .*maison\.avant-087\.sqlite\nRayonnage est ouvert/,
    );
  },
);
