import Sqlite from 'better-sqlite3';
import { readMigrations } from '#server/plumbing/database/migrations';

export interface LegacyLivre {
  readonly id?: number;
  readonly titre: string;
  readonly auteur?: string | null;
  readonly statut?: unknown;
  readonly ajoutePar?: string | null;
  readonly isbn?: string | null;
  readonly format?: string;
  readonly typeDocument?: string;
  readonly nombrePages?: unknown;
  readonly annee?: unknown;
  readonly dateAjout?: string;
}

/** Creates a database of the legacy application. The caller closes it. */
export function makeLegacy(path: string, livres: Iterable<LegacyLivre>): Sqlite.Database {
  const db = new Sqlite(path);
  const [first] = readMigrations();
  db.exec(first?.sql ?? '');
  db.pragma('user_version = 1');
  db.transaction(() => {
    for (const livre of livres) insert(db, { ...livre });
  })();
  return db;
}

function insert(db: Sqlite.Database, livre: Record<string, unknown>): void {
  const columns = Object.keys(livre);
  const marks = columns.map(() => '?').join(', ');
  db.prepare(`INSERT INTO Livre (${columns.join(', ')}) VALUES (${marks})`).run(
    ...Object.values(livre),
  );
}
