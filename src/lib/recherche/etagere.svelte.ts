import { afficherIsbn } from '#shared/isbn';
import type { LivreDocument, LivreSaisi } from '#shared/livres';
import type { Candidat, NomSource } from '#shared/recherche';
import { ApiError, refusDe } from '../api/error.ts';
import { ajouterLivre, bibliotheque, supprimerLivre } from '../livres.svelte.ts';
import { m } from '../paraglide/messages.js';
import { interroger, type Reponse } from './interroger.ts';

/** What has become of a code of the shelf. */
export type Sort =
  | { readonly etat: 'cherche' | 'introuvable' | 'retire' }
  | { readonly etat: 'ajoute' | 'possede'; readonly livre: Resume & { readonly id: number } }
  | { readonly etat: 'aChoisir'; readonly candidats: readonly Candidat[] }
  /** Another edition of a work that is owned, or a twin under another code. */
  | {
      readonly etat: 'semblable';
      readonly candidat: Candidat;
      readonly livre: Resume & { readonly id: number };
    }
  | { readonly etat: 'muette'; readonly muettes: readonly NomSource[] }
  | { readonly etat: 'revue'; readonly titre: string | null; readonly issn: string }
  | { readonly etat: 'echec'; readonly message: string };

/** A book as a line shows it. */
export type Resume = Pick<LivreDocument, 'titre' | 'auteurs' | 'editeur' | 'annee' | 'coverUrl'>;

/** One code of the shelf, which stays the same line whatever becomes of it. */
export class Ligne {
  readonly code: string;
  sort = $state.raw<Sort>({ etat: 'cherche' });

  constructor(code: string) {
    this.code = code;
  }

  /** The code with its hyphens; a periodical's as it is. */
  get affiche(): string {
    return this.code.startsWith('977') ? this.code : afficherIsbn(this.code);
  }
}

/**
 * A shelf that is scanned book after book: each code is looked up and added where the answer leaves
 * no doubt. A code that is seen again is not asked again, so nothing is added twice.
 */
export class Etagere {
  /** The last code first. */
  lignes = $state.raw<readonly Ligne[]>([]);
  readonly #surResultat: (ligne: Ligne) => void;
  readonly #fin = new AbortController();

  /** @param surResultat told of each line whose code is settled, or needs a hand */
  constructor(surResultat: (ligne: Ligne) => void) {
    this.#surResultat = surResultat;
  }

  /** Takes a code that the camera sees; false where the shelf has it already. */
  voir(code: string): boolean {
    if (this.lignes.some((ligne) => ligne.code === code)) return false;
    const ligne = new Ligne(code);
    this.lignes = [ligne, ...this.lignes];
    void this.chercher(ligne);
    return true;
  }

  async chercher(ligne: Ligne): Promise<void> {
    const [present] = bibliotheque.parIsbn(ligne.code);
    if (present !== undefined) {
      this.#dire(ligne, { etat: 'possede', livre: present });
      return;
    }
    ligne.sort = { etat: 'cherche' };
    try {
      await this.#suivre(ligne, await interroger(ligne.code, this.#fin.signal));
    } catch (erreur) {
      if (!this.#fin.signal.aborted) throw erreur;
    }
  }

  /** Adds the book that a candidate describes; a twin only when that is meant. */
  async ajouter(ligne: Ligne, candidat: Candidat, confirmerDoublon = false): Promise<void> {
    ligne.sort = { etat: 'cherche' };
    try {
      const livre = await ajouterLivre(enLivre(candidat), { confirmerDoublon });
      this.#dire(ligne, { etat: 'ajoute', livre });
    } catch (erreur) {
      this.#dire(ligne, sortDuRefus(erreur, ligne.code, candidat));
    }
  }

  /** Takes back what was added; the camera may still see the code, which stays as it is. */
  async retirer(ligne: Ligne): Promise<void> {
    if (ligne.sort.etat !== 'ajoute') return;
    const { id } = ligne.sort.livre;
    try {
      await supprimerLivre(id);
      this.#dire(ligne, { etat: 'retire' });
    } catch (erreur) {
      this.#dire(ligne, { etat: 'echec', message: phraseDe(erreur) });
    }
  }

  /** Gives up what is still being asked. */
  fermer(): void {
    this.#fin.abort();
  }

  async #suivre(ligne: Ligne, reponse: Reponse): Promise<void> {
    if (reponse.fin === 'un' && reponse.candidats[0] !== undefined)
      await this.ajouter(ligne, reponse.candidats[0]);
    else this.#dire(ligne, sortDe(reponse));
  }

  #dire(ligne: Ligne, sort: Sort): void {
    ligne.sort = sort;
    this.#surResultat(ligne);
  }
}

function sortDe(reponse: Reponse): Sort {
  switch (reponse.fin) {
    case 'un':
    case 'plusieurs':
      return { etat: 'aChoisir', candidats: reponse.candidats };
    case 'rien':
      return { etat: 'introuvable' };
    case 'muette':
      return { etat: 'muette', muettes: reponse.muettes };
    case 'revue':
      return { etat: 'revue', titre: reponse.titre, issn: reponse.issn };
    case 'invalide':
    case 'echec':
      return { etat: 'echec', message: reponse.message };
  }
}

function sortDuRefus(erreur: unknown, code: string, candidat: Candidat): Sort {
  const refus = refusDe(erreur);
  const [livre] = refus?.code === 'DOUBLON' ? refus.similaires : [];
  if (livre === undefined) return { etat: 'echec', message: phraseDe(erreur) };
  return livre.isbn === code ? { etat: 'possede', livre } : { etat: 'semblable', candidat, livre };
}

const phraseDe = (erreur: unknown): string =>
  erreur instanceof ApiError ? erreur.message : m.erreur_inattendue();

const enLivre = ({ source: _, ...candidat }: Candidat): LivreSaisi => ({
  ...candidat,
  format: 'Physique',
});
