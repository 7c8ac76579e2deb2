import { souhaitsView } from '$lib/records/souhaits/kinds';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import { isByOneOf } from '#shared/auteurs';
import { isOurs, type LivreDocument } from '#shared/livres';
import { splitAuteurs } from '#shared/souhaits';
import { cleOeuvre, cleRegroupement, titreKey } from '#shared/text';

const firstWord = (key: string): string => /^\S*/.exec(key)?.[0] ?? '';

/**
 * The books that have come to the house since they were wished, bought by another way, by the id of the wish: of its
 * ISBN, or of its work key and one of its authors (docs/rules.md § 17).
 */
export const arrivedLivres = derivedFromViews((): ReadonlyMap<number, LivreDocument> => {
  const wishes = souhaitsView.all().map(({ id, titre, auteur, isbn, dateAjout }) => {
    const auteurs = new Set(splitAuteurs(auteur).map(cleRegroupement));
    return { id, isbn, dateAjout, oeuvre: titreKey(titre), auteurs };
  });
  const arrived = new Map<number, LivreDocument>();
  if (wishes.length === 0) return arrived;
  const byWord = Map.groupBy(wishes, ({ oeuvre }) => firstWord(oeuvre));
  const byIsbn = Map.groupBy(wishes, ({ isbn }) => isbn ?? '');
  for (const { livre, text } of views().catalogue.entries) {
    if (!isOurs(livre)) continue;
    const sameIsbn = livre.isbn === null ? [] : (byIsbn.get(livre.isbn) ?? []);
    // The key of a work is the beginning of its title as searches compare it.
    const sameWork = (byWord.get(firstWord(text)) ?? []).filter(
      ({ oeuvre, auteurs }) =>
        text.startsWith(oeuvre) &&
        cleOeuvre(livre.titre) === oeuvre &&
        isByOneOf(livre.auteurs, auteurs),
    );
    for (const { id, dateAjout } of [...sameIsbn, ...sameWork])
      if (livre.dateAjout > dateAjout) arrived.set(id, livre);
  }
  return arrived;
});
