import { inflateRawSync } from 'node:zlib';
import type Sqlite from 'better-sqlite3';
import { fallbackCoverUrl } from '#shared/couvertures';
import { parseIsbn } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import { parseIssn } from '#shared/issn';
import { mostPresentableNom } from '#shared/presentable-nom';
import { cleOeuvre, cleRegroupement, nfc, normaliser, oneLine, textKey } from '#shared/text';

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
