import type { LivreDocument } from './livres.ts';
import { compareText, normaliser } from './text.ts';

/** A record as the journal or a replica hands it over: whole, or only the id of a deleted one. */
export type MaybeDeleted<T extends { id: number }> =
  (T & { _deleted?: false }) | { id: number; _deleted: true };

/** A book as the catalogue holds it. */
export interface Entry {
  readonly livre: LivreDocument;
  /** The normalised title and author names, one a line, so that no word of a query spans two. */
  readonly text: string;
}

/** The entry of a book; `noms` caches normalised names by the name as it is written. */
export function createEntry(livre: LivreDocument, noms: Map<string, string>): Entry {
  const lines = [livre.titreNormalise];
  for (const { nom } of livre.auteurs) {
    let normalise = noms.get(nom);
    if (normalise === undefined) noms.set(nom, (normalise = normaliser(nom)));
    lines.push(normalise);
  }
  return { livre, text: lines.join('\n') };
}

/** Compares by normalised title, then id: the catalogue's only order (docs/rules.md § 6). */
export function byTitre(a: Entry, b: Entry): number {
  return compareText(a.livre.titreNormalise, b.livre.titreNormalise) || a.livre.id - b.livre.id;
}

/** The index of an entry in a list in title order, or the index at which it would be inserted. */
export function positionOf(list: readonly Entry[], entry: Entry): number {
  let start = 0;
  let end = list.length;
  while (start < end) {
    const middle = (start + end) >>> 1;
    const other = list[middle];
    if (other !== undefined && byTitre(other, entry) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** Replaces one entry by another in a list in title order; either may be missing. */
export function replaceEntry(
  list: Entry[],
  previous: Entry | undefined,
  next: Entry | undefined,
): void {
  const position = previous === undefined ? -1 : positionOf(list, previous);
  const isPresent = previous !== undefined && list[position] === previous;
  if (isPresent && next !== undefined && byTitre(previous, next) === 0) {
    list[position] = next;
    return;
  }
  if (isPresent) list.splice(position, 1);
  if (next !== undefined) list.splice(positionOf(list, next), 0, next);
}

/** The entries whose text contains every word, in the order given. */
export function entriesContaining(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const [first = '', ...others] = words;
  const found = entries.filter(({ text }) => text.includes(first));
  return others.length === 0 ? found : entriesContaining(found, others);
}

/** Merges two lists in title order; fast where the second is short. */
export function mergeSorted(a: readonly Entry[], b: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
  let taken = 0;
  for (const entry of b) {
    const position = positionOf(a, entry);
    for (const before of a.slice(taken, position)) merged.push(before);
    merged.push(entry);
    taken = position;
  }
  for (const after of a.slice(taken)) merged.push(after);
  return merged;
}
