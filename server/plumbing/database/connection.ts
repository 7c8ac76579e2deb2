import { inflateRawSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { fallbackCoverUrl } from '#shared/couvertures';
import { parseIsbn } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import { parseIssn } from '#shared/issn';
import { mostPresentableNom } from '#shared/presentable-nom';
import { cleOeuvre, cleRegroupement, nfc, normaliser, oneLine, textKey } from '#shared/text';

export const BUSY_TIMEOUT_MS = 5000;

/** What another thread needs to open a second connection. */
export interface DatabasePlace {
  /** The real path of the file. */
  readonly path: string;
  /** The site of the covers that stand in for missing ones. */
  readonly coversUrl: string;
}

/** Opens a connection that may write, as every one of the service's has to be set. */
export function connect({ path, coversUrl }: DatabasePlace): Sqlite.Database {
  const db = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // What a long reading has let it grow to would stay: 16 MiB are four times what SQLite keeps it at.
    db.pragma('journal_size_limit = 16777216');
    // SQLite's own 2 MB: books are read in memory, and the driver's 16 MB would stay for good.
    db.pragma('cache_size = -2000');
    // Without it INSERT OR REPLACE fires no delete triggers, and the journal would miss the deletion.
    db.pragma('recursive_triggers = ON');
    registerFunctions(db, coversUrl);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Gives SQL the rules of `shared/`, so that a migration says them no second time. What is NULL
 * or no text gives NULL. Stored triggers and indexes use none of them: the file stays readable
 * by any SQLite.
 *
 * @param couvertures the site of the covers that stand in for missing ones
 */
export function registerFunctions(db: Sqlite.Database, couvertures: string): void {
  define(db, 'normaliser', normaliser);
  define(db, 'cle_regroupement', cleRegroupement);
  define(db, 'cle_oeuvre', cleOeuvre);
  define(db, 'cle_texte', textKey);
  define(db, 'lire_isbn', parseIsbn);
  define(db, 'lire_issn', parseIssn);
  define(db, 'format_isbn', formatIsbn);
  define(db, 'couverture_de_secours', (isbn) => fallbackCoverUrl(couvertures, isbn));
  define(db, 'une_ligne', (text) => oneLine(text).trim() || null);
  define(db, 'texte_net', (text) => nfc(text).trim() || null);
  db.function('texte_des_etapes', { deterministic: true, directOnly: true }, (steps: unknown) =>
    Buffer.isBuffer(steps) ? inflateRawSync(steps).toString() : steps,
  );
  db.aggregate<string[]>('nom_le_plus_presentable', {
    deterministic: true,
    directOnly: true,
    start: () => [],
    step: (noms, nom) => {
      noms.push(nom);
    },
    result: mostPresentableNom,
  });
}

function define(db: Sqlite.Database, name: string, rule: (text: string) => string | null): void {
  db.function(name, { deterministic: true, directOnly: true }, (value: unknown) =>
    typeof value === 'string' ? rule(value) : null,
  );
}
