import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { lecturesView } from '$lib/records/lectures/view.svelte';
import { isPersonalTri, TRIS, type Tri } from '#shared/sort';
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
  note: m.tri_note,
  fin: m.tri_fin,
};

export const triChoice = new KeptChoice<ScreenTri>('tri', SCREEN_TRIS);

/** The orders of the catalogue as a select takes them; by location and by readings where there are some. */
export const triOptions = (): { value: ScreenTri; label: string }[] =>
  triChoice.values
    .filter((value) => value !== 'emplacement' || emplacementsView.count > 0)
    .filter((value) => !isPersonalTri(value) || lecturesView.count > 0)
    .map((value) => ({ value, label: labels[value]() }));
