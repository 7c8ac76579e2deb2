import type { Format, TypeDocument } from '#shared/livres';
import type { Statut } from '#shared/statuts';
import { m } from '../../paraglide/messages.js';

/** The words of the enumerations, the same in the filters, the forms and the rows. */
export const motFormat: Readonly<Record<Format, () => string>> = {
  Physique: m.format_papier,
  Numerique: m.format_numerique,
};

export const motTypeDocument: Readonly<Record<TypeDocument, () => string>> = {
  NonPrecise: m.type_non_precise,
  Roman: m.type_roman,
  BandeDessinee: m.type_bande_dessinee,
};

export const motStatut: Readonly<Record<Statut, () => string>> = {
  0: m.statut_a_lire,
  1: m.statut_en_cours,
  2: m.statut_lu,
};

/** The authors in cover order. */
export const signature = (auteurs: readonly { readonly nom: string }[]): string =>
  auteurs.map(({ nom }) => nom).join(', ');
