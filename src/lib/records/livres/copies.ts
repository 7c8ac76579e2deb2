import { areSimilar, isSameEdition, type EditionPrint } from '#shared/doublons';
import type { LivreDocument } from '#shared/livres';
import { cleOeuvre } from '#shared/text';
import { livresView } from './view.svelte.ts';

const fingerprintOf = ({ isbn, titre, auteurs, editeur, annee }: LivreDocument): EditionPrint => ({
  ...{ isbn, editeur, annee },
  cleOeuvre: cleOeuvre(titre),
  auteurs: auteurs.map(({ id }) => id),
});

/** The other records that are like a book, the oldest first. */
function recordsLike(
  livre: LivreDocument,
  isLike: (a: EditionPrint, b: EditionPrint) => boolean,
): LivreDocument[] {
  const own = fingerprintOf(livre);
  const { cleOeuvre: recherche } = own;
  const possible = new Set([
    ...(livre.isbn === null ? [] : livresView.byIsbn(livre.isbn)),
    ...(recherche === '' ? [] : livresView.search({ recherche })),
  ]);
  return [...possible]
    .filter((other) => other.id !== livre.id && isLike(own, fingerprintOf(other)))
    .sort((a, b) => a.id - b.id);
}

/** Another record of the same book, the oldest (docs/rules.md § 10). */
export const twinOf = (livre: LivreDocument): LivreDocument | undefined =>
  recordsLike(livre, areSimilar)[0];

/** The other copies of a book's edition, the oldest first (docs/rules.md § 58). */
export const copiesOf = (livre: LivreDocument): readonly LivreDocument[] =>
  recordsLike(livre, isSameEdition);
