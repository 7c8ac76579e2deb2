import { derivedFromViews, views } from '$lib/sync/views.svelte';
import type { CriteresGardes, Selection } from '#shared/selections';
import { textKey } from '#shared/text';

/** A manual list of books. */
export type Liste = Selection & { readonly livres: readonly number[] };

/** Catalogue criteria with a name. */
export type SavedSearch = Selection & { readonly criteres: CriteresGardes };

export const isListe = (selection: Selection): selection is Liste => selection.livres !== null;

export const isSearch = (selection: Selection): selection is SavedSearch =>
  selection.criteres !== null;

const all = derivedFromViews((): readonly Selection[] =>
  [...views().selections.values()].sort((a, b) => a.rang - b.rang || a.id - b.id),
);

const listes = derivedFromViews(() => all().filter(isListe));

const own = derivedFromViews(() => all().filter(({ partagee }) => !partagee));
const house = derivedFromViews(() => all().filter(({ partagee }) => partagee));

export const selectionsView = {
  /** The reader's own, in their order. */
  own,
  house,
  /** The reader's own, then the house's. */
  all: (): readonly Selection[] => [...own(), ...house()],
  /** The manual lists, the reader's own first. */
  listes: (): readonly Liste[] => [
    ...listes().filter(({ partagee }) => !partagee),
    ...listes().filter(({ partagee }) => partagee),
  ],
  /** The lists that a book is in. */
  listesOf: (livreId: number): readonly Liste[] =>
    selectionsView.listes().filter(({ livres }) => livres.includes(livreId)),
  /** The list of a name, preferring the reader's own. */
  listeNamed: (nom: string): Liste | undefined =>
    selectionsView.listes().find((one) => textKey(one.nom) === textKey(nom.trim())),
  count: (): number => views().selections.size,
  get: (id: number): Selection | undefined => views().selections.get(id),
  /** The selection that has the name already. */
  named: (nom: string, partagee: boolean): Selection | undefined =>
    (partagee ? house() : own()).find((one) => textKey(one.nom) === textKey(nom.trim())),
};
