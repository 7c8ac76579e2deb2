import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { TRIS, type Tri } from '#shared/sort';
import { KeptChoice } from './kept-choice.ts';

/** The orders that the screen offers: its titles stand as on a shelf, articles set aside. */
export type ScreenTri = Exclude<Tri, 'titre'>;

const [, ...SCREEN_TRIS] = TRIS;

const labels: Readonly<Record<ScreenTri, () => string>> = {
  alphabetique: m.field_titre,
  auteur: m.field_auteur,
  ajout: m.tri_ajout,
  annee: m.field_annee,
  serie: m.field_serie,
  emplacement: m.field_emplacement,
};

export const triChoice = new KeptChoice<ScreenTri>('tri', SCREEN_TRIS);

/** The orders of the catalogue as a select takes them; by location where there are some. */
export const triOptions = (): { value: ScreenTri; label: string }[] =>
  triChoice.values
    .filter((value) => value !== 'emplacement' || emplacementsView.count > 0)
    .map((value) => ({ value, label: labels[value]() }));
