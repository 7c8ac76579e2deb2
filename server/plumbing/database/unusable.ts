import { m } from '#messages';
import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { codeOf, describeSystemError, FULL } from '#server/plumbing/common/system-errors';
import { isAlmostFull, isFolder, mayWrite } from './files.ts';

/** The service does not open the database; the file is unchanged. The message is one line for the operator. */
export class UnusableDatabase extends Error {
  readonly setting: 'DATABASE_PATH' | 'TMPDIR' = 'DATABASE_PATH';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableDatabase';
  }
}

/** The service waits until a damaged database is mended or replaced. */
export class DamagedDatabase extends UnusableDatabase {}

/** SQLite finds no folder for its temporary files. */
class NoTemporaryFolder extends UnusableDatabase {
  override readonly setting = 'TMPDIR';
}

export const isOfDatabase = (error: unknown): boolean => error instanceof Sqlite.SqliteError;

/** SQLite uses the first writable one for data beyond its memory. */
const temporaryFolders = (): string[] => [tmpdir(), '/var/tmp', '/usr/tmp', '/tmp', '.'];

export function toUnusable(
  path: string,
  error: unknown,
  isKnown = false,
  temporary: readonly string[] = temporaryFolders(),
): UnusableDatabase {
  if (error instanceof UnusableDatabase) return error;
  const code = codeOf(error);
  const folder = dirname(path);
  if (code.startsWith('SQLITE_CORRUPT') || (code === 'SQLITE_NOTADB' && isKnown))
    return damaged(path, error);
  if (isFolder(path) || code === 'SQLITE_NOTADB')
    return new UnusableDatabase(m.operator_database_no_database({ path }), error);
  if (isDiskFull(code, folder))
    return new UnusableDatabase(m.operator_database_disk_full({ folder }), error);
  if (code.startsWith('SQLITE_IOERR') && code !== 'SQLITE_IOERR_GETTEMPPATH')
    return new UnusableDatabase(m.operator_database_disk_errors({ folder, path }), error);
  const foreign = foreignFile(path);
  if (foreign !== null) return new UnusableDatabase(foreign, error);
  if (isReadOnly(code, path))
    return new UnusableDatabase(m.operator_database_no_right({ folder }), error);
  if (/^SQLITE_(?:CANTOPEN|IOERR_GETTEMPPATH)/.test(code) && !temporary.some(mayWrite))
    return new NoTemporaryFolder(
      m.operator_database_no_temporary({ folder: temporary[0] ?? '' }),
      error,
    );
  if (/^(?:ENOENT|ENOTDIR|EEXIST)$/.test(code))
    return new UnusableDatabase(m.operator_database_no_folder({ folder }), error);
  if (code.startsWith('SQLITE_BUSY'))
    return new UnusableDatabase(m.operator_database_locked({ path }), error);
  if (code.startsWith('SQLITE_CANTOPEN') && takesNoFile(folder))
    return new UnusableDatabase(m.operator_database_no_right({ folder }), error);
  const sentence = code.startsWith('SQLITE_') ? null : describeSystemError(error);
  if (sentence !== null) return new UnusableDatabase(sentence, error);
  const reason = error instanceof Error ? error.message : String(error);
  return new UnusableDatabase(m.operator_database_not_opened({ path, reason }), error);
}

/** The numbers of /proc and /sys as file systems. */
const KERNELS = new Set([0x9fa0, 0x62656572]);

/** Whether nobody can create a file in a folder. */
const takesNoFile = (folder: string): boolean =>
  existsSync(folder) && KERNELS.has(statfsSync(folder).type);

/**
 * The warning about a database that belongs to another system user, as after a command of root; `null` if it does
 * not.
 */
export function foreignFile(path: string): string | null {
  const [own, group] = [process.getuid?.(), process.getgid?.()];
  const owner = ownerOf(path);
  if (owner === undefined || own === undefined || owner === own || mayWrite(path)) return null;
  const folder = realpathSync(dirname(path));
  const command = `sudo chown -R ${own}:${String(group)} ${folder}`;
  return m.operator_database_of_another_account({ path, command });
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined; // missing, or in a folder of another account
  }
}

export const damaged = (path: string, cause?: unknown): DamagedDatabase =>
  new DamagedDatabase(m.operator_database_damaged({ path }), cause);

function isDiskFull(code: string, folder: string): boolean {
  if (FULL.test(code)) return true;
  try {
    return /^SQLITE_(?:CANTOPEN|IOERR)/.test(code) && isAlmostFull(folder);
  } catch {
    return false;
  }
}

function isReadOnly(code: string, path: string): boolean {
  if (['EACCES', 'EROFS', 'EPERM'].includes(code)) return true;
  if (!/^SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return false;
  return [dirname(path), path].some((each) => {
    try {
      accessSync(each, constants.W_OK);
      return false;
    } catch (error) {
      return error instanceof Error && Reflect.get(error, 'code') !== 'ENOENT';
    }
  });
}
