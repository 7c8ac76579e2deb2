import { souhaitsView } from '$lib/records/souhaits/kinds';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import { isByOneOf } from '#shared/auteurs';
import { isOurs, type LivreDocument } from '#shared/livres';
import { splitAuteurs, type Souhait } from '#shared/souhaits';
import { cleOeuvre, cleRegroupement, titreKey } from '#shared/text';

const firstWord = (key: string): string => /^\S*/.exec(key)?.[0] ?? '';

/** The keys by which a book matches a wish: its ISBN, or its work key and an author (docs/rules.md § 17). */
const keysOf = ({ id, titre, auteur, isbn }: Souhait) => {
  const auteurs = new Set(splitAuteurs(auteur).map(cleRegroupement));
  return { id, isbn, oeuvre: titreKey(titre), auteurs };
};

/** The household's own books that are wished for, by the id of the wish. */
export const livresOfWishes = derivedFromViews(
  (): ReadonlyMap<number, readonly LivreDocument[]> => {
    const wishes = souhaitsView.all().map(keysOf);
    const found = new Map<number, LivreDocument[]>();
    if (wishes.length === 0) return found;
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
      for (const id of new Set([...sameIsbn, ...sameWork].map((wish) => wish.id)))
        found.set(id, [...(found.get(id) ?? []), livre]);
    }
    return found;
  },
);

/** Wishes whose books were added since by another way. */
export const arrivedLivres = derivedFromViews((): ReadonlyMap<number, LivreDocument> => {
  const arrived = new Map<number, LivreDocument>();
  for (const { id, dateAjout } of souhaitsView.all()) {
    const livre = livresOfWishes()
      .get(id)
      ?.findLast((one) => one.dateAjout > dateAjout);
    if (livre !== undefined) arrived.set(id, livre);
  }
  return arrived;
});

/** The reader's wishes that these books are. */
export function wishesOf(livreIds: readonly number[]): readonly Souhait[] {
  const ids = new Set(livreIds);
  return souhaitsView.all().filter(({ id }) =>
    livresOfWishes()
      .get(id)
      ?.some((livre) => ids.has(livre.id)),
  );
}

interface TypedLivre {
  readonly titre: string;
  readonly auteurs: readonly string[];
  /** Thirteen digits. */
  readonly isbn: string | null;
}

/** The reader's wishes that a book in a form is. */
export function wishesLike({ titre, auteurs, isbn }: TypedLivre): readonly Souhait[] {
  const oeuvre = titreKey(titre);
  const noms = auteurs.map((nom) => ({ nom }));
  return souhaitsView.all().filter((wish) => {
    const keys = keysOf(wish);
    if (isbn !== null && keys.isbn === isbn) return true;
    return oeuvre !== '' && keys.oeuvre === oeuvre && isByOneOf(noms, keys.auteurs);
  });
}
