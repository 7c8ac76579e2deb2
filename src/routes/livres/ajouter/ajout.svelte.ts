import { connexion } from '$lib/connexion.svelte';
import { ajouterLivre, supprimerLivre } from '$lib/livres.svelte';
import { lireCode } from '$lib/recherche/code';
import { Recherche } from '$lib/recherche/recherche.svelte';
import { Remplissage, type ChampPropose } from '$lib/recherche/remplissage';
import { Envoi } from '$lib/ui/envoi.svelte';
import { SaisieLivre } from '$lib/ui/formulaire/saisie.svelte';
import type { Livre } from '#shared/livres';
import type { Candidat } from '#shared/recherche';
import { Refusal } from '#shared/refusals';

/** What came in last, with the form that it was entered by. */
interface Dernier {
  readonly livre: Livre;
  readonly saisie: SaisieLivre;
}

/** One book after another comes in: the form, what the catalogues say, what was just added. */
export class Ajout {
  saisie = $state.raw(new SaisieLivre());
  /** The candidate that filled the form. */
  choisi = $state.raw<Candidat | null>(null);
  /** The fields that kept what was typed there. */
  gardes = $state.raw<readonly ChampPropose[]>([]);
  dernier = $state.raw<Dernier | null>(null);
  /** The last book was taken back. */
  dernierRetire = $state(false);
  readonly envoi = new Envoi();
  readonly recherche = new Recherche();
  #remplissage = new Remplissage();
  #codeRefuse = $state.raw<string | null>(null);

  /** What is wrong with the code, until another is typed. */
  get erreurIsbn(): string | null {
    if (this.#codeRefuse === null || this.#codeRefuse !== this.saisie.isbn) return null;
    return new Refusal('ISBN_INVALIDE').message;
  }

  /** The outside catalogues can be asked; what this device knows of a code is told in any case. */
  get joignable(): boolean {
    return connexion.etat === 'enLigne';
  }

  /**
   * Looks the typed code up, and fills the form where there is one answer. Tells whether there is
   * an end to show: not where it was given up, or where there was nothing to ask.
   */
  async chercher(): Promise<boolean> {
    const texte = this.saisie.isbn;
    this.envoi.oublier();
    this.recherche.oublier();
    this.choisi = null;
    this.gardes = [];
    this.#codeRefuse = lireCode(texte).genre === 'inconnu' && texte.trim() !== '' ? texte : null;
    if (this.#codeRefuse !== null) return true;
    if (texte.trim() === '' || !this.joignable) return false;
    const reponse = await this.recherche.chercher(texte);
    if (reponse?.fin === 'un' && reponse.candidats[0] !== undefined)
      this.choisir(reponse.candidats[0]);
    return reponse !== null;
  }

  choisir(candidat: Candidat): void {
    this.gardes = this.#remplissage.remplir(this.saisie, candidat);
    this.choisi = candidat;
  }

  /** Adds the book and clears the form for the next one; tells whether it was done. */
  enregistrer(confirmerDoublon: boolean): Promise<boolean> {
    return this.envoi.faire(async () => {
      const { saisie } = this;
      const livre = await ajouterLivre(saisie.enLivre(), { confirmerDoublon });
      this.dernier = { livre, saisie };
      this.dernierRetire = false;
      this.#vider(new SaisieLivre());
    });
  }

  /** Takes the last book back; its form comes back too, unless the next one is begun. */
  async annulerDernier(): Promise<void> {
    const { dernier } = this;
    if (dernier === null) return;
    await supprimerLivre(dernier.livre.id);
    this.dernierRetire = true;
    if (this.saisie.vierge) this.#vider(dernier.saisie);
  }

  #vider(saisie: SaisieLivre): void {
    this.recherche.oublier();
    this.#remplissage = new Remplissage();
    this.#codeRefuse = null;
    this.choisi = null;
    this.gardes = [];
    this.saisie = saisie;
  }
}
