// A process that dies during a migration: powercut.ts <database> <number>. The migration's statements have run, and
// its transaction is open.
import Sqlite from 'better-sqlite3';
import { registerFunctions } from '#server/plumbing/database/connection';
import { COVERS_SITE } from '#shared/couvertures';
import { migrate, readMigrations } from '#server/plumbing/database/migrations';

const [path, numero] = process.argv.slice(2);
const db = new Sqlite(path);
db.pragma('journal_mode = WAL');
db.pragma('cache_size = 1');
registerFunctions(db, COVERS_SITE);
db.function('couper_le_courant', () => process.kill(process.pid, 'SIGKILL'));
migrate(
  db,
  readMigrations().map((migration) =>
    migration.numero === Number(numero)
      ? { ...migration, sql: `${migration.sql}; SELECT couper_le_courant();` }
      : migration,
  ),
);
