import Sqlite from 'better-sqlite3';
import { ownValue } from '#shared/object-keys';

/**
 * Tables that an upgrade rewrites, each with its reason; of all others each row stays, in the columns of both
 * versions.
 */
const REWRITTEN: Readonly<Record<string, string>> = {
  Journal: 'an entry of a migration has a later revision; its document is compared with its record',
  CouvertureAdresse: 'pictures that are still asked for, without those of books that are gone',
  JournalDate: 'the days of those revisions',
  Migration: 'has one more row for each migration',
};

/** Columns that a version may recompute; a row is compared by the others. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  Auteur: ['nomNormalise', 'cleRegroupement'],
  AuteurForme: ['cle', 'signature'],
  Couverture: ['perdue'],
  Livre: ['titreNormalise', 'cleOeuvre'],
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Compares a file of an earlier version with the same file after its upgrade, table by table.
 *
 * @returns one line for each table with lost rows, and one if the journal has lost documents
 */
export function lostRows(before: string, after: string): string[] {
  const db = new Sqlite(after, { readonly: true });
  try {
    db.prepare('ATTACH ? AS former').run(before);
    const texts = (sql: string, ...values: string[]) =>
      db
        .prepare<string[], string>(sql)
        .pluck()
        .all(...values);
    const tablesOf = (schema: 'former' | 'main') =>
      texts(
        `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
      );
    const columnsOf = (schema: 'former' | 'main', table: string) =>
      texts('SELECT name FROM pragma_table_info(?, ?)', table, schema);
    const countOf = (sql: string) => Number(db.prepare(sql).pluck().get());
    const present = new Set(tablesOf('main'));
    const lost: string[] = [];
    for (const table of tablesOf('former')) {
      if (Object.hasOwn(REWRITTEN, table)) continue;
      if (!present.has(table)) {
        lost.push(`${table}: the table`);
        continue;
      }
      const derived = ownValue(DERIVED, table) ?? [];
      const today = new Set(columnsOf('main', table));
      const columns = columnsOf('former', table)
        .filter((name) => today.has(name) && !derived.includes(name))
        .map(quoted)
        .join(', ');
      const missing = countOf(
        `SELECT count(*) FROM (SELECT ${columns} FROM former.${quoted(table)}
         EXCEPT SELECT ${columns} FROM main.${quoted(table)})`,
      );
      if (missing > 0) lost.push(`${table}: ${missing} rows`);
    }
    const live = (schema: string) =>
      `SELECT collection, id, utilisateur FROM ${schema}.Journal WHERE supprime = 0`;
    const forgotten = countOf(`SELECT count(*) FROM (${live('former')} EXCEPT ${live('main')})`);
    if (forgotten > 0) lost.push(`Journal: ${forgotten} documents`);
    return lost;
  } finally {
    db.close();
  }
}

/** Whether SQLite's integrity check finds a file sound. */
export function isSound(path: string): boolean {
  const db = new Sqlite(path);
  try {
    return (
      db.pragma('integrity_check', { simple: true }) === 'ok' &&
      db.prepare('PRAGMA foreign_key_check').all().length === 0
    );
  } finally {
    db.close();
  }
}

export function schemaOf(path: string): number {
  const db = new Sqlite(path, { readonly: true });
  try {
    return Number(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
}
