// @module-tag process
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { InvalidBackup } from '#server/plumbing/database/backup/file';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { OLDEST_SCHEMA } from '#server/plumbing/database/migrations';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { ServerProcess } from '../support/process.ts';
import { filesOf, makeHousehold, run, titresOf } from './support.ts';

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro'];

test('a restored backup has its books and a new epoch', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const before = temporaryDatabase(path);
  const { epoque } = before.history;
  const revision = before.revision();
  before.close();
  const backup = await makeBackup(path, backups);
  expect(readdirSync(backups)).toEqual([backup.path.split('/').at(-1)]);
  expect(backup.manifest).toMatchObject({ livres: 3, couvertures: 0 });

  const elsewhere = join(temporaryFolder(), 'maison', 'livres.sqlite');
  const { kept: replaced } = await restoreBackup(backup.path, { databasePath: elsewhere });
  expect(replaced).toBeNull();
  expect(titresOf(elsewhere)).toEqual(TITRES);
  const restored = temporaryDatabase(elsewhere);
  expect(restored.history.epoque).not.toBe(epoque);
  expect(restored.revision()).toBe(revision);
});

test('a restore keeps the replaced database beside the new one', async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const backup = await makeBackup(path, backups);
  const database = temporaryDatabase(path);
  database.write((tx) =>
    tx.prepare("UPDATE Livre SET titre = 'Changé depuis' WHERE titre = 'Nadja'").run(),
  );
  const { epoque } = database.history;
  database.close();

  const { kept: replaced } = await restoreBackup(backup.path, { databasePath: path });
  expect(titresOf(path)).toEqual(TITRES);
  expect(titresOf(replaced ?? '')).toContain('Changé depuis');
  expect(readdirSync(folder).filter((name) => /partiel|-wal|-shm/.test(name))).toEqual([]);
  expect(temporaryDatabase(path).history.epoque).not.toBe(epoque);
});

test('the replaced database contains the log of a killed service', async () => {
  const { path, backups } = makeHousehold([]);
  const backup = await makeBackup(path, backups);
  const server = new ServerProcess({ DATABASE_PATH: path });
  const url = await server.url();
  await addLivre(url, 'Écrit avant la coupure');
  await server.end('SIGKILL');
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  const { kept: replaced } = await restoreBackup(backup.path, { databasePath: path });
  expect(titresOf(path)).toEqual([]);
  expect(titresOf(replaced ?? '')).toEqual(['Écrit avant la coupure']);
});

test('a restore replaces a destroyed database, and keeps its file', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const backup = await makeBackup(path, backups);
  writeFileSync(path, 'ceci n’est plus une base'.repeat(500));
  const { kept: replaced } = await restoreBackup(backup.path, { databasePath: path });
  expect(readFileSync(replaced ?? '', 'utf8')).toMatch(/^ceci n’est plus une base/);
  expect(titresOf(path)).toEqual(TITRES);
});

test('a restore beside a running service is refused', async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const settings = { DATABASE_PATH: path };
  const server = new ServerProcess(settings);
  const url = await server.url();
  await addLivre(url, 'Écrit pendant le service');
  const backup = await run('backup', [backups], settings);
  expect(backup).toMatchObject({ code: 0, error: '' });
  const file = backup.lines.at(-1) ?? '';
  expect(existsSync(file)).toBe(true);
  await addLivre(url, 'Écrit après');
  // The service writes nothing more by itself once the log is empty.
  await expect.poll(() => statSync(`${path}-wal`).size, { timeout: 5000 }).toBe(0);

  const before = filesOf(folder);
  const refused = await run('restore', [file], settings);
  expect(refused.code).toBe(1);
  expect(refused.error).toMatch(/^La base .* est déjà ouverte .* arrêtez-le d’abord\.\n$/);
  expect(filesOf(folder)).toEqual(before);

  await server.end('SIGTERM');
  expect(await run('restore', [file], settings)).toMatchObject({ code: 0, error: '' });
  expect(titresOf(path)).toEqual([...TITRES, 'Écrit pendant le service']);
  expect(await new ServerProcess(settings).url()).toMatch(/^http/);
});

