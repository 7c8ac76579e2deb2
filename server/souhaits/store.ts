import type { Souhait } from '#shared/souhaits';
import type { Base } from '#server/database/base';
import type { SouhaitEcrit } from './saisie.ts';
import { COLONNES_SOUHAIT, enSouhait, type LigneSouhait } from './store-document.ts';

const LIRE = `SELECT d.id, ${COLONNES_SOUHAIT} FROM Souhait d WHERE d.utilisateur = ?`;

/** One person's wished books, by rank. */
export function souhaitsDe(base: Base, utilisateur: string): Souhait[] {
  return base
    .prepare<[string], LigneSouhait>(`${LIRE} ORDER BY d.rang, d.id`)
    .all(utilisateur)
    .map(enSouhait);
}

export function lireSouhait(base: Base, utilisateur: string, id: number): Souhait | undefined {
  const ligne = base
    .prepare<[string, number], LigneSouhait>(`${LIRE} AND d.id = ?`)
    .get(utilisateur, id);
  return ligne && enSouhait(ligne);
}

/** Writes a wish at the end of its owner's list; fails on the guard `Souhait_unique`. */
export function insererSouhait(
  base: Base,
  utilisateur: string,
  souhait: SouhaitEcrit,
  dateAjout: string,
): number {
  const { lastInsertRowid } = base
    .prepare<[SouhaitEcrit & { utilisateur: string; dateAjout: string }]>(
      `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, auteur, auteurNormalise, isbn,
         coverUrl, rang, dateAjout)
       VALUES (@utilisateur, @titre, @cleOeuvre, @auteur, @auteurNormalise, @isbn,
         nullif(@coverUrl, couverture_de_secours(@isbn)),
         (SELECT coalesce(max(rang), 0) + 1 FROM Souhait WHERE utilisateur = @utilisateur),
         @dateAjout)`,
    )
    .run({ ...souhait, utilisateur, dateAjout });
  return Number(lastInsertRowid);
}

/**
 * Rewrites a wish but for its rank, and for its cover where none is given; a fallback that was read
 * and comes back, of the old ISBN or of the new one, is none. Fails on the guard `Souhait_unique`.
 */
export function reecrireSouhait(
  base: Base,
  utilisateur: string,
  id: number,
  souhait: SouhaitEcrit,
): void {
  base
    .prepare<[SouhaitEcrit & { utilisateur: string; id: number }]>(
      `UPDATE Souhait SET titre = @titre, cleOeuvre = @cleOeuvre, auteur = @auteur,
         auteurNormalise = @auteurNormalise, isbn = @isbn,
         coverUrl = coalesce(
           nullif(nullif(@coverUrl, couverture_de_secours(@isbn)), couverture_de_secours(isbn)),
           coverUrl)
       WHERE id = @id AND utilisateur = @utilisateur`,
    )
    .run({ ...souhait, utilisateur, id });
}

/** A step of the start-up pass: the keys as the rules make them. A taken key is left to its owner. */
export function renormaliserSouhaits(base: Base): void {
  const cles = "(cle_titre(titre), coalesce(cle_texte(auteur), ''))";
  const renormaliser = base.prepare(
    `UPDATE OR IGNORE Souhait SET (cleOeuvre, auteurNormalise) = ${cles}
     WHERE (cleOeuvre, auteurNormalise) <> ${cles}`,
  );
  // A key that moves may make room for the next.
  while (renormaliser.run().changes > 0);
}
