import { formatShortDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import type { EmplacementTree } from '#shared/emplacement-tree';
import type { Emplacement } from '#shared/emplacements';
import { rayonOf, type Rayon } from '#shared/rayon';

const totals = derivedFromViews((): ReadonlyMap<number, number> => {
  const { emplacements, emplacementCounts } = views().catalogue;
  return emplacements.totals(emplacementCounts);
});

const rayons = derivedFromViews((): ReadonlyMap<number | null, Rayon> => {
  const { catalogue, statuts } = views();
  const livres = Map.groupBy(
    catalogue.search({ tri: 'alphabetique' }, statuts),
    ({ emplacementId }) => emplacementId,
  );
  return new Map([...livres].map(([id, some]) => [id, rayonOf(some)]));
});

const EMPTY: Rayon = { livres: [], rangs: 0 };

export const emplacementsView = {
  tree: (): EmplacementTree => views().catalogue.emplacements,
  count: (): number => views().emplacements.size,
  get: (id: number): Emplacement | undefined => views().emplacements.get(id),
  /** « Salon › Couloir › Étagère 3 »; '' for nowhere, and for an unknown location. */
  pathText(id: number | null): string {
    return this.tree().pathText(id);
  },
  /** The books directly in a location, from left to right as far as their order is known. */
  rayon: (id: number): Rayon => rayons().get(id) ?? EMPTY,
  totalIn: (id: number): number => totals().get(id) ?? 0,
  /** The locations that one can be moved into, besides the first level; for `null` those for a new location. */
  parentsFor(id: number | null): readonly Emplacement[] {
    const tree = this.tree();
    return tree.all.filter((each) => tree.obstacleTo(id, each.id) === null);
  },
};

/** « fermé le 3 mars »; `null` for an open location. */
export const fermeLabel = ({ fermeLe }: Pick<Emplacement, 'fermeLe'>): string | null =>
  fermeLe === null ? null : m.emplacement_ferme_le({ date: formatShortDay(fermeLe, new Date()) });
