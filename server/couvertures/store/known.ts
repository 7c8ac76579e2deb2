import type { Database } from '#server/database/database';

/** Whether a book has this cover, whoever added it. */
export const isLivreCover = (database: Database, url: string): boolean =>
  database.prepare<[string]>('SELECT 1 FROM Livre WHERE coverUrl = ? LIMIT 1').get(url) !==
  undefined;

/** Whether an issue of a periodical has this cover. */
export const isNumeroCover = (database: Database, url: string): boolean =>
  database.prepare<[string]>('SELECT 1 FROM Numero WHERE coverUrl = ? LIMIT 1').get(url) !==
  undefined;

/**
 * Whether a wish of this person has this cover, or may have it for its ISBN; another's list is
 * private, and an unknown caller has none.
 */
export const isSouhaitCover = (
  database: Database,
  url: string,
  utilisateur: string | null,
): boolean =>
  database
    .prepare<[string | null, string, string]>(
      `SELECT 1 FROM Souhait
       WHERE utilisateur = ? AND (coverUrl = ? OR couverture_de_secours(isbn) = ?) LIMIT 1`,
    )
    .get(utilisateur, url, url) !== undefined;

/** The addresses that gave a picture, as SQL that takes the picture's key once. */
const GAVE = 'SELECT adresse FROM CouvertureAdresse WHERE cle = @cle';
const GAVE_ISBN = `SELECT substr(adresse, 6) FROM CouvertureAdresse
  WHERE cle = @cle AND adresse GLOB 'isbn:*'`;

/** Whether a record shows what its address gives: no person has chosen a picture, or its file is lost. */
const HAS_NO_OTHER = `NOT EXISTS
  (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0)`;

/**
 * Whether a caller may see a kept picture: a book or an issue shows it, or one of the caller's own
 * wishes (docs/rules.md § 43).
 */
export const isReadable = (database: Database, cle: string, utilisateur: string | null): boolean =>
  database
    .prepare<[{ cle: string; utilisateur: string | null }]>(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM Livre WHERE couvertureCle = @cle)
        OR EXISTS (SELECT 1 FROM Livre WHERE coverUrl IN (${GAVE}) AND ${HAS_NO_OTHER})
        OR EXISTS (SELECT 1 FROM Livre WHERE isbn IN (${GAVE_ISBN})
          AND coverUrl IS NULL AND ${HAS_NO_OTHER})
        OR EXISTS (SELECT 1 FROM Numero WHERE couvertureCle = @cle)
        OR EXISTS (SELECT 1 FROM Numero WHERE coverUrl IN (${GAVE}) AND ${HAS_NO_OTHER})
        OR EXISTS (SELECT 1 FROM Souhait WHERE couvertureCle = @cle AND utilisateur = @utilisateur)
        OR EXISTS (SELECT 1 FROM Souhait WHERE coverUrl IN (${GAVE})
          AND ${HAS_NO_OTHER} AND utilisateur = @utilisateur)
        OR EXISTS (SELECT 1 FROM Souhait WHERE isbn IN (${GAVE_ISBN})
          AND coverUrl IS NULL AND ${HAS_NO_OTHER} AND utilisateur = @utilisateur)`,
    )
    .get({ cle, utilisateur }) !== undefined;
