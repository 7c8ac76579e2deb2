import { livresView } from '$lib/records/livres/view.svelte';
import { isByOneOf } from '#shared/auteurs';
import type { LivreDocument } from '#shared/livres';
import { cleOeuvre, cleRegroupement, searchForm } from '#shared/text';

/** The copies of a work, the oldest first: by work key, and by author if any is given. */
export function ownedOf(titre: string, noms: readonly string[]): readonly LivreDocument[] {
  const keys = new Set(noms.map(cleRegroupement));
  return ofOeuvre(titre)
    .filter(({ auteurs }) => isByOneOf(auteurs, keys))
    .sort((a, b) => a.id - b.id);
}

/** Like `ownedOf`, but incomplete, reversed or abbreviated names match, too. */
export function ownedLike(titre: string, noms: readonly string[]): readonly LivreDocument[] {
  const typed = noms.flatMap((nom) => searchForm(nom).split(' '));
  const mayBeBy = ({ auteurs }: LivreDocument) => {
    if (typed.length === 0 || auteurs.length === 0) return true;
    const known = auteurs.flatMap(({ nom }) => searchForm(nom).split(' '));
    return typed.some((word) => known.some((other) => other.startsWith(word)));
  };
  return ofOeuvre(titre)
    .filter(mayBeBy)
    .sort((a, b) => a.id - b.id);
}

function ofOeuvre(titre: string): readonly LivreDocument[] {
  const recherche = cleOeuvre(titre);
  if (recherche === '') return [];
  return livresView.search({ recherche }).filter((livre) => cleOeuvre(livre.titre) === recherche);
}
