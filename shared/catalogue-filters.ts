import type { Sources } from './catalogue-sources.ts';
import { hasPicture } from './couvertures.ts';
import type { EmplacementTree } from './emplacement-tree.ts';
import {
  isOurs,
  MANQUES,
  STATUT_CRITERES,
  valuesOf,
  type Appartenance,
  type Criteres,
  type Format,
  type LivreDocument,
  type Manque,
  type StatutCritere,
  type TypeDocument,
} from './livres.ts';
import type { Statut } from './statuts.ts';
import { searchForm, textKey } from './text.ts';

/** A reader's statuses by book id. */
export type Statuts = ReadonlyMap<number, Statut>;

export type Disponibilite = NonNullable<Criteres['disponibilite']>;

/** The values that at least one book has; filters are shown for two or more. */
export interface PresentValues {
  readonly formats: ReadonlySet<Format>;
  readonly typesDocument: ReadonlySet<TypeDocument>;
  readonly disponibilites: ReadonlySet<Disponibilite>;
  readonly appartenances: ReadonlySet<Appartenance>;
  /** In the original spelling: one publisher may have several. */
  readonly editeurs: ReadonlySet<string>;
  readonly themes: ReadonlySet<string>;
}

/** The results of criteria that only the server can evaluate; devices request them. */
export interface LookedUp {
  /** The books created by the import; if unknown, none matches. */
  readonly importes?: ReadonlySet<number> | undefined;
}

type Predicate = (livre: LivreDocument) => boolean;

/** Tests a book by all criteria except the search; `null` if none is set. */
export function filterFor(
  criteres: Criteres & LookedUp,
  statuts: Statuts,
  { prets, series, emplacements, themes, detailed }: Sources,
): Predicate | null {
  const { format, typeDocument, disponibilite, statut, sans, editeur = '', emplacement } = criteres;
  const { appartenance, importation, importes } = criteres;
  const { theme: wantedTheme = '', detail = '' } = criteres;
  const theme = textKey(wantedTheme);
  const predicates: Predicate[] = [];
  if (format !== undefined) predicates.push((livre) => livre.format === format);
  if (typeDocument !== undefined) predicates.push((livre) => livre.typeDocument === typeDocument);
  if (disponibilite !== undefined) {
    const lent = disponibilite === 'prete';
    predicates.push(({ id }) => (prets.ofLivre(id) !== null) === lent);
  }
  if (appartenance !== undefined) {
    const ours = appartenance === 'aNous';
    predicates.push((livre) => isOurs(livre) === ours);
  }
  const wanted = valuesOf(STATUT_CRITERES, statut);
  if (wanted.length > 0) predicates.push(({ id }) => wanted.includes(critereOf(statuts.get(id))));
  const lacks: Readonly<Record<Manque, Predicate>> = {
    couverture: (livre) => !hasPicture(livre),
    isbn: ({ isbn }) => isbn === null,
    serie: ({ id }) => series.ofLivre(id) === undefined,
  };
  for (const manque of valuesOf(MANQUES, sans)) predicates.push(lacks[manque]);
  const publisher = searchForm(editeur);
  if (publisher !== '') predicates.push((livre) => searchForm(livre.editeur ?? '') === publisher);
  if (theme !== '') {
    const noms = new Set([...themes].filter((nom) => textKey(nom) === theme));
    predicates.push((livre) => livre.themes.some((nom) => noms.has(nom)));
  }
  if (detail !== '') {
    const books = detailed(detail);
    predicates.push(({ id }) => books[id] === true);
  }
  if (importation !== undefined) predicates.push(({ id }) => importes?.has(id) === true);
  if (emplacement !== undefined) predicates.push(standsIn(emplacements, emplacement));
  return predicates.length === 0 ? null : (livre) => predicates.every((accepts) => accepts(livre));
}

/** Whether a book is in a location or below it; `aucun` means in none. */
function standsIn(emplacements: EmplacementTree, emplacement: string): Predicate {
  if (emplacement === 'aucun')
    return ({ emplacementId }) => emplacements.path(emplacementId).length === 0;
  // An array by id, since ids are small: a Set would double the time of the filter.
  const within: true[] = [];
  for (const id of emplacements.within(Number(emplacement))) within[id] = true;
  return ({ emplacementId }) => emplacementId !== null && within[emplacementId] === true;
}

const CRITERES = { 0: '0', 1: '1', 2: '2' } as const;

const critereOf = (statut: Statut | undefined): StatutCritere =>
  statut === undefined ? 'aucun' : CRITERES[statut];

/** Counts how often each value occurs; a value without occurrences is removed. */
export class Counts<T> {
  readonly #counts = new Map<T, number>();

  /** Each value with its count; changes with the counts. */
  get all(): ReadonlyMap<T, number> {
    return this.#counts;
  }

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
