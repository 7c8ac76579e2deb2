import { livresView } from '$lib/records/livres/view.svelte';
import { isbnAsWritten } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';
import type { Candidat } from '#shared/recherche';
import { splitAuteurs, type Souhait } from '#shared/souhaits';
import { cleOeuvre, normaliser } from '#shared/text';
import { souhaitByIsbn, souhaitsView } from '$lib/records/souhaits/kinds';

/** What this device knows of a book that somebody may wish for. */
export interface Known {
  /** The books of the household with the same ISBN. */
  readonly owned: readonly LivreDocument[];
  /** Other editions of the work, looked for only if no copy is owned. */
  readonly editions: readonly LivreDocument[];
  readonly souhait: Souhait | undefined;
}

interface Wanted {
  readonly titre: string;
  /** One or several names, separated by semicolons. */
  readonly auteur: string;
  readonly isbn: string;
}

/** Whether a book is owned or wished for already, reactive; asks no network. */
export function findKnown({ titre, auteur, isbn }: Wanted): Known {
  const isbn13 = isbnAsWritten(isbn);
  const owned = isbn13 === null ? [] : livresView.byIsbn(isbn13);
  const editions = owned.length > 0 ? [] : findEditions(titre, auteur);
  const byOeuvre = titre.trim() === '' ? undefined : souhaitsView.find({ titre, auteur });
  const byIsbn = isbn13 === null ? undefined : souhaitByIsbn(isbn13);
  return { owned, editions, souhait: byOeuvre ?? byIsbn };
}

/** The same for a record that a catalogue found. */
export const findKnownCandidat = ({ titre, auteurs, isbn }: Candidat): Known =>
  findKnown({ titre, auteur: auteurs.join(';'), isbn: isbn ?? '' });

/** The books of the same work, but those that are surely somebody else's. */
function findEditions(titre: string, auteur: string): readonly LivreDocument[] {
  const key = cleOeuvre(titre);
  if (key === '') return [];
  const words = splitAuteurs(auteur).flatMap((nom) => normaliser(nom).split(' '));
  return livresView
    .search({ recherche: key })
    .filter((livre) => cleOeuvre(livre.titre) === key && mayBeBy(livre, words));
}

/**
 * Whether one of the words begins a word of an author's name, or an initial stands for it: a name
 * that is half typed, turned round or abbreviated does not hide a book that is owned.
 */
function mayBeBy({ auteurs }: LivreDocument, words: readonly string[]): boolean {
  if (words.length === 0 || auteurs.length === 0) return true;
  const known = auteurs.flatMap(({ nom }) => normaliser(nom).split(' '));
  return words.some((word) => known.some((other) => other.startsWith(word)));
}
