import type { RevueSouhaitee } from '#shared/souhaits-revues';
import type { Base } from '#server/database/base';
import type { RevueSouhaiteeEcrite } from './saisie.ts';
import { COLONNES_REVUE_SOUHAITEE } from './store-document.ts';

const LIRE = `SELECT d.id, ${COLONNES_REVUE_SOUHAITEE} FROM RevueSouhaitee d WHERE d.utilisateur = ?`;

/** One person's wished periodicals, by rank. */
export function revuesSouhaiteesDe(base: Base, utilisateur: string): RevueSouhaitee[] {
  return base.prepare<[string], RevueSouhaitee>(`${LIRE} ORDER BY d.rang, d.id`).all(utilisateur);
}

export function lireRevueSouhaitee(
  base: Base,
  utilisateur: string,
  id: number,
): RevueSouhaitee | undefined {
  return base
    .prepare<[string, number], RevueSouhaitee>(`${LIRE} AND d.id = ?`)
    .get(utilisateur, id);
}

/** Writes a wish at the end of its owner's list; fails on the guard `RevueSouhaitee_unique`. */
export function insererRevueSouhaitee(
  base: Base,
  utilisateur: string,
  revue: RevueSouhaiteeEcrite,
  dateAjout: string,
): number {
  const { lastInsertRowid } = base
    .prepare<[RevueSouhaiteeEcrite & { utilisateur: string; dateAjout: string }]>(
      `INSERT INTO RevueSouhaitee (utilisateur, titre, cleOeuvre, numero, numeroNormalise, issn,
         rang, dateAjout)
       VALUES (@utilisateur, @titre, @cleOeuvre, @numero, @numeroNormalise, @issn,
         (SELECT coalesce(max(rang), 0) + 1 FROM RevueSouhaitee WHERE utilisateur = @utilisateur),
         @dateAjout)`,
    )
    .run({ ...revue, utilisateur, dateAjout });
  return Number(lastInsertRowid);
}

/** Rewrites a wish but for its rank; fails on the guard `RevueSouhaitee_unique`. */
export function reecrireRevueSouhaitee(
  base: Base,
  utilisateur: string,
  id: number,
  revue: RevueSouhaiteeEcrite,
): void {
  base
    .prepare<[RevueSouhaiteeEcrite & { utilisateur: string; id: number }]>(
      `UPDATE RevueSouhaitee SET titre = @titre, cleOeuvre = @cleOeuvre, numero = @numero,
         numeroNormalise = @numeroNormalise, issn = @issn
       WHERE id = @id AND utilisateur = @utilisateur`,
    )
    .run({ ...revue, utilisateur, id });
}

/**
 * A step of the start-up pass: the keys as the rules make them, and the ISSN in its dashed form. A
 * taken key is left to its owner, and what is no ISSN stays as it is.
 */
export function renormaliserRevuesSouhaitees(base: Base): void {
  const cles = "(cle_titre(titre), coalesce(cle_texte(numero), ''))";
  const renormaliser = base.prepare(
    `UPDATE OR IGNORE RevueSouhaitee SET (cleOeuvre, numeroNormalise) = ${cles}
     WHERE (cleOeuvre, numeroNormalise) <> ${cles}`,
  );
  // A key that moves may make room for the next.
  while (renormaliser.run().changes > 0);
  base
    .prepare('UPDATE RevueSouhaitee SET issn = lire_issn(issn) WHERE issn <> lire_issn(issn)')
    .run();
}
