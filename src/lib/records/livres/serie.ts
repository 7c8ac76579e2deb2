import type { SerieDuLivre } from '#shared/livres';
import { textKey } from '#shared/text';
import { seriesView } from '../series/view.svelte.ts';

/** A book's place in a series, as a person types it. */
export interface SerieChoice {
  /** The title of a series, known or not; blank for none. */
  readonly serie: string;
  readonly numero: string;
}

/**
 * Where a form moves a book from the first place that it holds; `undefined` where it stands there.
 *
 * @param livreId `null` for a new book
 */
export function placeSaisie(
  livreId: number | null,
  { serie: titre, numero }: SerieChoice,
): SerieDuLivre | undefined {
  const current = livreId === null ? undefined : seriesView.placesOfLivre(livreId)[0];
  if (current === undefined) return titre === '' ? undefined : { serie: { titre }, numero };
  const { serie, place } = current;
  if (titre === '') return { serie: null, de: place.id };
  if (textKey(titre) !== textKey(serie.titre)) return { serie: { titre }, numero, de: place.id };
  if (numero === (place.numero ?? '')) return undefined;
  return { serie: { id: serie.id }, numero, de: place.id };
}
