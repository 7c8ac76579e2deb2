import { call } from '$lib/api/call';
import { ApiError } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { rechercherTitre, type Candidat, type NomSource } from '#shared/recherche';

/**
 * How a search by title ends. `muettes` are the sources that did not answer: they may know what the
 * others do not.
 */
export type ReponseTitre =
  | { readonly fin: 'echec'; readonly message: string }
  | {
      readonly fin: 'trouve' | 'rien' | 'muette';
      readonly candidats: readonly Candidat[];
      readonly muettes: readonly NomSource[];
    };

/** Longer than the server can take for its two sources. */
const DELAI = 60_000;

/** One search by title at a time: what is asked, and how it ended. */
export class RechercheParTitre {
  /** What is asked for, as it is told; `null` before the first and after one was given up. */
  demande = $state<string | null>(null);
  /** `null` while it is under way. */
  reponse = $state.raw<ReponseTitre | null>(null);
  #enCours: AbortController | null = null;

  /** Asks the outside catalogues, in place of the search before. */
  async chercher(titre: string, auteur: string): Promise<void> {
    this.oublier();
    this.demande = [titre, auteur].filter((texte) => texte.trim() !== '').join(', ');
    const { signal } = (this.#enCours = new AbortController());
    try {
      const query = auteur.trim() === '' ? { titre } : { titre, auteur };
      const { candidats, sources } = await call(rechercherTitre, { query, signal, delai: DELAI });
      const muettes = sources.filter(({ etat }) => etat === 'injoignable').map(({ nom }) => nom);
      const sans = muettes.length > 0 ? 'muette' : 'rien';
      this.reponse = { fin: candidats.length > 0 ? 'trouve' : sans, candidats, muettes };
    } catch (erreur) {
      if (signal.aborted) return;
      if (!(erreur instanceof ApiError)) throw erreur;
      const message = erreur.kind === 'horsLigne' ? m.recherche_sans_serveur() : erreur.message;
      this.reponse = { fin: 'echec', message };
    }
  }

  /** Gives up what is under way, and takes what was answered off the screen. */
  oublier(): void {
    this.#enCours?.abort();
    this.#enCours = null;
    this.demande = null;
    this.reponse = null;
  }
}
