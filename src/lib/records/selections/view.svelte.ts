import { derivedFromViews, views } from '$lib/sync/views.svelte';
import type { Selection } from '#shared/selections';
import { textKey } from '#shared/text';

const all = derivedFromViews((): readonly Selection[] =>
  [...views().selections.values()].sort((a, b) => a.rang - b.rang || a.id - b.id),
);

const own = derivedFromViews(() => all().filter(({ partagee }) => !partagee));
const house = derivedFromViews(() => all().filter(({ partagee }) => partagee));

export const selectionsView = {
  /** The reader's own, in their order. */
  own,
  house,
  /** The reader's own, then the house's. */
  all: (): readonly Selection[] => [...own(), ...house()],
  count: (): number => views().selections.size,
  get: (id: number): Selection | undefined => views().selections.get(id),
  /** The one that has a name in its list already. */
  named: (nom: string, partagee: boolean): Selection | undefined =>
    (partagee ? house() : own()).find((one) => textKey(one.nom) === textKey(nom.trim())),
};
