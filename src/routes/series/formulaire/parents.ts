import { series } from '$lib/series.svelte';
import type { Serie } from '#shared/series';

/**
 * The series that another can be put into, by the names that lead to them: all but itself and what
 * it holds, yet the chosen one in any case, whose place in the meantime the server judges.
 */
export function parentsPossibles(
  serie: Serie | undefined,
  choisi: string,
): { valeur: string; nom: string }[] {
  return series.toutes.flatMap((autre) => {
    const chemin = [...series.chemin(autre), autre];
    const dedans = chemin.some(({ id }) => id === serie?.id);
    const valeur = String(autre.id);
    if (dedans && valeur !== choisi) return [];
    return [{ valeur, nom: chemin.map(({ titre }) => titre).join(' › ') }];
  });
}
