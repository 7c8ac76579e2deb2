import type { Livre } from '#shared/livres';
import { m } from '$lib/paraglide/messages';

/** The label of « Gallimard, 1949 », without a publisher that of the year. */
export const editionLabel = ({ editeur }: Pick<Livre, 'editeur'>): (() => string) =>
  editeur === null ? m.field_annee : m.field_editeur;
