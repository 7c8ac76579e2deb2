import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { instantInName, makeWorkspace, removeWorkspace } from '../files.ts';
import { openBackup, readManifest, type Manifest } from './file.ts';
import { readDatabaseSummary, type DatabaseSummary } from './database-file.ts';

// The backup folder: its files, the households that they belong to and the retention of nightly
// backups. Several households may share a folder, for example after a service started on an
// unmounted disk and created a new library.

/** The number of nightly backups per household; manual ones are never removed. */
const NIGHTS_KEPT = 14;
/** A file has such a name only once it has been read back. */
const BACKUP = /^rayonnage-(?:nuit-)?[\dT-]+Z(?:-\d+)?\.zip$/;
const NIGHT = 'rayonnage-nuit-';

export interface StoredBackup {
  readonly name: string;
  readonly path: string;
  readonly isNight: boolean;
  readonly written: Date;
  readonly bytes: number;
  /** `null` where it does not read. */
  readonly manifest: Manifest | null;
}

interface ReadManifest {
  /** Changes with the file. */
  readonly state: string;
  readonly manifest: Manifest;
}

/** Manifests by folder and file name: the health check reads them again and again. */
const read = new Map<string, ReadonlyMap<string, ReadManifest>>();

/** Skips links whose target is missing, such as another disk. */
export function listBackups(folder: string): StoredBackup[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => BACKUP.test(name)) : [];
  const before = read.get(folder);
  const now = new Map<string, ReadManifest>();
  read.set(folder, now);
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    const state = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ');
    const same = before?.get(name);
    const manifest = same?.state === state ? same.manifest : readManifest(path);
    // An unreadable manifest is read again the next time.
    if (manifest !== null) now.set(name, { state, manifest });
    const about = { written: stats.mtime, bytes: stats.size, manifest };
    return [{ name, path, isNight: name.startsWith(NIGHT), ...about }];
  });
}

export const nameOfNight = (instant: Date): string => `${NIGHT}${instantInName(instant)}`;

type Household = DatabaseSummary['bibliotheque'];

/** Whether a backup may belong to a household: older backups do not name theirs. */
export const mayBeOf = ({ manifest }: StoredBackup, household: Household): boolean =>
  manifest?.bibliotheque === undefined || manifest.bibliotheque === household;

/** Newest first. Backups dated in the future were made by a wrong clock and come last. */
function inOrder(nights: readonly StoredBackup[], now: Date): StoredBackup[] {
  const ofNow = nameOfNight(now);
  const { made = [], ahead = [] } = Object.groupBy(
    nights.toSorted((a, b) => (a.name < b.name ? 1 : -1)),
    ({ name }) => (name.slice(0, ofNow.length) > ofNow ? 'ahead' : 'made'),
  );
  return [...made, ...ahead];
}

/**
 * When the last nightly backup that may belong to the household was made, in milliseconds since 1970; 0 without one.
 */
export function lastNight(folder: string, household: Household, now: Date): number {
  const ofNow = nameOfNight(now);
  const nights = listBackups(folder).filter(
    (each) => each.isNight && mayBeOf(each, household) && each.name.slice(0, ofNow.length) <= ofNow,
  );
  return inOrder(nights, now)[0]?.written.getTime() ?? 0;
}

/**
 * The fullest nightly backup with at least twice the books of the present library, made since a member last confirmed
 * the library; `null` without one.
 */
export function fullestNight(
  backups: readonly StoredBackup[],
  { bibliotheque, livres }: Pick<DatabaseSummary, 'bibliotheque' | 'livres'>,
  now: Date,
): StoredBackup | null {
  const own = backups.filter(({ manifest }) => manifest?.bibliotheque === bibliotheque);
  // A confirmation dated in the future would hold for every later backup.
  const words = own.filter(
    (each) => each.manifest?.voulu === true && dateOf(each) <= now.toISOString(),
  );
  const since = words.map(dateOf).sort().at(-1) ?? '';
  const nights = own.filter((each) => each.isNight && dateOf(each) >= since);
  const fullest = theFullest(nights);
  return fullest !== null && isHalved(livres, fullest) ? fullest : null;
}

