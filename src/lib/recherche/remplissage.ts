import type { Candidat } from '#shared/recherche';
import type { SaisieLivre } from '../ui/formulaire/saisie.svelte.ts';

const CHAMPS = ['titre', 'auteurs', 'editeur', 'annee', 'nombrePages', 'coverUrl'] as const;
export type ChampPropose = (typeof CHAMPS)[number];

/** No name holds a line break. */
const ENTRE_NOMS = '\n';

/**
 * Puts what the catalogues propose into a form without running over what a person typed there: a
 * field is filled when it is empty, or still holds what was proposed before.
 */
export class Remplissage {
  #proposes: Partial<Record<ChampPropose, string>> = {};

  /** Fills the form, and gives the fields that keep another text than the proposed one. */
  remplir(saisie: SaisieLivre, candidat: Candidat): ChampPropose[] {
    const proposes = textesDe(candidat);
    const gardes: ChampPropose[] = [];
    for (const champ of CHAMPS) {
      const propose = proposes[champ];
      const present = lire(saisie, champ).trim();
      if (present === '' || present === this.#proposes[champ]) ecrire(saisie, champ, propose);
      else if (propose !== '' && present !== propose) gardes.push(champ);
    }
    this.#proposes = proposes;
    return gardes;
  }
}

const textesDe = (candidat: Candidat): Record<ChampPropose, string> => ({
  titre: candidat.titre,
  auteurs: candidat.auteurs.join(ENTRE_NOMS),
  editeur: candidat.editeur ?? '',
  annee: String(candidat.annee ?? ''),
  nombrePages: String(candidat.nombrePages ?? ''),
  coverUrl: candidat.coverUrl ?? '',
});

const lire = (saisie: SaisieLivre, champ: ChampPropose): string =>
  champ === 'auteurs' ? saisie.noms.join(ENTRE_NOMS) : saisie[champ];

function ecrire(saisie: SaisieLivre, champ: ChampPropose, texte: string): void {
  if (champ !== 'auteurs') {
    saisie[champ] = texte;
    return;
  }
  saisie.auteurs = texte === '' ? [] : texte.split(ENTRE_NOMS);
  saisie.auteurEnCours = '';
}
