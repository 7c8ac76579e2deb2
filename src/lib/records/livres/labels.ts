import type { Livre, LivreTexts } from '#shared/livres';
import { m } from '$lib/paraglide/messages';

export const livreTextLabels: LivreTexts<() => string> = {
  editeur: m.field_editeur,
};

/** Of the line « Gallimard, 1949 »: a year alone is no publisher. */
export const editionLabel = ({ editeur }: Pick<Livre, 'editeur'>): (() => string) =>
  editeur === null ? m.field_annee : m.field_editeur;
