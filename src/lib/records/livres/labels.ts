import type { Format, TypeDocument } from '#shared/livres';
import type { Statut, StatutOrNull } from '#shared/statuts';
import { m } from '$lib/paraglide/messages.js';

/** The labels of the enumerations in filters, forms and rows. */
export const formatLabels: Readonly<Record<Format, () => string>> = {
  Physique: m.format_papier,
  Numerique: m.format_numerique,
};

export const typeDocumentLabels: Readonly<Record<TypeDocument, () => string>> = {
  NonPrecise: m.type_non_precise,
  Roman: m.type_roman,
  BandeDessinee: m.type_bande_dessinee,
};

export const statutLabels: Readonly<Record<Statut, () => string>> = {
  0: m.statut_a_lire,
  1: m.statut_en_cours,
  2: m.statut_lu,
};

/** The label of a status, of none too. */
export const statutLabel = (statut: StatutOrNull): string =>
  statut === null ? m.statut_aucun() : statutLabels[statut]();

/** The authors in cover order. */
export const auteursLine = (auteurs: readonly { readonly nom: string }[]): string =>
  auteurs.map(({ nom }) => nom).join(', ');
