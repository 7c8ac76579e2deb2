import type { Auteur } from '#shared/auteurs';
import { cleRegroupement, normaliser } from '#shared/text';
import type { Base } from '#server/database/base';
import type { AuteurConnu } from './fusion.ts';

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

const CONNAITRE = 'SELECT id, nom, formePleine FROM Auteur';

/** Every author as the rules of merging know it, by id. */
export function auteursConnus(base: Base): AuteurConnu[] {
  return base.prepare<[], AuteurConnu>(`${CONNAITRE} ORDER BY id`).all();
}

export function auteurConnu(base: Base, id: number): AuteurConnu | undefined {
  return base.prepare<[number], AuteurConnu>(`${CONNAITRE} WHERE id = ?`).get(id);
}

/** The author who has that grouping key. */
export function auteurDeCle(base: Base, cle: string): AuteurConnu | undefined {
  return base.prepare<[string], AuteurConnu>(`${CONNAITRE} WHERE cleRegroupement = ?`).get(cle);
}

/** The authors who have that normalised word in their name. */
export function auteursDuMot(base: Base, mot: string): AuteurConnu[] {
  return base
    .prepare<[string], AuteurConnu>(
      `${CONNAITRE} WHERE instr(' ' || cleRegroupement || ' ', ' ' || ? || ' ') > 0 ORDER BY id`,
    )
    .all(mot);
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

/**
 * Writes an author's names and what is made from them, where they have changed; fails on the
 * guard `Auteur_cle_unique`.
 */
export function nommerAuteur(base: Base, { id, nom, formePleine }: AuteurConnu): void {
  base
    .prepare<[AuteurConnu & { normalise: string; cle: string }]>(
      `UPDATE Auteur SET nom = @nom, formePleine = @formePleine,
         nomNormalise = @normalise, cleRegroupement = @cle
       WHERE id = @id AND (nom <> @nom OR formePleine IS NOT @formePleine)`,
    )
    .run({ id, nom, formePleine, normalise: normaliser(nom), cle: cleRegroupement(nom) });
}

type Normes = Pick<Auteur, 'id' | 'nomNormalise'> & { readonly cleRegroupement: string };

/** Writes a normalised name where it is another. */
export function ecrireNomNormalise(base: Base, { id, nomNormalise }: Normes): void {
  base
    .prepare<[string, number, string]>(
      'UPDATE Auteur SET nomNormalise = ? WHERE id = ? AND nomNormalise <> ?',
    )
    .run(nomNormalise, id, nomNormalise);
}

/** Gives an author a grouping key unless one has it; tells whether it was given. */
export function prendreCle(base: Base, { id, cleRegroupement: cle }: Normes): boolean {
  const { changes } = base
    .prepare<[string, number, string]>(
      `UPDATE Auteur SET cleRegroupement = ?
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM Auteur WHERE cleRegroupement = ?)`,
    )
    .run(cle, id, cle);
  return changes > 0;
}

const SANS_RIEN = `
  NOT EXISTS (SELECT 1 FROM LivreAuteur WHERE auteurId = Auteur.id)
  AND NOT EXISTS (SELECT 1 FROM FusionRefusee WHERE premierId = Auteur.id)
  AND NOT EXISTS (SELECT 1 FROM FusionRefusee WHERE secondId = Auteur.id)`;

/** Takes away those of the authors that no book cites and no refusal remembers. */
export function retirerSansLivre(base: Base, ids: readonly number[]): void {
  const retirer = base.prepare<[number]>(`DELETE FROM Auteur WHERE id = ? AND ${SANS_RIEN}`);
  for (const id of ids) retirer.run(id);
}

/** Takes away every author that no book cites and no refusal remembers. */
export function retirerTousSansLivre(base: Base): void {
  base.prepare(`DELETE FROM Auteur WHERE ${SANS_RIEN}`).run();
}
