import { contenant, creerEntree, parTitre, remplacer, type Entree } from './catalogue-entrees.ts';
import {
  Comptes,
  gardeDe,
  type Disponibilite,
  type Presents,
  type Statuts,
} from './catalogue-filtres.ts';
import { IndexDeMots } from './catalogue-index.ts';
import { PretsOuverts } from './catalogue-prets.ts';
import type { Criteres, Format, LivreDocument, PretOuvert, TypeDocument } from './livres.ts';
import type { Pret } from './prets.ts';
import { normaliser } from './text.ts';

export type { Presents, Statuts } from './catalogue-filtres.ts';

/** A record as it comes from the journal or from a replica: whole, or gone. */
export type Changement<T extends { id: number }> =
  (T & { _deleted?: false }) | { id: number; _deleted: true };

/** From so many changes on, sorting the list once is quicker than finding a place for each. */
const EN_BLOC = 100;

/** From so many books on, an index pays for its making; a device with fewer never makes one. */
const AVEC_INDEX = 20_000;

/** Which part of an answer is wanted; all of it where nothing is said. */
interface Page {
  readonly limite?: number;
  readonly decalage?: number;
}

/**
 * The household's books in memory, in title order, on the server and on every device alike
 * (docs/architecture.md « The catalogue, in memory »). It takes the changes of the collections
 * `livres` and `prets` in any order and answers criteria without reading any store.
 */
export class Catalogue {
  readonly #entrees = new Map<number, Entree>();
  readonly #prets = new PretsOuverts();
  readonly #formats = new Comptes<Format>();
  readonly #typesDocument = new Comptes<TypeDocument>();
  #ordre: Entree[] = [];
  #index: IndexDeMots | null = null;
  /** The last search and its answer, which a query that grows only narrows. */
  #derniere: { mots: readonly string[]; entrees: readonly Entree[] } | null = null;

  get nombre(): number {
    return this.#ordre.length;
  }

  get presents(): Presents {
    const disponibilites = new Set<Disponibilite>();
    if (this.#ordre.some(({ livre }) => this.pretOuvert(livre.id) === null))
      disponibilites.add('chezSoi');
    if (this.#prets.concerne((livreId) => this.#entrees.has(livreId))) disponibilites.add('prete');
    return {
      formats: this.#formats.valeurs(),
      typesDocument: this.#typesDocument.valeurs(),
      disponibilites,
    };
  }

  livre(id: number): LivreDocument | undefined {
    return this.#entrees.get(id)?.livre;
  }

  /** Every copy under an ISBN, by title; some 0.2 ms over ten thousand books. */
  parIsbn(isbn13: string): LivreDocument[] {
    return this.#ordre.flatMap(({ livre }) => (livre.isbn === isbn13 ? [livre] : []));
  }

  pretOuvert(livreId: number): PretOuvert | null {
    return this.#prets.duLivre(livreId);
  }

  recevoirLivres(changements: Iterable<Changement<LivreDocument>>): void {
    const recus = [...changements];
    const noms = new Map<string, string>();
    const nouvelles: Entree[] = [];
    for (const recu of recus) {
      const ancienne = this.#entrees.get(recu.id);
      const nouvelle = recu._deleted ? undefined : creerEntree(recu, noms);
      this.#inscrire(ancienne, nouvelle);
      if (recus.length < EN_BLOC) remplacer(this.#ordre, ancienne, nouvelle);
      else if (nouvelle !== undefined) nouvelles.push(nouvelle);
    }
    if (recus.length >= EN_BLOC) this.#trier(nouvelles);
    this.#derniere = null;
  }

  recevoirPrets(changements: Iterable<Changement<Pret>>): void {
    for (const recu of changements) {
      if (recu._deleted || recu.dateRetour !== null) this.#prets.clore(recu.id);
      else this.#prets.ouvrir(recu);
    }
  }

  /** The books that answer every criterion, by title; `statuts` are those of the one who asks. */
  chercher(criteres: Criteres, statuts: Statuts): readonly LivreDocument[] {
    return this.page(criteres, statuts).livres;
  }

  /** Some of the books that answer, and how many do. */
  page(criteres: Criteres & Page, statuts: Statuts): { livres: LivreDocument[]; total: number } {
    const { recherche = '', decalage = 0, limite = Infinity } = criteres;
    const entrees = this.#trouver(recherche);
    const fin = decalage + limite;
    const garde = gardeDe(criteres, statuts, this.#prets);
    if (garde === null) {
      const livres = entrees.slice(decalage, fin).map(({ livre }) => livre);
      return { livres, total: entrees.length };
    }
    const livres: LivreDocument[] = [];
    let total = 0;
    for (const { livre } of entrees) {
      if (!garde(livre)) continue;
      if (total >= decalage && total < fin) livres.push(livre);
      total++;
    }
    return { livres, total };
  }

  /** The entries that hold every word of a query; of a query without a letter or digit, all. */
  #trouver(recherche: string): readonly Entree[] {
    const requete = normaliser(recherche);
    if (requete === '') return this.#ordre;
    const mots = [...new Set(requete.split(' '))];
    if (this.#ordre.length >= AVEC_INDEX) return this.#aJour().trouver(mots);
    const avant = this.#derniere;
    const precise = avant?.mots.every((ancien) => mots.some((mot) => mot.includes(ancien)));
    const entrees = contenant(avant !== null && precise ? avant.entrees : this.#ordre, mots);
    this.#derniere = { mots, entrees };
    return entrees;
  }

  #aJour(): IndexDeMots {
    if (this.#index === null || this.#index.perime) this.#index = new IndexDeMots(this.#ordre);
    return this.#index;
  }

  /** Follows one change everywhere but in the order of the list. */
  #inscrire(ancienne: Entree | undefined, nouvelle: Entree | undefined): void {
    if (ancienne !== undefined) {
      this.#entrees.delete(ancienne.livre.id);
      this.#formats.retirer(ancienne.livre.format);
      this.#typesDocument.retirer(ancienne.livre.typeDocument);
    }
    if (nouvelle !== undefined) {
      this.#entrees.set(nouvelle.livre.id, nouvelle);
      this.#formats.ajouter(nouvelle.livre.format);
      this.#typesDocument.ajouter(nouvelle.livre.typeDocument);
    }
    if (this.#index?.perime) this.#index = null;
    else this.#index?.remplacer(ancienne, nouvelle);
  }

  #trier(nouvelles: readonly Entree[]): void {
    this.#ordre = [...this.#ordre, ...nouvelles]
      .filter((entree) => this.#entrees.get(entree.livre.id) === entree)
      .sort(parTitre);
  }
}
