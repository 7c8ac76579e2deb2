import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { FULL, isAlmostFull, isFolder, mayWrite } from './files.ts';

/** A database that the service will not open; the file is as it was. The message is one line for the operator. */
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

/** SQLite uses the first of these that it may write to, for what does not fit its memory. */
const temporaryFolders = (): string[] => [tmpdir(), '/var/tmp', '/usr/tmp', '/tmp', '.'];

export function toUnusable(
  path: string,
  error: unknown,
  isKnown = false,
  temporary: readonly string[] = temporaryFolders(),
): UnusableDatabase {
  if (error instanceof UnusableDatabase) return error;
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  const folder = dirname(path);
  if (code.startsWith('SQLITE_CORRUPT') || (code === 'SQLITE_NOTADB' && isKnown))
    return damaged(path, error);
  if (isFolder(path) || code === 'SQLITE_NOTADB')
    return new UnusableDatabase(`${path} n’est pas une base de données lisible.`, error);
  if (isDiskFull(code, folder))
    return new UnusableDatabase(
      `Le disque est plein ou n’accepte plus d’écriture : ${folder} n’a plus de place pour la base.`,
      error,
    );
  if (code.startsWith('SQLITE_IOERR') && code !== 'SQLITE_IOERR_GETTEMPPATH')
    return new UnusableDatabase(
      `Le disque de ${folder} rend des erreurs : la base ${path} ne s’ouvre pas.`,
      error,
    );
  const foreign = foreignFile(path);
  if (foreign !== null) return new UnusableDatabase(foreign, error);
  if (isReadOnly(code, path))
    return new UnusableDatabase(
      `Rayonnage n’a pas le droit d’écrire dans ${folder}, où il garde sa base.`,
      error,
    );
  if (/^SQLITE_(?:CANTOPEN|IOERR_GETTEMPPATH)/.test(code) && !temporary.some(mayWrite))
    return new NoTemporaryFolder(
      `aucun dossier ne prend les fichiers temporaires dont SQLite a besoin, ni ${temporary[0] ?? ''}, ni /var/tmp, ni /tmp.`,
      error,
    );
  if (code === 'ENOENT')
    return new UnusableDatabase(`Le dossier ${folder} ne peut pas être créé.`, error);
  if (code.startsWith('SQLITE_BUSY'))
    return new UnusableDatabase(
      `La base ${path} est verrouillée par un autre programme : fermez-le d’abord.`,
      error,
    );
  const reason = error instanceof Error ? error.message : String(error);
  return new UnusableDatabase(`La base ${path} ne s’ouvre pas (${reason}).`, error);
}

/** What is told of a database that belongs to another system user, as after a command of root; `null` for any other. */
export function foreignFile(path: string): string | null {
  const [own, group] = [process.getuid?.(), process.getgid?.()];
  const owner = ownerOf(path);
  if (owner === undefined || own === undefined || owner === own || mayWrite(path)) return null;
  const folder = realpathSync(dirname(path));
  return `${path} appartient à un autre compte, comme après une commande lancée par root. Rendez ses fichiers au service : sudo chown -R ${own}:${String(group)} ${folder}`;
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined; // not there, or in a folder that nobody else may enter
  }
}

export const damaged = (path: string, cause?: unknown): DamagedDatabase =>
  new DamagedDatabase(
    `La base ${path} est abîmée : rien n’y est changé, rien n’en est montré. Remettez une sauvegarde en place (« restore »).`,
    cause,
  );

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
