import type { Livre } from '#shared/livres';
import { m } from '$lib/paraglide/messages';

/** Of the line « Gallimard, 1949 »: a year alone is no publisher. */
export const editionLabel = ({ editeur }: Pick<Livre, 'editeur'>): (() => string) =>
  editeur === null ? m.field_annee : m.field_editeur;
