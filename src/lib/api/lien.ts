/** How this page stands with the server, as its last exchanges told. */
export type EtatLien = 'enLigne' | 'horsLigne' | 'sessionExpiree';

/**
 * The state of the link, kept where every exchange is made. A failure changes it at once; only
 * `connexion` says « en ligne » again, once it knows who is calling.
 */
class Lien {
  #etat: EtatLien = 'enLigne';
  readonly #abonnes = new Set<(etat: EtatLien) => void>();

  get etat(): EtatLien {
    return this.#etat;
  }

  set etat(etat: EtatLien) {
    if (etat === this.#etat) return;
    this.#etat = etat;
    for (const abonne of this.#abonnes) abonne(etat);
  }

  /** Calls `abonne` at each change of state until the returned function is called. */
  abonner(abonne: (etat: EtatLien) => void): () => void {
    this.#abonnes.add(abonne);
    return () => this.#abonnes.delete(abonne);
  }
}

export const lien = new Lien();
