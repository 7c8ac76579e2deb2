import type { Auteur } from '#shared/auteurs';
import { cleRegroupement, normaliser } from '#shared/text';
import type { Base } from '#server/database/base';

const LIRE = `
  SELECT id, nom, nomNormalise, count(livreId) AS nombreLivres
  FROM Auteur LEFT JOIN LivreAuteur ON auteurId = id`;

/** Every author, by name as it is sorted, then by id. */
export function tousLesAuteurs(base: Base): Auteur[] {
  return base.prepare<[], Auteur>(`${LIRE} GROUP BY id ORDER BY nomNormalise, id`).all();
}

export function lireAuteur(base: Base, id: number): Auteur | undefined {
  return base.prepare<[number], Auteur>(`${LIRE} WHERE id = ? GROUP BY id`).get(id);
}

/** The one record of a name, whatever its spelling. */
export function auteurDeCle(base: Base, cle: string): { id: number; nom: string } | undefined {
  return base
    .prepare<[string], { id: number; nom: string }>(
      'SELECT id, nom FROM Auteur WHERE cleRegroupement = ?',
    )
    .get(cle);
}

/** Writes a new author and returns its id; fails on the guard `Auteur_cle_unique`. */
export function creerAuteur(base: Base, nom: string): number {
  const { lastInsertRowid } = base
    .prepare<[string, string, string]>(
      'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?)',
    )
    .run(nom, normaliser(nom), cleRegroupement(nom));
  return Number(lastInsertRowid);
}

/** Writes an author's name and what is made from it; fails on the guard `Auteur_cle_unique`. */
export function nommerAuteur(base: Base, id: number, nom: string): void {
  base
    .prepare<[string, string, string, number]>(
      'UPDATE Auteur SET nom = ?, nomNormalise = ?, cleRegroupement = ? WHERE id = ?',
    )
    .run(nom, normaliser(nom), cleRegroupement(nom), id);
}

/** Takes away those of the authors that no book cites. */
export function retirerSansLivre(base: Base, ids: readonly number[]): void {
  const retirer = base.prepare<[number]>(
    `DELETE FROM Auteur
     WHERE id = ? AND NOT EXISTS (SELECT 1 FROM LivreAuteur WHERE auteurId = Auteur.id)`,
  );
  for (const id of ids) retirer.run(id);
}
