import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { instantInName, makeWorkspace, removeWorkspace } from '../files.ts';
import { openBackup, readManifest, type Manifest } from './file.ts';
import { readDatabaseSummary, type DatabaseSummary } from './database-file.ts';

// The folder of the backups: what lies there, whose it is, and what may be forgotten. Several households may share one,
// as where a service was started on a disk that was not mounted, and made itself a new one.

/** Of nightly backups of a household; manual ones are never removed. */
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

/** What the backups of each folder said, by name: whoever asks for the health asks again and again. */
const read = new Map<string, ReadonlyMap<string, ReadManifest>>();

/** Without those whose file is not there, as behind a link to another disk. */
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
    // One that does not read may do so later.
    if (manifest !== null) now.set(name, { state, manifest });
    const about = { written: stats.mtime, bytes: stats.size, manifest };
    return [{ name, path, isNight: name.startsWith(NIGHT), ...about }];
  });
}

export const nameOfNight = (instant: Date): string => `${NIGHT}${instantInName(instant)}`;

type Household = DatabaseSummary['bibliotheque'];

/** Whether a backup may be of a household: older ones do not say whose they are. */
export const mayBeOf = ({ manifest }: StoredBackup, household: Household): boolean =>
  manifest?.bibliotheque === undefined || manifest.bibliotheque === household;

/** Newest first. Those dated after now were made while the clock was ahead, and come last. */
function inOrder(nights: readonly StoredBackup[], now: Date): StoredBackup[] {
  const ofNow = nameOfNight(now);
  const { made = [], ahead = [] } = Object.groupBy(
    nights.toSorted((a, b) => (a.name < b.name ? 1 : -1)),
    ({ name }) => (name.slice(0, ofNow.length) > ofNow ? 'ahead' : 'made'),
  );
  return [...made, ...ahead];
}

/** When the last nightly backup that may be of a household was made, in milliseconds since 1970; 0 without one. */
export function lastNight(folder: string, household: Household, now: Date): number {
  const ofNow = nameOfNight(now);
  const nights = listBackups(folder).filter(
    (each) => each.isNight && mayBeOf(each, household) && each.name.slice(0, ofNow.length) <= ofNow,
  );
  return inOrder(nights, now)[0]?.written.getTime() ?? 0;
}

/**
 * The nightly backup of a household that has at least twice the books that its library has now, the fullest, of those
 * made since a person last said that the library is meant to be as it is; `null` without one.
 */
export function fullestNight(
  backups: readonly StoredBackup[],
  { bibliotheque, livres }: Pick<DatabaseSummary, 'bibliotheque' | 'livres'>,
  now: Date,
): StoredBackup | null {
  const own = backups.filter(({ manifest }) => manifest?.bibliotheque === bibliotheque);
  // One of a clock that was ahead would say so for all that is still to come.
  const words = own.filter(
    (each) => each.manifest?.voulu === true && dateOf(each) <= now.toISOString(),
  );
  const since = words.map(dateOf).sort().at(-1) ?? '';
  const nights = own.filter((each) => each.isNight && dateOf(each) >= since);
  const fullest = theFullest(nights);
  return fullest !== null && isHalved(livres, fullest) ? fullest : null;
}

/** The newest of those that have the most books. */
const theFullest = (backups: readonly StoredBackup[]): StoredBackup | null =>
  backups.toSorted((a, b) => livresIn(b) - livresIn(a) || (dateOf(a) < dateOf(b) ? 1 : -1))[0] ??
  null;

const dateOf = ({ manifest }: StoredBackup): string => manifest?.date ?? '';

const livresIn = ({ manifest }: StoredBackup): number => manifest?.livres ?? 0;

const isHalved = (livres: number, before: StoredBackup): boolean =>
  livresIn(before) > 0 && livres * 2 <= livresIn(before);

/**
 * Forgets the oldest nightly backup of a household where more than fourteen are kept: never more than the one that was
 * just made, and none while its library has at most half of the books of an earlier night (`fullestNight`), which is
 * returned then (docs/rules.md § 42).
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

/** One after another: each older one is unpacked beside itself. */
async function withHouseholds(backups: readonly StoredBackup[]): Promise<StoredBackup[]> {
  const named: StoredBackup[] = [];
  for (const backup of backups) named.push(await withHousehold(backup));
  return named;
}

/** Whose an older backup is, its database says. What does not read is nobody's. */
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
  /** When the database was made, where that was after a backup of another household with more books. */
  readonly created: string | null;
  readonly livres: number;
  /** The backup that holds more, which another household's may be. */
  readonly fullest: StoredBackup;
  readonly isOwn: boolean;
}

/** Whether backups hold at least twice the books that a library has; `null` where they do not. */
export function compareWithBackups(
  summary: DatabaseSummary,
  folder: string,
  now = new Date(),
): BackupComparison | null {
  const { bibliotheque, livres, created } = summary;
  const backups = listBackups(folder);
  const own = fullestNight(backups, summary, now);
  if (own !== null) return { created: null, livres, fullest: own, isOwn: true };
  // Of an older library beside a newer one: this one may have been made in its place.
  const others = backups.filter(
    (each) => each.manifest?.bibliotheque !== bibliotheque && dateOf(each) < (created ?? ''),
  );
  const fullest = theFullest(others);
  if (fullest === null || !isHalved(livres, fullest)) return null;
  return { created, livres, fullest, isOwn: false };
}
