import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { makeLegacy } from '../support/legacy.ts';
import { ServerProcess } from '../support/process.ts';

const versionOf = (path: string): unknown => {
  const db = new Sqlite(path, { readonly: true });
  const version = db.pragma('user_version', { simple: true });
  db.close();
  return version;
};

test('keeps one copy of the old database, its log included', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  const legacy = makeLegacy(path, [{ titre: 'A' }]);
  legacy.pragma('journal_mode = WAL');
  legacy.exec("INSERT INTO Livre (titre) VALUES ('B')");
  temporaryDatabase(path).close();
  legacy.close();
  const copy = new Sqlite(join(folder, 'maison.avant-002.sqlite'), { readonly: true });
  expect(copy.pragma('user_version', { simple: true })).toBe(1);
  expect(copy.prepare('SELECT titre FROM Livre').pluck().all()).toEqual(['A', 'B']);
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
    makeLegacy(path, [{ titre: name }]).close();
    const database = temporaryDatabase(path);
    database.close();
    rmSync(path);
  }
  const copies = ['maison.avant-002.sqlite', 'maison.avant-002-2.sqlite'];
  const titles = copies.map((name) => {
    const db = new Sqlite(join(folder, name), { readonly: true });
    const title = db.prepare('SELECT titre FROM Livre').pluck().get();
    db.close();
    return title;
  });
  expect(titles).toEqual(['a', 'b']);
});

test('a power cut during a migration leaves the old database', { tags: 'process' }, () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  makeLegacy(path, [
    { titre: 'A', auteur: 'Victor Hugo', statut: 2, ajoutePar: 'camille' },
  ]).close();
  const script = fileURLToPath(new URL('../support/powercut.ts', import.meta.url));
  const { signal } = spawnSync(process.execPath, [script, path, '4'], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(versionOf(path)).toBe(1);

  const database = temporaryDatabase(path);
  expect(database.prepare('SELECT titre, titreNormalise FROM Livre').all()).toEqual([
    { titre: 'A', titreNormalise: 'a' },
  ]);
  expect(database.prepare('SELECT utilisateur, statut FROM Statut').all()).toEqual([
    { utilisateur: 'camille', statut: 2 },
  ]);
});

test('a failed migration leaves the database as it was', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  const before = readMigrations().slice(0, 20);
  Database.open(path, before).close();
  const migrations = readMigrations().map((migration) =>
    migration.numero === 23
      ? { ...migration, sql: `${migration.sql}; SELECT nulle_part();` }
      : migration,
  );
  const announced = vi.fn();
  expect(() => Database.open(path, migrations, undefined, announced)).toThrow(
    /^La base ne passe pas du schéma 20 au \d+ \(no such function.*\) : elle est restée comme elle était/,
  );
  expect(announced).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^La base passe du schéma 20 au/),
  );
  expect(readdirSync(folder).filter((name) => name.includes('avant'))).toEqual([]);
  const again = Database.open(path, before);
  expect(again.upgrade).toBeNull();
  again.close();
});

test(
  'an upgrade reports its duration and the path of the backup',
  { tags: 'process' },
  async () => {
    const path = join(temporaryFolder(), 'maison.sqlite');
    makeLegacy(path, [{ titre: 'A' }]).close();
    const server = new ServerProcess({ DATABASE_PATH: path });
    await server.url();
    const { stdout, stderr } = await server.end('SIGTERM');
    expect(stderr).toMatch(/^La base passe du schéma 1 au \d+ : une minute au plus/);
    expect(stdout).toMatch(
      /^La base est passée du schéma 1 au \d+ en [\d,]+ s\. .*maison\.avant-002\.sqlite\nRayonnage est ouvert/,
    );
  },
);
