import type { Criteres, LivreDocument, PretOuvert } from './livres.ts';
import type { Pret } from './prets.ts';
import type { Statut } from './statuts.ts';
import { comparerTextes, normaliser } from './text.ts';

/** A record as it comes from the journal or from a replica: whole, or gone. */
export type Changement<T extends { id: number }> =
  (T & { _deleted?: false }) | { id: number; _deleted: true };

/** One reader's statuses, by the book's id. */
export type Statuts = ReadonlyMap<number, Statut>;

interface Entree {
  readonly livre: LivreDocument;
  /** The normalised title and author names, a line each: no word of a query spans two. */
  readonly texte: string;
}

/**
 * The household's books in memory, in title order, on the server and on every device alike
 * (docs/architecture.md « The catalogue, in memory »). It takes the changes of the collections
 * `livres` and `prets` in any order and answers criteria without reading any store.
 */
export class Catalogue {
  readonly #entrees = new Map<number, Entree>();
  readonly #pretsOuverts = new Map<number, PretOuvert>();
  readonly #livreDuPret = new Map<number, number>();
  #ordre: Entree[] = [];

  get nombre(): number {
    return this.#ordre.length;
  }

  livre(id: number): LivreDocument | undefined {
    return this.#entrees.get(id)?.livre;
  }

  pretOuvert(livreId: number): PretOuvert | null {
    return this.#pretsOuverts.get(livreId) ?? null;
  }

  recevoirLivres(changements: Iterable<Changement<LivreDocument>>): void {
    for (const changement of changements) {
      if (changement._deleted) this.#entrees.delete(changement.id);
      else this.#entrees.set(changement.id, entree(changement));
    }
    this.#ordre = [...this.#entrees.values()].sort(parTitre);
  }

  recevoirPrets(changements: Iterable<Changement<Pret>>): void {
    for (const changement of changements) {
      const ancien = this.#livreDuPret.get(changement.id);
      if (ancien !== undefined && this.#pretsOuverts.get(ancien)?.id === changement.id)
        this.#pretsOuverts.delete(ancien);
      this.#livreDuPret.delete(changement.id);
      if (changement._deleted || changement.dateRetour !== null) continue;
      const { id, livreId, emprunteur, datePret } = changement;
      this.#livreDuPret.set(id, livreId);
      this.#pretsOuverts.set(livreId, { id, emprunteur, datePret });
    }
  }

  /** The books that answer every criterion, by title; `statuts` are those of the one who asks. */
  chercher(criteres: Criteres, statuts: Statuts): readonly LivreDocument[] {
    const mots = normaliser(criteres.recherche ?? '').split(' ');
    return this.#ordre
      .filter(
        ({ livre, texte }) =>
          mots.every((mot) => texte.includes(mot)) && this.#repond(livre, criteres, statuts),
      )
      .map(({ livre }) => livre);
  }

  #repond(livre: LivreDocument, criteres: Criteres, statuts: Statuts): boolean {
    const { format, typeDocument, disponibilite, statut } = criteres;
    if (format !== undefined && livre.format !== format) return false;
    if (typeDocument !== undefined && livre.typeDocument !== typeDocument) return false;
    if (disponibilite !== undefined) {
      const prete = this.#pretsOuverts.has(livre.id);
      if (prete !== (disponibilite === 'prete')) return false;
    }
    if (statut !== undefined) {
      const sien = statuts.get(livre.id);
      if (statut === 'aucun' ? sien !== undefined : sien !== Number(statut)) return false;
    }
    return true;
  }
}

function entree(livre: LivreDocument): Entree {
  const noms = livre.auteurs.map(({ nom }) => normaliser(nom));
  return { livre, texte: [livre.titreNormalise, ...noms].join('\n') };
}

function parTitre(a: Entree, b: Entree): number {
  return comparerTextes(a.livre.titreNormalise, b.livre.titreNormalise) || a.livre.id - b.livre.id;
}
