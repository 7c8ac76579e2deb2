import * as operations from '#shared/revues';
import type { Revue, RevueSaisie } from '#shared/revues';
import { cleTexte } from '#shared/text';
import { lireIssn } from '#shared/issn';
import { ecrire } from './ecriture.ts';
import { kiosque } from './numeros.svelte.ts';

/** The household's periodicals as this device holds them, reactive. */
export const revues = {
  /** All of them, by title. */
  get toutes(): readonly Revue[] {
    return kiosque().revues;
  },
  revue(id: number): Revue | undefined {
    return kiosque().revue(id);
  },
  /**
   * The periodical that the server would find for an entry: the one of its ISSN, else one of its
   * title that has no ISSN or is asked for without one.
   */
  trouver({ titre, issn = null }: RevueSaisie): Revue | undefined {
    const dit = lireIssn(issn ?? '');
    const toutes = kiosque().revues;
    const parIssn = dit === null ? undefined : toutes.find((revue) => revue.issn === dit);
    if (parIssn || titre.trim() === '') return parIssn;
    const cle = cleTexte(titre.trim());
    return toutes.find(
      (revue) => cleTexte(revue.titre) === cle && (dit === null || revue.issn === null),
    );
  },
};

/** Finds a periodical by its ISSN, else by its title, or makes it. Throws `ISSN_INVALIDE`. */
export const trouverOuCreerRevue = (saisie: RevueSaisie): Promise<Revue> =>
  ecrire(operations.trouverOuCreerRevue, { body: saisie });

/** Rewrites a periodical. Throws `REVUE_EXISTANTE` for another one's ISSN. */
export const modifierRevue = (id: number, saisie: RevueSaisie): Promise<Revue> =>
  ecrire(operations.modifierRevue, { params: { id }, body: saisie });

/** Deletes a periodical and its issues. */
export const supprimerRevue = (id: number): Promise<undefined> =>
  ecrire(operations.supprimerRevue, { params: { id } });
