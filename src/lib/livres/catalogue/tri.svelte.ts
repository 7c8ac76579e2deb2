import { m } from '$lib/paraglide/messages';
import type { Tri } from '#shared/sort';
import { KeptChoice } from './kept-choice.svelte.ts';

/** The orders that the screen offers: its titles stand as on a shelf, articles set aside. */
export type ScreenTri = Exclude<Tri, 'titre'>;

const labels: Readonly<Record<ScreenTri, () => string>> = {
  alphabetique: m.tri_titre,
  auteur: m.tri_auteur,
  ajout: m.tri_ajout,
  annee: m.tri_annee,
  serie: m.tri_serie,
};

/** The order of the catalogue. */
export const triChoice = new KeptChoice<ScreenTri>('tri', [
  'alphabetique',
  'auteur',
  'ajout',
  'annee',
  'serie',
]);

/** The orders of the catalogue as a select takes them. */
export const triOptions = (): { value: ScreenTri; label: string }[] =>
  triChoice.values.map((value) => ({ value, label: labels[value]() }));
