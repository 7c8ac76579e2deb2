import type { LivreDocument } from './livres.ts';
import { articleInFront, compareText, plainLetters, searchForm } from './text.ts';

/** A record from the journal or a replica: complete, or only the id of a deleted one. */
export type MaybeDeleted<T extends { id: number }> =
  | (T & { _deleted?: false })
  | { id: number; _deleted: true };

export interface Entry {
  readonly livre: LivreDocument;
  /** The normalised title, authors and themes, one a line, so that no word of a query spans two. */
  readonly text: string;
  readonly letters: number;
}

/** A title as it is searched: its article in front (docs/rules.md § 6). */
export function searchedTitre({
  titre,
  titreNormalise,
}: Pick<LivreDocument, 'titre' | 'titreNormalise'>): string {
  const read = articleInFront(titre);
  // Saves normalising nearly all of them.
  return read === titre ? plainLetters(titreNormalise) : searchForm(read);
}

/** `noms` caches names as they are searched. */
export function createEntry(livre: LivreDocument, noms: Map<string, string>): Entry {
  const lines = [searchedTitre(livre)];
  for (const { nom } of livre.auteurs) {
    let form = noms.get(nom);
    if (form === undefined) noms.set(nom, (form = searchForm(nom)));
    lines.push(form);
  }
  for (const theme of livre.themes) lines.push(searchForm(theme));
  const text = lines.join('\n');
  return { livre, text, letters: lettersOf(text) };
}

const A = 'a'.charCodeAt(0);
const LETTERS = 26;
/** 26 letters and these make 30 bits, which V8 keeps in a number without an object. */
const OTHERS = 4;

/** The letters of a normalised text as a bit set: one bit for each of a to z, four for all other characters. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << bitOf(text.charCodeAt(i));
  return letters;
}

function bitOf(code: number): number {
  const letter = code - A;
  return letter >= 0 && letter < LETTERS ? letter : LETTERS + (code % OTHERS);
}

/** The order `titre`: by normalised title, then id (docs/rules.md § 6). */
export function byTitre(a: Entry, b: Entry): number {
  return compareText(a.livre.titreNormalise, b.livre.titreNormalise) || a.livre.id - b.livre.id;
}

/**
 * The entries whose text contains every word, in the given order; all of them without words. The first keystroke
 * tests every book: bit sets are compared first, and are enough for a single letter.
 *
 * @param elsewhere the ids of books that contain a word outside their entry's text
 */
export function entriesContaining(
  entries: readonly Entry[],
  words: readonly string[],
  elsewhere: (word: string) => readonly boolean[] = () => NOWHERE,
): readonly Entry[] {
  const [first, ...others] = words;
  if (first === undefined) return entries;
  const letters = lettersOf(first);
  const isLetter = first >= 'a' && first <= 'z' && first.length === 1;
  const more = elsewhere(first);
  const found: Entry[] = [];
  for (const entry of entries)
    if (
      ((entry.letters & letters) === letters && (isLetter || entry.text.includes(first))) ||
      more[entry.livre.id] === true
    )
      found.push(entry);
  return entriesContaining(found, others, elsewhere);
}

export const NOWHERE: readonly boolean[] = [];