test('a backup goes to BACKUP_PATH, by default beside the database', async () => {
  const { path, folder, backups } = makeHousehold();
  const beside = await run('backup', [], { DATABASE_PATH: path });
  expect(beside.lines.at(-1)).toMatch(join(folder, 'sauvegardes', 'rayonnage-'));
  const named = await run('backup', [], { DATABASE_PATH: path, BACKUP_PATH: backups });
  expect(named.lines.at(-1)).toMatch(join(backups, 'rayonnage-'));
  const none = await run('backup', [], { DATABASE_PATH: join(folder, 'rien.sqlite') });
  expect(none.code).toBe(1);
  expect(none.error).toMatch(/^Il n’y a pas de bibliothèque à .*\n$/);
});

test('a backup made during writes is consistent', async () => {
  const { path, backups } = makeHousehold(Array.from({ length: 200 }, (_, i) => `Livre ${i}`));
  const server = new ServerProcess({ DATABASE_PATH: path });
  const url = await server.url();
  const state = { isOver: false };
  const writing = (async () => {
    let written = 0;
    for (; !state.isOver || written < 5; written++) await addLivre(url, `En même temps ${written}`);
    return written;
  })();
  const { manifest, path: file } = await makeBackup(path, backups);
  state.isOver = true;
  await writing;
  const elsewhere = join(temporaryFolder(), 'x.sqlite');
  await restoreBackup(file, { databasePath: elsewhere });
  const titres = titresOf(elsewhere);
  expect(titres).toHaveLength(manifest.livres);
  expect(titres.slice(200)).toEqual(titres.slice(200).map((_, i) => `En même temps ${i}`));
});

test('a truncated backup is refused and changes nothing', async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const bytes = readFileSync((await makeBackup(path, backups)).path);
  const before = filesOf(folder);
  for (const part of [0.1, 0.5, 0.9, 0.999]) {
    const cut = join(backups, 'coupee.zip');
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * part)));
    await expect(restoreBackup(cut, { databasePath: path })).rejects.toThrow(
      /^Cette archive est incomplète ou abîmée/,
    );
  }
  expect(filesOf(folder)).toEqual(before);
});

test('a database alone is restored, unless its last writes are in a log beside it', async () => {
  const { path } = makeHousehold(TITRES);
  const elsewhere = join(temporaryFolder(), 'livres.sqlite');
  writeFileSync(`${path}-wal`, 'the last writes');
  await expect(restoreBackup(path, { databasePath: elsewhere })).rejects.toThrow(
    /encore son journal/,
  );
  expect(existsSync(elsewhere)).toBe(false);
  rmSync(`${path}-wal`);
  await restoreBackup(path, { databasePath: elsewhere });
  expect(titresOf(elsewhere)).toEqual(TITRES);
});

test('no changed byte of a backup alters a restored library', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const bytes = readFileSync((await makeBackup(path, backups)).path);
  const changed = join(backups, 'changee.zip');
  const elsewhere = join(temporaryFolder(), 'x.sqlite');
  const steps = 60;
  const anywhere = Array.from({ length: steps }, (_, step) =>
    Math.floor((bytes.length * step) / steps),
  );
  // The directory at the end of the file, which has no checksum.
  const inDirectory = Array.from({ length: 24 }, (_, nth) => bytes.length - 1 - 7 * nth);
  let refusals = 0;
  for (const at of [...anywhere, ...inDirectory]) {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 0x20;
    writeFileSync(changed, copy);
    const outcome: unknown = await restoreBackup(changed, { databasePath: elsewhere }).then(
      () => titresOf(elsewhere),
      (reason: unknown) => (reason instanceof InvalidBackup ? 'refused' : reason),
    );
    expect([TITRES, 'refused'], `byte ${at}`).toContainEqual(outcome);
    if (outcome === 'refused') refusals++;
  }
  expect(refusals).toBeGreaterThan(steps);
});

