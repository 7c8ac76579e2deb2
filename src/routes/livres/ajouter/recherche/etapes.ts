import { m } from '$lib/paraglide/messages';
import type { Reponse } from '$lib/recherche/interroger';
import type { ChampPropose } from '$lib/recherche/remplissage';
import { silenceDe } from './sources.ts';

const NOMS: Readonly<Record<ChampPropose, () => string>> = {
  titre: m.champ_titre,
  auteurs: m.champ_auteurs,
  editeur: m.champ_editeur,
  annee: m.champ_annee,
  nombrePages: m.champ_pages,
  coverUrl: m.champ_couverture,
};

/** How a lookup ended, in a sentence; nothing for a refused code, which its field tells. */
export function phraseDe(reponse: Reponse, choisi: boolean): string {
  switch (reponse.fin) {
    case 'invalide':
      return '';
    case 'echec':
      return reponse.message;
    case 'muette':
      return silenceDe(reponse.muettes);
    case 'rien':
      return m.recherche_rien();
    case 'un':
      return m.recherche_un();
    case 'plusieurs':
      return choisi
        ? m.recherche_choisie()
        : m.recherche_plusieurs({ nombre: reponse.candidats.length });
    case 'revue':
      return reponse.titre === null
        ? m.revue_sans_titre()
        : m.revue_trouvee({ titre: reponse.titre });
  }
}

/** The fields that kept what was typed there, in a sentence. */
export const phraseDesGardes = (gardes: readonly ChampPropose[]): string =>
  m.champs_gardes({ champs: gardes.map((champ) => NOMS[champ]()).join(', ') });
