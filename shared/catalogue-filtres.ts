import type { PretsOuverts } from './catalogue-prets.ts';
import type { Criteres, Format, LivreDocument, TypeDocument } from './livres.ts';
import type { Statut } from './statuts.ts';

/** One reader's statuses, by the book's id. */
export type Statuts = ReadonlyMap<number, Statut>;

export type Disponibilite = NonNullable<Criteres['disponibilite']>;

/** The values that at least one book has: a filter is of use where there are two. */
export interface Presents {
  readonly formats: ReadonlySet<Format>;
  readonly typesDocument: ReadonlySet<TypeDocument>;
  readonly disponibilites: ReadonlySet<Disponibilite>;
}

type Garde = (livre: LivreDocument) => boolean;

/** What a book must answer besides the search, `null` when every book does. */
export function gardeDe(criteres: Criteres, statuts: Statuts, prets: PretsOuverts): Garde | null {
  const { format, typeDocument, disponibilite, statut } = criteres;
  const gardes: Garde[] = [];
  if (format !== undefined) gardes.push((livre) => livre.format === format);
  if (typeDocument !== undefined) gardes.push((livre) => livre.typeDocument === typeDocument);
  if (disponibilite !== undefined) {
    const voulu = disponibilite === 'prete';
    gardes.push(({ id }) => (prets.duLivre(id) !== null) === voulu);
  }
  if (statut !== undefined) {
    const voulu = statut === 'aucun' ? undefined : Number(statut);
    gardes.push(({ id }) => statuts.get(id) === voulu);
  }
  return gardes.length === 0 ? null : (livre) => gardes.every((garde) => garde(livre));
}

/** How often each value occurs; one that does not occur is not there. */
export class Comptes<T> {
  readonly #comptes = new Map<T, number>();

  valeurs(): ReadonlySet<T> {
    return new Set(this.#comptes.keys());
  }

  ajouter(valeur: T): void {
    this.#comptes.set(valeur, (this.#comptes.get(valeur) ?? 0) + 1);
  }

  retirer(valeur: T): void {
    const reste = (this.#comptes.get(valeur) ?? 0) - 1;
    if (reste > 0) this.#comptes.set(valeur, reste);
    else this.#comptes.delete(valeur);
  }
}