/** The newest of the backups with the most books. */
const theFullest = (backups: readonly StoredBackup[]): StoredBackup | null =>
  backups.toSorted((a, b) => livresIn(b) - livresIn(a) || (dateOf(a) < dateOf(b) ? 1 : -1))[0] ??
  null;

const dateOf = ({ manifest }: StoredBackup): string => manifest?.date ?? '';

const livresIn = ({ manifest }: StoredBackup): number => manifest?.livres ?? 0;

const isHalved = (livres: number, before: StoredBackup): boolean =>
  livresIn(before) > 0 && livres * 2 <= livresIn(before);

/**
 * Removes the oldest nightly backup of a household beyond fourteen: at most one a night, and none while the library
 * has at most half the books of an earlier backup (`fullestNight`), which is returned instead (docs/rules.md § 42).
 */
export async function forgetOldestNight(
  folder: string,
  now: Date,
  { bibliotheque, livres }: Pick<DatabaseSummary, 'bibliotheque' | 'livres'>,
): Promise<StoredBackup | null> {
  if (bibliotheque === undefined) return null;
  const nights = listBackups(folder).filter((each) => each.isNight && mayBeOf(each, bibliotheque));
  const named = nights.length > NIGHTS_KEPT ? await withHouseholds(nights) : nights;
  const household = { bibliotheque, livres };
  const fullest = fullestNight([...named, ...manualBackups(folder)], household, now);
  if (fullest !== null) return fullest;
  const own = named.filter(({ manifest }) => manifest?.bibliotheque === bibliotheque);
  const oldest = own.length > NIGHTS_KEPT ? inOrder(own, now).at(-1) : undefined;
  if (oldest !== undefined) rmSync(oldest.path, { force: true });
  return null;
}

const manualBackups = (folder: string): StoredBackup[] =>
  listBackups(folder).filter(({ isNight }) => !isNight);

/** Sequential: each older backup is unpacked to disk. */
async function withHouseholds(backups: readonly StoredBackup[]): Promise<StoredBackup[]> {
  const named: StoredBackup[] = [];
  for (const backup of backups) named.push(await withHousehold(backup));
  return named;
}

/** The household of an older backup is read from its database; unreadable ones belong to nobody. */
async function withHousehold(backup: StoredBackup): Promise<StoredBackup> {
  const { manifest, path } = backup;
  if (manifest === null || manifest.bibliotheque !== undefined) return backup;
  const workspace = makeWorkspace(path);
  try {
    const bibliotheque = await householdIn(path, join(workspace, 'copy.sqlite'));
    return { ...backup, manifest: { ...manifest, bibliotheque } };
  } catch {
    return backup;
  } finally {
    removeWorkspace(workspace);
  }
}

async function householdIn(path: string, to: string): Promise<string> {
  const opened = await openBackup(path);
  try {
    await opened.extractDatabase(to);
    return readDatabaseSummary(to).bibliotheque ?? '';
  } finally {
    opened.close();
  }
}

export interface BackupComparison {
  /** When the database was created, if another household's backup with more books is older. */
  readonly created: string | null;
  readonly livres: number;
  /** The fuller backup, possibly of another household. */
  readonly fullest: StoredBackup;
  readonly isOwn: boolean;
}

/** Reports backups with at least twice the books of the library; `null` without one. */
export function compareWithBackups(
  summary: DatabaseSummary,
  folder: string,
  now = new Date(),
): BackupComparison | null {
  const { bibliotheque, livres, created } = summary;
  const backups = listBackups(folder);
  const own = fullestNight(backups, summary, now);
  if (own !== null) return { created: null, livres, fullest: own, isOwn: true };
  // A newer library beside backups of an older one may have been created in its place.
  const others = backups.filter(
    (each) => each.manifest?.bibliotheque !== bibliotheque && dateOf(each) < (created ?? ''),
  );
  const fullest = theFullest(others);
  if (fullest === null || !isHalved(livres, fullest)) return null;
  return { created, livres, fullest, isOwn: false };
}
