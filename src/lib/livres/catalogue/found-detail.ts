import { createEntry } from '#shared/catalogue-entries';
import { searchedParts, type Detail } from '#shared/details';
import type { LivreDocument } from '#shared/livres';
import { searchForm } from '#shared/text';

/** The longest complete value, and the characters before the match in a longer one. */
const MAX_LENGTH = 60;
const CONTEXT_LENGTH = 24;

/** « Traduction : Lise Marchand » where a search has found a book by a detail, and nothing else shows why. */
export function foundDetail(livre: LivreDocument, recherche: string): Detail | null {
  if (livre.details.length === 0) return null;
  const { text } = createEntry(livre, new Map());
  const words = searchForm(recherche)
    .split(' ')
    .filter((word) => !text.includes(word));
  let best: { readonly count: number; readonly detail: Detail } | null = null;
  const searched = searchedParts(livre.details);
  for (const [at, { nom, valeur }] of words.length === 0 ? [] : livre.details.entries()) {
    const form = searchForm(searched[at] ?? '');
    const count = words.filter((word) => form.includes(word)).length;
    if (count > (best?.count ?? 0)) best = { count, detail: { nom, valeur: cut(valeur, words) } };
  }
  return best?.detail ?? null;
}

function cut(valeur: string, words: readonly string[]): string {
  const line = valeur.replace(/\s+/g, ' ');
  if (line.length <= MAX_LENGTH) return line;
  const runs = line.split(/(?<= )/);
  let start = runs.findIndex((run) => words.some((word) => searchForm(run).includes(word)));
  for (let shown = 0; start > 0 && shown < CONTEXT_LENGTH; shown += runs[start]?.length ?? 0)
    start--;
  return (start > 0 ? '… ' : '') + runs.slice(Math.max(start, 0)).join('');
}
