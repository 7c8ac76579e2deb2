import { livresView } from '$lib/records/livres/view.svelte';
import { isByOneOf } from '#shared/auteurs';
import type { LivreDocument } from '#shared/livres';
import { cleOeuvre, cleRegroupement } from '#shared/text';

/** The copies of a work, the oldest first: of its work key, and by one of its authors as far as any is named. */
export function ownedOf(titre: string, noms: readonly string[]): readonly LivreDocument[] {
  const recherche = cleOeuvre(titre);
  if (recherche === '') return [];
  const keys = new Set(noms.map(cleRegroupement));
  return livresView
    .search({ recherche })
    .filter((livre) => cleOeuvre(livre.titre) === recherche && isByOneOf(livre.auteurs, keys))
    .sort((a, b) => a.id - b.id);
}