test('a file that another program made is refused', async () => {
  const { path, folder } = makeHousehold(TITRES);
  const file = join(temporaryFolder(), 'autre');
  const before = filesOf(folder);
  const foreign: [Buffer, RegExp][] = [
    [await zipOf({ 'livres.csv': 'titre\n' }), /n’est pas une sauvegarde de Rayonnage/],
    [Buffer.from('titre;auteur\n'), /n’est pas une sauvegarde de Rayonnage/],
    [Buffer.alloc(0), /n’est pas une sauvegarde de Rayonnage/],
  ];
  for (const [bytes, sentence] of foreign) {
    writeFileSync(file, bytes);
    await expect(restoreBackup(file, { databasePath: path })).rejects.toThrow(sentence);
  }
  await expect(restoreBackup(join(folder, 'rien.zip'), { databasePath: path })).rejects.toThrow(
    /pas de fichier/,
  );
  await expect(restoreBackup(folder, { databasePath: path })).rejects.toThrow(
    /n’est pas une sauvegarde/,
  );
  expect(filesOf(folder)).toEqual(before);
});

test('a damaged database makes no backup, and leaves no partial one', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const database = temporaryDatabase(path);
  const root = "SELECT rootpage FROM sqlite_schema WHERE name = 'Livre_isbn'";
  const page = database.value<number>(root) ?? 0;
  const size = database.value<number>('PRAGMA page_size') ?? 0;
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, (page - 1) * size, page * size));
  await expect(makeBackup(path, backups)).rejects.toThrow(InvalidBackup);
  expect(readdirSync(backups)).toEqual([]);
});

test('a backup whose content contradicts its manifest is refused', async () => {
  const { path, folder } = makeHousehold(TITRES);
  const database = readFileSync(path);
  const file = join(temporaryFolder(), 'faite-main.zip');
  const cle = 'a'.repeat(64);
  const manifest = {
    application: 'rayonnage',
    kind: 'backup',
    version: 2,
    date: '2026-11-20T03:00:00.000Z',
    schema: OLDEST_SCHEMA,
    livres: 3,
    couvertures: 1,
  };
  const before = filesOf(folder);
  for (const [claim, parts, sentence] of [
    [{}, { [`couvertures/${cle}`]: 'x' }, /abîmée/],
    [{ couvertures: 0 }, { [`couvertures/${cle}`]: 'x' }, /incomplète ou abîmée/],
    [{}, { 'couvertures/lisez-moi': 'x' }, /incomplète ou abîmée/],
    [
      { couvertures: 0 },
      { 'bibliotheque.sqlite': 'x'.repeat(5000) },
      /^Cette sauvegarde est abîmée : sa base/,
    ],
    [{ version: 3 }, {}, /version plus récente/],
    [{ schema: 10_000, couvertures: 0 }, {}, /version plus récente/],
    [{ livres: -1 }, {}, /n’est pas une sauvegarde/],
  ] as const) {
    const files = { 'bibliotheque.sqlite': database, ...parts };
    const zip = await zipOf({
      'manifest.json': JSON.stringify({ ...manifest, ...claim }),
      ...files,
    });
    writeFileSync(file, zip);
    await expect(restoreBackup(file, { databasePath: path })).rejects.toThrow(sentence);
  }
  expect(filesOf(folder)).toEqual(before);
});

async function addLivre(url: string, titre: string): Promise<void> {
  const response = await fetch(`${url}/api/livres?confirmerDoublon=true`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ titre, format: 'Physique' }),
  });
  expect(response.status).toBe(201);
}

async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(Readable.from(zip.outputStream));
}
