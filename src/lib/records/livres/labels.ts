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

/** So many authors are named where there are more than one more. */
const NAMED_AUTEURS = 3;

/** How many of so many authors are named before « et 37 autres ». */
export const namedAuteurs = (count: number): number =>
  count > NAMED_AUTEURS + 1 ? NAMED_AUTEURS : count;

/** The authors in cover order, the first three of very many. */
export function auteursLine(auteurs: readonly { readonly nom: string }[]): string {
  const named = namedAuteurs(auteurs.length);
  const noms = auteurs.slice(0, named).map(({ nom }) => nom);
  const others = auteurs.length - named;
  return `${noms.join(', ')}${others > 0 ? ` ${m.and_others({ count: others })}` : ''}`;
}
