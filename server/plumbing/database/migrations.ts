import { m } from '#messages';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { MIGRATIONS } from '#server/plumbing/paths';
import { freePath, mayWrite, stemOf, sync } from './files.ts';
import { damaged, toUnusable, UnusableDatabase } from './unusable.ts';
import { logOf, requireMatchingLog, sizeOf } from './write-ahead-log.ts';

export interface Migration {
  /** From 1 without gaps; the last one is the database's `user_version`. */
  readonly numero: number;
  readonly nom: string;
  readonly sql: string;
  /** SHA-256 of the file with LF as its line ends, which a checkout may change. */
  readonly empreinte: string;
}

/** The last migration of Rayonnage 1.1. A file with fewer has to be opened by version 1.1 first. */
export const OLDEST_SCHEMA = 86;

let migrations: readonly Migration[] | undefined;

/** Read from the disk once a process: the files belong to the program. */
export const readMigrations = (): readonly Migration[] => (migrations ??= readFiles());

function readFiles(): readonly Migration[] {
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file, index) => {
    const numero = Number.parseInt(file, 10);
    if (numero !== index + 1) throw new Error(`Migration out of sequence: ${file}`);
    const sql = readFileSync(join(MIGRATIONS, file), 'utf8').replaceAll('\r\n', '\n');
    const empreinte = createHash('sha256').update(sql).digest('hex');
    return { numero, nom: file.replace(/^\d+-|\.sql$/g, ''), sql, empreinte };
  });
}

/**
 * Applies pending migrations in one transaction: after a failure or a power cut the database is unchanged. Foreign
 * keys are off meanwhile, so that a table can be rebuilt, and checked after each migration.
 */
export function migrate(db: Sqlite.Database, migrations: readonly Migration[]): void {
  db.pragma('foreign_keys = OFF');
  const apply = db.transaction(() => {
    db.exec(`CREATE TABLE IF NOT EXISTS Migration (
      numero INTEGER PRIMARY KEY,
      nom TEXT NOT NULL,
      empreinte TEXT NOT NULL,
      dateApplication TEXT NOT NULL
    )`);
    for (const migration of migrations.slice(schemaOf(db))) {
      db.exec(migration.sql);
      checkForeignKeys(db, migration);
      record(db, migration);
      db.pragma(`user_version = ${String(migration.numero)}`);
    }
  });
  apply.immediate();
  db.pragma('foreign_keys = ON');
}

export const schemaOf = (db: Sqlite.Database): number =>
  Number(db.pragma('user_version', { simple: true }));

function record(db: Sqlite.Database, { numero, nom, empreinte }: Migration): void {
  db.prepare('INSERT INTO Migration VALUES (?, ?, ?, ?)').run(
    numero,
    nom,
    empreinte,
    new Date().toISOString(),
  );
}

function checkForeignKeys(db: Sqlite.Database, { numero, nom }: Migration): void {
  const broken = db.prepare('PRAGMA foreign_key_check').all();
  if (broken.length === 0) return;
  throw new UnusableDatabase(m.operator_database_broken_links({ numero, nom }));
}

export const BUSY_TIMEOUT_MS = 5000;

/**
 * Inspects a database without changing a byte. Returns the number of its last migration, 0 for a missing or empty
 * file. Throws UnusableDatabase if the file is no database of this service, was written by a later version, by one
 * before 1.1 or by migrations that have changed since, or lies beside a log of another file.
 *
 * @param isKnown whether a service has used it before
 * @param isOpenHere whether this process has it open, so that the log matches
 */
export function inspect(
  path: string,
  migrations: readonly Migration[],
  { isKnown = false, isOpenHere = false } = {},
): number {
  let db: Sqlite.Database | undefined;
  try {
    if (sizeOf(path) === 0) {
      // Taken for a new database, an emptied file would empty every device's replica.
      const isEmptied = existsSync(path) && sizeOf(logOf(path)) === 0;
      if (isEmptied && isKnown) throw damaged(path);
      return 0;
    }
    if (!isOpenHere) requireMatchingLog(path, openToRead);
    db = openToRead(path);
    return judge(db, path, migrations);
  } catch (error) {
    throw toUnusable(path, error, isKnown);
  } finally {
    db?.close();
  }
}

