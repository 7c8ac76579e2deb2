import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyDatabase } from './content.ts';
import { freePath, instantInName, sync } from '../copy.ts';
import { realPathOf } from '../lock.ts';
import { openBackup, writeBackup, type Manifest } from './file.ts';
import { makeWorkspace, removeWorkspace } from './workspace.ts';

/** How many nightly backups are kept; manual ones are never removed. */
const NIGHTS_KEPT = 14;
const NIGHT = /^rayonnage-nuit-[\dT-]+Z(?:-\d+)?\.zip$/;

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
  const workspace = makeWorkspace(join(folder, 'rayonnage'));
  const [copy, zip] = [join(workspace, 'copy.sqlite'), join(workspace, 'backup.zip')];
  try {
    const { coverKeys, ...about } = await copyDatabase(realPathOf(databasePath), copy);
    const covers = coverKeys.map((cle) => join(coversPath, cle));
    const contents = { databasePath: copy, covers };
    const manifest = await writeBackup(zip, contents, { date: now.toISOString(), ...about });
    await readBack(zip);
    const stem = join(folder, `rayonnage-${isNightly ? 'nuit-' : ''}${instantInName(now)}`);
    const path = freePath(stem, '.zip');
    renameSync(zip, path);
    sync(folder);
    if (isNightly) forgetOldNights(folder);
    return { path, bytes: statSync(path).size, manifest };
  } finally {
    removeWorkspace(workspace);
  }
}

async function readBack(path: string): Promise<void> {
  const backup = await openBackup(path);
  try {
    await backup.readThrough();
  } finally {
    backup.close();
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
