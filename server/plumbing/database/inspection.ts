import { existsSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { schemaOf, type Migration } from './migrations.ts';
import { damaged } from './disk-errors.ts';
import { UnusableDatabase } from './unusable.ts';

const BUSY_TIMEOUT_MS = 5000;

/**
 * Looks at a database before anything is written to it. Returns the number of its last migration,
 * 0 when there is no file or nothing in it. Throws UnusableDatabase when the file is no database
 * of this service, when a later version has written it, or when a migration that it has had is
 * not the one at hand; the file is left as it was, byte for byte.
 *
 * @param isKnown whether a service had it before
 */
export function inspect(path: string, migrations: readonly Migration[], isKnown = false): number {
  if (sizeOf(path) === 0) {
    // Taken for a new one it would empty every device's copy.
    const isEmptied = existsSync(path) && sizeOf(`${path}-wal`) === 0;
    if (isEmptied && isKnown) throw damaged(path);
    return 0;
  }
  const db = openToRead(path);
  try {
    return judge(db, path, migrations);
  } finally {
    db.close();
  }
}

/** Opens a database that this process may not own: its file and its log stay as they are. */
export function openToRead(path: string): Sqlite.Database {
  // A connection that may write takes its empty log away when it is closed, as the last one may; it
  // would also move what the log holds into the database.
  const readonly = sizeOf(`${path}-wal`) > 0;
  return new Sqlite(path, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function judge(db: Sqlite.Database, path: string, migrations: readonly Migration[]): number {
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
  // A first start that was cut short may have left the list of migrations behind.
  const empty = schema === 0 && [...tables].every((table) => table === 'Migration');
  const legacy = schema === 1 && tables.has('Livre');
  const current = schema > 1 && tables.has('Migration');
  if (!empty && !legacy && !current)
    throw new UnusableDatabase(`${path} n’est pas une base de Rayonnage.`);
  if (tables.has('Migration')) checkRecorded(db, migrations);
  return schema;
}

function checkRecorded(db: Sqlite.Database, migrations: readonly Migration[]): void {
  const recorded = db
    .prepare<[], { numero: number; empreinte: string }>('SELECT numero, empreinte FROM Migration')
    .all();
  for (const { numero, empreinte } of recorded) {
    const migration = migrations[numero - 1];
    if (migration?.empreinte !== empreinte) {
      const name = migration ? ` (${migration.nom})` : '';
      throw new UnusableDatabase(
        `La migration ${String(numero)}${name} a changé depuis qu’elle a été appliquée à la base : remettez le fichier d’origine.`,
      );
    }
  }
}
