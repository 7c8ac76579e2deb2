import { areSimilar, isSameEdition, type EditionPrint } from '#shared/doublons';
import type { LivreDocument } from '#shared/livres';
import { cleOeuvre } from '#shared/text';
import { livresView } from './view.svelte.ts';

const fingerprintOf = ({ isbn, titre, auteurs, editeur, annee }: LivreDocument): EditionPrint => ({
  isbn,
  editeur,
  annee,
  cleOeuvre: cleOeuvre(titre),
  auteurs: auteurs.map(({ id }) => id),
});

/** The other records of the same book, the oldest first (docs/rules.md § 10). */
export function twinsOf(livre: LivreDocument): readonly LivreDocument[] {
  const own = fingerprintOf(livre);
  const { cleOeuvre: recherche } = own;
  const possible = new Set([
    ...(livre.isbn === null ? [] : livresView.byIsbn(livre.isbn)),
    ...(recherche === '' ? [] : livresView.search({ recherche })),
  ]);
  return [...possible]
    .filter((other) => other.id !== livre.id && areSimilar(own, fingerprintOf(other)))
    .sort((a, b) => a.id - b.id);
}

/**
 * The other copies of a book's edition, the oldest first (docs/rules.md § 58).
 *
 * @param twins the other records of the book, if known
 */
export const copiesOf = (livre: LivreDocument, twins = twinsOf(livre)): readonly LivreDocument[] =>
  twins.filter((twin) => isSameEdition(fingerprintOf(livre), fingerprintOf(twin)));
