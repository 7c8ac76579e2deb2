import { m } from '$lib/paraglide/messages';
import type { Reponse } from '$lib/recherche/interroger';
import type { NomSource } from '#shared/recherche';
import { silenceDe } from '../../livres/ajouter/recherche/sources.ts';
import type { ReponseTitre } from './par-titre.svelte.ts';

/** How a search ended, in words. */
export interface Fin {
  readonly phrase: string;
  readonly conseil?: string;
  /** The sources that did not answer while others did. */
  readonly muettes: readonly NomSource[];
  readonly reessayable: boolean;
}

const dite = (phrase: string, conseil = '', muettes: readonly NomSource[] = []): Fin => ({
  phrase,
  conseil,
  muettes,
  reessayable: false,
});

const silence = (muettes: readonly NomSource[], conseil: string): Fin => ({
  ...dite(silenceDe(muettes), conseil),
  reessayable: true,
});

export function finTitre(reponse: ReponseTitre | null, choisi: boolean): Fin {
  if (reponse === null) return dite('');
  if (reponse.fin === 'echec') return { ...dite(reponse.message), reessayable: true };
  const { fin, candidats, muettes } = reponse;
  if (fin === 'muette') return silence(muettes, m.resultats_muets_phrase());
  if (fin === 'rien') return dite(m.resultats_aucun(), m.resultats_aucun_phrase());
  const question = m.resultats_titre({ nombre: candidats.length });
  return dite(choisi ? m.resultat_choisi() : question, '', muettes);
}

/** A refused code is told at its field, a periodical's in the other form. */
export function finIsbn(reponse: Reponse | null, choisi: boolean): Fin {
  switch (reponse?.fin) {
    case undefined:
    case 'invalide':
    case 'revue':
      return dite('');
    case 'echec':
      return { ...dite(reponse.message), reessayable: true };
    case 'muette':
      return silence(reponse.muettes, m.resultats_muets_phrase());
    case 'rien':
      return dite(m.recherche_rien(), m.recherche_rien_phrase());
    case 'un':
      return dite(m.resultat_choisi(), '', reponse.muettes);
    case 'plusieurs': {
      const question = m.resultats_titre({ nombre: reponse.candidats.length });
      return dite(choisi ? m.resultat_choisi() : question, '', reponse.muettes);
    }
  }
}
