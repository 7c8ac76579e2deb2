import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyDatabase, coverKeys, verifySound } from './content.ts';
import { freePath, instantInName, sync } from '../copy.ts';
import { realPathOf } from '../lock.ts';
import { openBackup, writeBackup, type Manifest } from './file.ts';

/** How many nightly backups are kept; manual ones are never removed. */
const NIGHTS_KEPT = 14;
/** Age at which the partial file of an interrupted backup is removed. */
const LEFTOVER_MS = 24 * 60 * 60 * 1000;
const NIGHT = /^rayonnage-nuit-[\dT-]+Z(?:-\d+)?\.zip$/;
const LEFTOVER = /^rayonnage-[\w-]+\.zip(?:\.sqlite|\.lu)?\.partiel(?:-journal|-wal|-shm)?$/;

/** A finished backup, read back. */
interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

/** The folder of backups without `BACKUP_PATH` and without an argument. */
export const defaultFolder = (databasePath: string): string =>
  join(dirname(databasePath), 'sauvegardes');

/**
 * Makes a backup of a database and its covers in a folder, reads it back and returns it; a service that has the
 * database open is not disturbed. Of the nights' backups the last 14 are kept (docs/rules.md § 42).
 * Throws UnusableDatabase, InvalidBackup where what was written does not read back, or the system's
 * error; nothing half made is left under the name of a backup.
 */
export async function makeBackup(
  databasePath: string,
  folder: string,
  {
    isNightly = false,
    now = new Date(),
    coversPath = join(dirname(databasePath), 'couvertures'),
  } = {},
): Promise<Backup> {
  mkdirSync(folder, { recursive: true });
  clearLeftovers(folder, now);
  const path = freeName(folder, isNightly, now);
  const partial = `${path}.partiel`;
  const copy = `${path}.sqlite.partiel`;
  try {
    const content = await copyDatabase(realPathOf(databasePath), copy);
    const covers = coverKeys(copy).map((cle) => join(coversPath, cle));
    const contents = { databasePath: copy, covers };
    await writeBackup(partial, contents, { date: now.toISOString(), database: content });
    const manifest = await readBack(partial, `${path}.lu.partiel`);
    renameSync(partial, path);
    sync(folder);
    if (isNightly) forgetOldNights(folder);
    return { path, bytes: statSync(path).size, manifest };
  } finally {
    for (const each of [copy, partial]) rmSync(each, { force: true });
  }
}

async function readBack(path: string, to: string): Promise<Manifest> {
  const backup = await openBackup(path);
  try {
    await backup.extractDatabase(to);
    // Its digest says that it is the copy, to the byte.
    verifySound(to);
    return backup.manifest;
  } finally {
    backup.close();
    rmSync(to, { force: true });
  }
}

/** When the newest backup of a night was made, in milliseconds since 1970; 0 where there is none. */
export function lastNight(folder: string): number {
  const [newest] = nights(folder);
  return newest === undefined ? 0 : statSync(join(folder, newest)).mtimeMs;
}

/** Newest first: the names begin with their instants. */
const nights = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => NIGHT.test(name))
        .sort()
        .reverse()
    : [];

function forgetOldNights(folder: string): void {
  for (const name of nights(folder).slice(NIGHTS_KEPT)) rmSync(join(folder, name), { force: true });
}

function clearLeftovers(folder: string, now: Date): void {
  for (const name of readdirSync(folder).filter((each) => LEFTOVER.test(each))) {
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now.getTime() - mtimeMs > LEFTOVER_MS) rmSync(path, { force: true });
  }
}

function freeName(folder: string, isNightly: boolean, now: Date): string {
  const stem = join(folder, `rayonnage-${isNightly ? 'nuit-' : ''}${instantInName(now)}`);
  return freePath(stem, '.zip', (path) => existsSync(path) || existsSync(`${path}.partiel`));
}
