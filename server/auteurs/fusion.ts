import { abrege, aInitiale, lireForme } from '#shared/nom-forme';
import { nomLePlusPresentable } from '#shared/nom-presentable';
import type { AuteurNomme } from './initiales.ts';

/** An author's record as the rules of merging know it. */
export interface AuteurConnu extends AuteurNomme {
  /**
   * The full form when the shown name is a shorter one that stands before it (« J. Martin » before
   * « JEAN MARTIN »): without it the next « Jacques Martin » would be taken for the same person.
   */
  readonly formePleine: string | null;
}

/** Two records that become one. */
export interface Fusion {
  readonly reste: AuteurConnu;
  readonly absorbe: number;
}

/**
 * What becomes of two records of one author: the one with the most presentable name stays, the
 * lower id where they are equal. So the end is the same in whatever order several are merged.
 */
export function fusionner(a: AuteurConnu, b: AuteurConnu): Fusion {
  const [premier, second] = a.id < b.id ? [a, b] : [b, a];
  const premierReste = nomLePlusPresentable([premier.nom, second.nom]) === premier.nom;
  const [reste, absorbe] = premierReste ? [premier, second] : [second, premier];
  return {
    reste: { ...reste, ...nommer([...noms(reste), ...noms(absorbe)]) },
    absorbe: absorbe.id,
  };
}

/** The names that one author has after another spelling has come with a book. */
export const apprendre = (auteur: AuteurConnu, nom: string): AuteurConnu => ({
  ...auteur,
  ...nommer([...noms(auteur), nom]),
});

/** The names of an author whom somebody calls otherwise; abbreviated, it is the same person. */
export const renomme = (auteur: AuteurConnu, nom: string): AuteurConnu => ({
  id: auteur.id,
  nom,
  formePleine: abrege(lireForme(nom), lireForme(forme(auteur))) ? forme(auteur) : null,
});

/** The name that tells who the author is: the fullest one known. */
export const forme = ({ nom, formePleine }: AuteurConnu): string => formePleine ?? nom;

const noms = (auteur: AuteurConnu): string[] =>
  auteur.formePleine === null ? [auteur.nom] : [auteur.nom, auteur.formePleine];

function nommer(candidats: readonly string[]): Pick<AuteurConnu, 'nom' | 'formePleine'> {
  const nom = nomLePlusPresentable(candidats) ?? '';
  const lue = lireForme(nom);
  const longues = candidats.filter((candidat) => abrege(lue, lireForme(candidat)));
  const pleines = longues.filter((candidat) => !aInitiale(lireForme(candidat)));
  return { nom, formePleine: nomLePlusPresentable(pleines.length > 0 ? pleines : longues) };
}
