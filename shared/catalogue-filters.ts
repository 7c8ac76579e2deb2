import type { OpenPrets } from './catalogue-prets.ts';
import type { Criteres, Format, LivreDocument, TypeDocument } from './livres.ts';
import type { Statut } from './statuts.ts';

/** One reader's statuses, by the book's id. */
export type Statuts = ReadonlyMap<number, Statut>;

export type Disponibilite = NonNullable<Criteres['disponibilite']>;

/** The values that at least one book has; a filter is useful where there are two or more. */
export interface PresentValues {
  readonly formats: ReadonlySet<Format>;
  readonly typesDocument: ReadonlySet<TypeDocument>;
  readonly disponibilites: ReadonlySet<Disponibilite>;
}

type Predicate = (livre: LivreDocument) => boolean;

/** Tests a book against all criteria but the search; `null` when they let every book through. */
export function filterFor(
  criteres: Criteres,
  statuts: Statuts,
  prets: OpenPrets,
): Predicate | null {
  const { format, typeDocument, disponibilite, statut } = criteres;
  const predicates: Predicate[] = [];
  if (format !== undefined) predicates.push((livre) => livre.format === format);
  if (typeDocument !== undefined) predicates.push((livre) => livre.typeDocument === typeDocument);
  if (disponibilite !== undefined) {
    const lent = disponibilite === 'prete';
    predicates.push(({ id }) => (prets.ofLivre(id) !== null) === lent);
  }
  if (statut !== undefined) {
    const wanted = statut === 'aucun' ? undefined : Number(statut);
    predicates.push(({ id }) => statuts.get(id) === wanted);
  }
  return predicates.length === 0 ? null : (livre) => predicates.every((accepts) => accepts(livre));
}

/** Counts how often each value occurs; a count of zero is dropped. */
export class Counts<T> {
  readonly #counts = new Map<T, number>();

  values(): ReadonlySet<T> {
    return new Set(this.#counts.keys());
  }

  add(value: T): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  remove(value: T): void {
    const left = (this.#counts.get(value) ?? 0) - 1;
    if (left > 0) this.#counts.set(value, left);
    else this.#counts.delete(value);
  }
}
