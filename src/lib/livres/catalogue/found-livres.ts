import { livresView } from '$lib/records/livres/view.svelte';
import { parseIsbn } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';
import { criteresOf, type ActiveFilters } from './filters.ts';
import type { ScreenTri } from './tri.svelte.ts';

/**
 * The books of the list: those that match the criteria, else those of the code that was typed or
 * scanned, which no word finds (docs/rules.md § 6).
 */
export function findLivres(
  text: string,
  active: ActiveFilters,
  order: { readonly tri: ScreenTri; readonly inverse: boolean },
): readonly LivreDocument[] {
  const found = livresView.search({ ...criteresOf(active), ...order, recherche: text });
  if (found.length > 0) return found;
  const isbn = parseIsbn(text);
  return isbn === null ? found : livresView.byIsbn(isbn);
}
