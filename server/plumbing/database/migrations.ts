import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { MIGRATIONS } from '#server/plumbing/paths';
import { UnusableDatabase } from './unusable.ts';

/** One step of the schema's history: a file `migrations/NNN-nom.sql`. */
export interface Migration {
  /** From 1 without holes; the last one is the database's `user_version`. */
  readonly numero: number;
  readonly nom: string;
  readonly sql: string;
  /** SHA-256 of the file, its line ends taken as LF so that a checkout cannot change it. */
  readonly empreinte: string;
}

/** Reads the migrations of the service, in order. */
export function readMigrations(folder = MIGRATIONS): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file, index) => {
    const numero = Number.parseInt(file, 10);
    if (numero !== index + 1) throw new Error(`Migration out of sequence: ${file}`);
    const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    const empreinte = createHash('sha256').update(sql).digest('hex');
    return { numero, nom: file.replace(/^\d+-|\.sql$/g, ''), sql, empreinte };
  });
}

/**
 * Applies what is pending in one transaction: one that fails and a power cut leave the database as it was,
 * for the version before. Foreign keys are off meanwhile, so that a table can be rebuilt, and checked after each.
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
    recordLegacy(db, migrations);
  });
  apply.immediate();
  db.pragma('foreign_keys = ON');
}

/** The number of the last migration that a database has seen. */
export const schemaOf = (db: Sqlite.Database): number =>
  Number(db.pragma('user_version', { simple: true }));

/** A database of the legacy model has had the first migration without a record of it. */
function recordLegacy(db: Sqlite.Database, migrations: readonly Migration[]): void {
  const [first] = migrations;
  if (first !== undefined) record(db, first);
}

function record(db: Sqlite.Database, { numero, nom, empreinte }: Migration): void {
  db.prepare('INSERT OR IGNORE INTO Migration VALUES (?, ?, ?, ?)').run(
    numero,
    nom,
    empreinte,
    new Date().toISOString(),
  );
}

function checkForeignKeys(db: Sqlite.Database, { numero, nom }: Migration): void {
  const broken = db.prepare('PRAGMA foreign_key_check').all();
  if (broken.length === 0) return;
  throw new UnusableDatabase(
    `La migration ${String(numero)} (${nom}) laisserait des liens rompus dans la base : rien n’a été changé.`,
  );
}