/** Opens a database that another process may have open: its file and its log stay as they are. */
export function openToRead(path: string): Sqlite.Database {
  // A writable connection removes an empty log on close, but would also checkpoint a full one into
  // the database.
  const readonly = sizeOf(logOf(path)) > 0;
  return new Sqlite(path, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}

function judge(db: Sqlite.Database, path: string, migrations: readonly Migration[]): number {
  const schema = schemaOf(db);
  const tables = new Set(
    db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
  );
  if (schema > migrations.length) {
    throw new UnusableDatabase(
      m.operator_database_newer({ path, schema, known: migrations.length }),
    );
  }
  // A first start that was interrupted may have left the empty table of migrations.
  const empty = schema === 0 && [...tables].every((table) => table === 'Migration');
  const legacy = schema === 1 && tables.has('Livre');
  const current = schema > 1 && tables.has('Migration');
  if (!empty && !legacy && !current)
    throw new UnusableDatabase(m.operator_database_foreign({ path }));
  if (!empty && (schema < OLDEST_SCHEMA || hasUnconverted(db, schema)))
    throw new UnusableDatabase(m.operator_database_older({ path }));
  if (tables.has('Migration')) checkRecorded(db, migrations);
  return schema;
}

/** Whether imports are left that Rayonnage 1.1 converts after its last migration: it was stopped before. */
const hasUnconverted = (db: Sqlite.Database, schema: number): boolean =>
  schema === OLDEST_SCHEMA &&
  db
    .prepare(
      `SELECT 1 FROM Importation WHERE made IS NOT NULL
       UNION ALL SELECT 1 FROM ImportationLigne WHERE made IS NOT NULL LIMIT 1`,
    )
    .get() !== undefined;

function checkRecorded(db: Sqlite.Database, migrations: readonly Migration[]): void {
  const recorded = db
    .prepare<[], { numero: number; empreinte: string }>('SELECT numero, empreinte FROM Migration')
    .all();
  for (const { numero, empreinte } of recorded) {
    const migration = migrations[numero - 1];
    if (migration?.empreinte !== empreinte) {
      const name = migration ? ` (${migration.nom})` : '';
      throw new UnusableDatabase(
        m.operator_database_migration_changed({ migration: `${numero}${name}` }),
      );
    }
  }
}

export interface Upgrade {
  readonly from: number;
  readonly to: number;
  readonly durationMs: number;
  readonly copy: string;
}

/**
 * Applies the migrations after `schema`. A copy of the database is made first; if a migration fails the copy is
 * removed, since a service that restarts again and again would fill the disk. An up-to-date database may be
 * read-only.
 *
 * @param announce called first with the expected duration
 */
export function bringUpToDate(
  db: Sqlite.Database,
  path: string,
  schema: number,
  migrations: readonly Migration[],
  announce: (sentence: string) => void,
): Upgrade | null {
  const to = migrations.length;
  if (schema === to && !mayWrite(path)) return null;
  if (schema === 0 || schema >= to) {
    migrate(db, migrations);
    return null;
  }
  const begin = performance.now();
  announce(announcement(db, schema, to));
  const copy = keepCopy(db, path, schema + 1);
  try {
    migrate(db, migrations);
  } catch (error) {
    rmSync(copy, { force: true });
    throw toFailure(error, schema, to);
  }
  return { from: schema, to, durationMs: performance.now() - begin, copy };
}

/** Bytes a second, of copying and migrating together, on a small machine: a Raspberry Pi with its card. */
const SLOWEST_RATE = 1_000_000;

function announcement(db: Sqlite.Database, from: number, to: number): string {
  const bytes =
    Number(db.pragma('page_count', { simple: true })) *
    Number(db.pragma('page_size', { simple: true }));
  const minutes = Math.ceil(bytes / SLOWEST_RATE / 60);
  return m.operator_database_upgrading({ from, to, count: minutes });
}

/** The error of a disk stays as it is. */
function toFailure(error: unknown, from: number, to: number): unknown {
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  if (code !== 'SQLITE_ERROR' && !code.startsWith('SQLITE_CONSTRAINT')) return error;
  const reason = error instanceof Error ? error.message : code;
  return new UnusableDatabase(m.operator_database_upgrade_failed({ from, to, reason }), error);
}

/**
 * Copies a database to `<name>.avant-NNN.sqlite` beside it, never over an earlier copy. The copy is on the disk when
 * the path is returned.
 */
function keepCopy(db: Sqlite.Database, path: string, numero: number): string {
  const copy = freePath(`${stemOf(path)}.avant-${String(numero).padStart(3, '0')}`, '.sqlite');
  const unfinished = `${copy}.partiel`;
  rmSync(unfinished, { force: true });
  db.prepare('VACUUM INTO ?').run(unfinished);
  sync(unfinished);
  renameSync(unfinished, copy);
  sync(dirname(copy));
  return copy;
}
