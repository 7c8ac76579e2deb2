import { m } from '$lib/paraglide/messages';
import { auteurSortKey, titreSortKey } from '#shared/sort';
import { compareText, normaliser, wordMatcher } from '#shared/text';

/** The orders of the wishes, as the address names them; '' is the reader's own. */
export const SOUHAIT_ORDERS = ['', 'titre', 'auteur', 'ajout'] as const;
type SouhaitOrder = (typeof SOUHAIT_ORDERS)[number];

export const souhaitOrderLabels: Readonly<Record<SouhaitOrder, () => string>> = {
  '': m.souhaits_own_order,
  titre: m.souhaits_by_titre,
  auteur: m.souhaits_by_auteur,
  ajout: m.souhaits_by_date,
};

interface Sortable {
  readonly titre: string;
  readonly auteur?: string | null;
  readonly numero?: string | null;
  readonly dateAjout: string;
}

/** The wishes with every word of a text, in an order; `null` where that is the list as it is. */
export function viewOf<T extends Sortable>(
  wishes: readonly T[],
  text: string,
  order: SouhaitOrder,
): readonly T[] | null {
  if (normaliser(text) === '' && order === '') return null;
  const matches = wordMatcher(text);
  const found = wishes.filter(({ titre, auteur, numero }) =>
    matches(normaliser(`${titre} ${auteur ?? ''} ${numero ?? ''}`)),
  );
  if (order === '') return found;
  const keyed = found.map((wish) => ({ wish, key: keyOf(wish, order) }));
  const sign = order === 'ajout' ? -1 : 1;
  return keyed.sort((a, b) => sign * compareText(a.key, b.key)).map(({ wish }) => wish);
}

/** Wishes without an author come last. */
function keyOf({ titre, auteur, dateAjout }: Sortable, order: SouhaitOrder): string {
  if (order === 'ajout') return dateAjout;
  if (order === 'titre') return titreSortKey(titre);
  return auteur ? auteurSortKey(auteur.split(';')[0] ?? '') : '\uffff';
}
