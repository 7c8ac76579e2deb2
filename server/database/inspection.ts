import { existsSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { schemaOf, type Migration } from './migrations.ts';
import { UnusableDatabase } from './unusable.ts';

/**
 * Looks at a database before anything is written to it. Returns the number of its last migration,
 * 0 when there is no file or nothing in it. Throws UnusableDatabase when the file is no database
 * of this service, when a later version has written it, or when a migration that it has had is
 * not the one at hand; the file is left as it was, byte for byte.
 */
export function inspect(path: string, migrations: readonly Migration[]): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return 0;
  const hadJournal = existsSync(`${path}-wal`);
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return judge(db, path, migrations);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof UnusableDatabase) throw error;
    throw new UnusableDatabase(`${path} n’est pas une base de données lisible.`, error);
  } finally {
    if (!hadJournal) removeEmptyJournal(path);
  }
}

function judge(db: Database.Database, path: string, migrations: readonly Migration[]): number {
  const schema = schemaOf(db);
  const tables = new Set(
    db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
  );
  if (schema > migrations.length) {
    throw new UnusableDatabase(
      `${path} vient d’une version plus récente de Rayonnage (schéma ${String(schema)}, ` +
        `celui-ci s’arrête à ${String(migrations.length)}) : mettez Rayonnage à jour.`,
    );
  }
  const empty = schema === 0 && tables.size === 0;
  const legacy = schema === 1 && tables.has('Livre');
  const current = schema > 1 && tables.has('Migration');
  if (!empty && !legacy && !current)
    throw new UnusableDatabase(`${path} n’est pas une base de Rayonnage.`);
  if (tables.has('Migration')) checkRecorded(db, migrations);
  return schema;
}

function checkRecorded(db: Database.Database, migrations: readonly Migration[]): void {
  const recorded = db
    .prepare<[], { numero: number; empreinte: string }>('SELECT numero, empreinte FROM Migration')
    .all();
  for (const { numero, empreinte } of recorded) {
    const migration = migrations[numero - 1];
    if (migration?.empreinte !== empreinte) {
      throw new UnusableDatabase(
        `La migration ${String(numero)}${migration ? ` (${migration.nom})` : ''} a changé depuis ` +
          'qu’elle a été appliquée à la base : remettez le fichier d’origine.',
      );
    }
  }
}

/** Reading a database in WAL mode leaves an empty log and its index behind. */
function removeEmptyJournal(path: string): void {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size !== 0) return;
  rmSync(`${path}-wal`, { force: true });
  rmSync(`${path}-shm`, { force: true });
}
