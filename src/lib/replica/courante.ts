import { ApiError, refusDe } from '../api/error.ts';
import { ouvrirBase, ouvrirEnMemoire } from './database.ts';
import { avant } from './delai.ts';
import { supprimerBase, supprimerPerimees } from './indexed-db.ts';
import type { Instantane, Instantanes, Valeurs } from './locaux.ts';
import { LecteurChange, type Lecteur } from './lecteur.ts';
import { seul } from './locks.ts';
import { Replique } from './replique.ts';
import { nomDeBase } from './schema.ts';
import { vues } from './vues.ts';

/** How long a closing database may hold up its successor, in milliseconds. */
const PATIENCE = 3_000;

/** How long a write waits until its revision shows, in milliseconds. */
const ATTENTE = 10_000;

/** How often a copy is made again before IndexedDB counts as unusable on this page. */
const ESSAIS = 3;

/**
 * The replica that is open: at most one, its reader's. What goes wrong with its database ends
 * here: the copy is dropped and pulled again.
 */
class Courante {
  #lecteur: Lecteur | null = null;
  #replique: Replique | null = null;
  #fermeture: Promise<unknown> = Promise.resolve();
  #reprise: Promise<void> | null = null;
  #tirage: Promise<boolean> | null = null;
  #perdue = false;
  #essais = ESSAIS;

  /** Empties the views at once, then opens the copy of this reader and shows what it holds. */
  async ouvrir(lecteur: Lecteur): Promise<void> {
    this.fermer();
    this.#lecteur = lecteur;
    await this.#installer(lecteur);
    supprimerPerimees().catch(() => undefined);
  }

  /** Empties the views at once; the database closes behind. */
  fermer(): void {
    const replique = this.#replique;
    this.#replique = null;
    this.#lecteur = null;
    vues.vider();
    if (replique) this.#fermeture = avant(PATIENCE, replique.fermer()).catch(() => undefined);
  }

  /**
   * Brings the copy up to the server; true when it is. With a `revision`, a copy that has reached
   * it is left alone. A call while a pull runs counts as one after it.
   */
  async tirer(revision = Infinity): Promise<boolean> {
    while (this.#tirage) await this.#tirage;
    if (this.#replique?.aAtteint(revision)) return true;
    this.#tirage = this.#tirer().finally(() => (this.#tirage = null));
    return this.#tirage;
  }

  /** Waits until the copy shows a revision, or until it is clear that it does not come. */
  async atteindre(revision: number): Promise<void> {
    const attendre = () => this.#replique?.atteindre(revision, AbortSignal.timeout(ATTENTE));
    const tire = this.tirer(revision).then((fait) => (fait ? attendre() : undefined));
    await Promise.race([attendre(), tire]);
  }

  instantane<K extends keyof Instantanes>(cle: K): Instantane<Instantanes[K]> | null {
    return this.#replique?.locaux.lire(cle) ?? null;
  }

  async garder<K extends keyof Instantanes>(cle: K, valeur: Valeurs[K]): Promise<void> {
    await this.#replique?.locaux.garder(cle, valeur);
  }

  async #tirer(): Promise<boolean> {
    await this.#reprise;
    const replique = this.#replique;
    if (!replique) return false;
    try {
      await replique.tirer();
      this.#essais = ESSAIS;
      return true;
    } catch (erreur) {
      if (replique !== this.#replique || !estPerdue(erreur) || this.#essais === 0) return false;
      await this.#refaire();
      return this.#tirer();
    }
  }

  /** Opens what the device holds; made anew where it is broken, in memory where that fails too. */
  async #installer(lecteur: Lecteur): Promise<void> {
    await this.#fermeture;
    const nom = nomDeBase(lecteur.utilisateur);
    const surPerte = () => this.#perdre(lecteur);
    const surDisque = () => ouvrirBase(nom, surPerte);
    const aNouveau = () => supprimerBase(nom).then(surDisque);
    const enMemoire = () => ouvrirEnMemoire(nom);
    for (const ouvrir of this.#essais > 0 ? [surDisque, aNouveau, enMemoire] : [enMemoire]) {
      if (lecteur !== this.#lecteur) return;
      const replique = await ouvrir().then(
        (base) => new Replique(base, lecteur, vues),
        () => null,
      );
      if (replique && (await this.#montrer(replique, lecteur))) return;
    }
  }

  /** Makes a replica the open one; false where it cannot be read. */
  async #montrer(replique: Replique, lecteur: Lecteur): Promise<boolean> {
    if (lecteur === this.#lecteur) {
      this.#perdue = false;
      this.#replique = replique;
      const lue = await replique.lire().then(
        () => true,
        () => false,
      );
      if (lue || replique !== this.#replique) return true;
      this.#replique = null;
      vues.vider();
    }
    await avant(PATIENCE, replique.fermer()).catch(() => undefined);
    return false;
  }

  /** Another tab has deleted the database, or the browser has evicted it. */
  #perdre(lecteur: Lecteur): void {
    if (lecteur !== this.#lecteur || !this.#replique || this.#perdue) return;
    this.#perdue = true;
    void this.#refaire().then(() => this.tirer());
  }

  /** Drops the copy, unless another tab has done so, and begins a new one. */
  #refaire(): Promise<void> {
    this.#reprise ??= this.#abandonner().finally(() => (this.#reprise = null));
    return this.#reprise;
  }

  async #abandonner(): Promise<void> {
    const lecteur = this.#lecteur;
    if (!lecteur) return;
    this.#essais--;
    const nom = nomDeBase(lecteur.utilisateur);
    await seul(`tirer ${nom}`, async () => {
      if (lecteur !== this.#lecteur) return;
      const perdue = this.#perdue;
      this.fermer();
      this.#lecteur = lecteur;
      await this.#fermeture;
      if (!perdue) await supprimerBase(nom).catch(() => undefined);
      await this.#installer(lecteur);
    });
  }
}

/** True where an error of a pull means that the copy is of no more use. */
const estPerdue = (erreur: unknown): boolean =>
  erreur instanceof ApiError
    ? refusDe(erreur)?.code === 'EPOQUE_PERIMEE'
    : !(erreur instanceof LecteurChange);

export const courante = new Courante();
