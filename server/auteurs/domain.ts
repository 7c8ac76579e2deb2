import type { Auteur } from '#shared/auteurs';
import { Refusal } from '#shared/refusals';
import { cleRegroupement } from '#shared/text';
import type { Base } from '#server/database/base';
import { estViolation } from '#server/database/violations';
import { nomLePlusPresentable } from './nom.ts';
import { auteurDeCle, creerAuteur, lireAuteur, nommerAuteur } from './store.ts';

/**
 * The records of the names of a cover, in its order, made where there is none. One named twice
 * counts once, and a more presentable spelling becomes the shown name (contract.md « Rules made
 * exact »).
 */
export function auteursNommes(base: Base, noms: readonly string[]): number[] {
  return [...new Set(noms.map((nom) => auteurNomme(base, nom)))];
}

function auteurNomme(base: Base, nom: string): number {
  const connu = auteurDeCle(base, cleRegroupement(nom));
  if (connu === undefined) return creerAuteur(base, nom);
  const montre = nomLePlusPresentable([connu.nom, nom]);
  if (montre !== null && montre !== connu.nom) nommerAuteur(base, connu.id, montre);
  return connu.id;
}

/** Renames an author everywhere; two authors stay two, so another's name is refused. */
export function renommer(base: Base, id: number, nom: string): Auteur {
  return base.write(() => {
    try {
      nommerAuteur(base, id, nom);
    } catch (error) {
      const autre = auteurDeCle(base, cleRegroupement(nom));
      if (!estViolation(error, 'Auteur_cle_unique') || autre === undefined) throw error;
      throw new Refusal('AUTEUR_EXISTANT', { auteur: autre });
    }
    const auteur = lireAuteur(base, id);
    if (auteur === undefined) throw new Refusal('INTROUVABLE');
    return auteur;
  });
}
