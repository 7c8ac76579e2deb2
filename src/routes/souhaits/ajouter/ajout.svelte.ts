import { connexion } from '$lib/connexion.svelte';
import { Recherche } from '$lib/recherche/recherche.svelte';
import { ajouterRevueSouhaitee } from '$lib/souhaits-revues.svelte';
import { ajouterSouhait } from '$lib/souhaits.svelte';
import { Envoi } from '$lib/ui/envoi.svelte';
import type { Candidat } from '#shared/recherche';
import { SaisieRevue, SaisieSouhait, type Erreurs } from '../formulaire/saisie.svelte.ts';
import { RechercheParTitre } from './par-titre.svelte.ts';

export type Genre = 'livre' | 'revue';

/** What came onto the list last. */
export interface DernierAjout {
  readonly titre: string;
  readonly rang: number;
}

/** One wish after another comes onto the list: both forms, what the catalogues say. */
export class AjoutSouhait {
  livre = $state.raw(new SaisieSouhait());
  revue = $state.raw(new SaisieRevue());
  /** The candidate that filled the form of the book. */
  choisi = $state.raw<Candidat | null>(null);
  /** What was typed is wrong before the server sees it. */
  fautes = $state.raw<Erreurs>({});
  /** A code has said that it is a periodical's. */
  reconnue = $state(false);
  dernier = $state.raw<DernierAjout | null>(null);
  readonly envoi = new Envoi();
  readonly parIsbn = new Recherche();
  readonly parTitre = new RechercheParTitre();

  /** The outside catalogues can be asked. */
  get joignable(): boolean {
    return connexion.etat === 'enLigne';
  }

  async chercherTitre(): Promise<void> {
    if (!this.joignable) return;
    this.oublier();
    await this.parTitre.chercher(this.livre.titre, this.livre.auteur);
  }

  /** Looks the typed code up; a periodical's fills the other form, which is then the one to show. */
  async chercherIsbn(): Promise<Genre> {
    if (!this.joignable || this.livre.isbn.trim() === '') return 'livre';
    this.oublier();
    const reponse = await this.parIsbn.chercher(this.livre.isbn);
    if (reponse?.fin === 'invalide') {
      this.fautes = { isbn: reponse.message };
      this.parIsbn.oublier();
    }
    if (reponse?.fin === 'un' && reponse.candidats[0] !== undefined)
      this.choisir(reponse.candidats[0]);
    if (reponse?.fin !== 'revue') return 'livre';
    this.parIsbn.oublier();
    this.livre.isbn = '';
    this.revue.issn = reponse.issn;
    this.revue.titre = reponse.titre ?? this.revue.titre;
    this.reconnue = true;
    return 'revue';
  }

  choisir(candidat: Candidat): void {
    this.livre.remplir(candidat);
    this.choisi = candidat;
    this.fautes = {};
  }

  /** Puts what is typed on the list and clears the form; tells whether it was done. */
  async enregistrer(genre: Genre): Promise<boolean> {
    this.fautes = genre === 'livre' ? this.livre.verifier() : this.revue.verifier();
    if (Object.keys(this.fautes).length > 0) return false;
    return this.envoi.faire(async () => {
      const ajoute =
        genre === 'livre'
          ? await ajouterSouhait(this.livre.enSouhait())
          : await ajouterRevueSouhaitee(this.revue.enRevue());
      this.dernier = ajoute;
      this.oublier();
      if (genre === 'livre') this.livre = new SaisieSouhait();
      else this.revue = new SaisieRevue();
    });
  }

  /** Takes off the screen what the catalogues have answered, and what was refused. */
  oublier(): void {
    this.parTitre.oublier();
    this.parIsbn.oublier();
    this.envoi.oublier();
    this.choisi = null;
    this.fautes = {};
    this.reconnue = false;
  }
}
