import { seriesView } from '$lib/records/series/view.svelte';

/**
 * The series that one may be put into, named by the path that leads to them: all but itself and
 * what it contains. The chosen one is kept in any case; the server judges it.
 *
 * @param serieId `null` for a new series
 * @param chosen the id of the chosen parent as a text, empty for none
 */
export function parentOptions(
  serieId: number | null,
  chosen: string,
): { value: string; label: string }[] {
  return seriesView.all.flatMap((candidate) => {
    const path = [...seriesView.ancestors(candidate), candidate];
    const value = String(candidate.id);
    if (path.some(({ id }) => id === serieId) && value !== chosen) return [];
    return [{ value, label: path.map(({ titre }) => titre).join(' › ') }];
  });
}
