import type { Reader } from '#server/plumbing/database/reader';

/**
 * Whether a caller may have an address relayed: a book, an issue or one of the caller's own wishes has it as
 * its cover, or such a wish may have it for its ISBN. An unknown caller has no wishes.
 */
export const isKnownCover = (database: Reader, url: string, utilisateur: string | null): boolean =>
  database.get(
    `SELECT 1 FROM Couvert WHERE couvertureAdresse = @url AND @url NOT GLOB 'isbn:*'
       AND utilisateur IN ('', @utilisateur)
     UNION ALL SELECT 1 FROM Souhait
       WHERE utilisateur = @utilisateur AND couverture_de_secours(isbn) = @url`,
    { url, utilisateur },
  ) !== undefined;

/**
 * Whether a caller may see a kept picture: a record that everyone sees shows it, or one of the caller's own
 * (docs/rules.md § 43). A record shows what its address gave unless a person chose a picture whose file is there.
 */
export const isReadable = (database: Reader, cle: string, utilisateur: string | null): boolean =>
  database.get(
    `SELECT 1 FROM Couvert WHERE couvertureCle = @cle AND utilisateur IN ('', @utilisateur)
     UNION ALL SELECT 1 FROM Couvert
       WHERE couvertureAdresse IN (SELECT adresse FROM CouvertureAdresse WHERE cle = @cle)
         AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0)
         AND utilisateur IN ('', @utilisateur)`,
    { cle, utilisateur },
  ) !== undefined;
