import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { m } from '$lib/paraglide/messages';
import type { LivreDocument } from '#shared/livres';
import { auteurSortKey } from '#shared/sort';
import { compareText, normaliser } from '#shared/text';
import { familyFirst } from './family-first.ts';

/** How a printed catalogue is arranged. */
export type PrintOrder = 'auteur' | 'emplacement';

interface PrintedLivre {
  readonly id: number;
  readonly titre: string;
  /** The text at the end of the line: the location, the borrower or the authors. */
  readonly end: string;
  readonly isLent: boolean;
}

interface PrintedGroup {
  readonly heading: string;
  readonly livres: readonly PrintedLivre[];
}

/** The books under their first authors, or under the locations where they stand, both in order. */
export function groupsOf(livres: readonly LivreDocument[], order: PrintOrder): PrintedGroup[] {
  const headingOf = order === 'auteur' ? auteurOf : placeOf;
  const endOf = order === 'auteur' ? shortPlaces() : auteurOf;
  const keyOf = order === 'auteur' ? auteurSortKey : normaliser;
  return (
    [...Map.groupBy(livres, headingOf)]
      .map(([heading, own]) => ({ heading, key: keyOf(heading), livres: own.map(printed(endOf)) }))
      // What has no author, or stands nowhere, ends the list.
      .sort(
        (a, b) => Number(a.heading === '') - Number(b.heading === '') || compareText(a.key, b.key),
      )
      .map(({ heading, livres: own }) => ({ heading: heading || fallbacks[order](), livres: own }))
  );
}

const fallbacks = { auteur: m.auteur_unknown, emplacement: m.ranger_nowhere };

const printed =
  (endOf: (livre: LivreDocument) => string) =>
  (livre: LivreDocument): PrintedLivre => {
    const pret = livresView.openPret(livre.id);
    const end = pret === null ? endOf(livre) : m.print_lent({ emprunteur: pret.emprunteur });
    return { id: livre.id, titre: livre.titre, end, isLent: pret !== null };
  };

const auteurOf = ({ auteurs: [first] }: LivreDocument): string =>
  first === undefined ? '' : familyFirst(first.nom);

const placeOf = ({ emplacementId }: LivreDocument): string =>
  emplacementsView.pathText(emplacementId).replaceAll(' › ', ', ');

/** « Salon, Étagère 2 » for a shelf deep in a room, where no other place of the house reads so. */
function shortPlaces(): (livre: LivreDocument) => string {
  const shortOf = (id: number | null) => {
    const noms = emplacementsView.pathText(id).split(' › ');
    return noms.length > 2 ? `${noms[0] ?? ''}, ${noms.at(-1) ?? ''}` : noms.join(', ');
  };
  const byShort = Map.groupBy(emplacementsView.tree.all, ({ id }) => shortOf(id));
  return (livre) => {
    const short = shortOf(livre.emplacementId);
    return byShort.get(short)?.length === 1 ? short : placeOf(livre);
  };
}
