import type { Base } from '#server/database/base';

/** Whether a book has this cover, whoever added it. */
export const estCouvertureDeLivre = (base: Base, url: string): boolean =>
  base.prepare<[string]>('SELECT 1 FROM Livre WHERE coverUrl = ? LIMIT 1').get(url) !== undefined;

/** Whether an issue of a periodical has this cover. */
export const estCouvertureDeNumero = (base: Base, url: string): boolean =>
  base.prepare<[string]>('SELECT 1 FROM Numero WHERE coverUrl = ? LIMIT 1').get(url) !== undefined;

/**
 * Whether a wish of this person has this cover, or may have it for its ISBN; another's list is
 * private, and nobody known has none.
 */
export const estCouvertureDeSouhait = (
  base: Base,
  url: string,
  utilisateur: string | null,
): boolean =>
  base
    .prepare<[string | null, string, string]>(
      `SELECT 1 FROM Souhait
       WHERE utilisateur = ? AND (coverUrl = ? OR couverture_de_secours(isbn) = ?) LIMIT 1`,
    )
    .get(utilisateur, url, url) !== undefined;
