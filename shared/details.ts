import { Type, type Static } from 'typebox';
import { MAX_LENGTHS, text } from './fields.ts';
import { textKey } from './text.ts';

export const MAX_DETAILS = 30;
export const MAX_DETAIL_NOM = 60;

/** What a household knows of a book under a name of its own choice (docs/rules.md § 56). */
export const Detail = Type.Object({
  nom: text(MAX_DETAIL_NOM),
  /** Keeps its line breaks. */
  valeur: text(MAX_LENGTHS.freeText),
});
export type Detail = Static<typeof Detail>;

/** Names that are proposed behind those which the household uses. */
export const KNOWN_DETAILS = [
  ...['Sous-titre', 'Langue', 'Titre original', 'Traduction', 'Illustration', 'Préface'],
  ...['Collection', 'Dimensions', 'Poids', 'Prix', 'Achat', 'État', 'Dédicace', 'Reliure'],
  ...['Cote', 'Résumé', 'Note'],
] as const;

/** Two spellings of one name have one key; a book has one value under it. */
export const detailKey = (nom: string): string => textKey(nom);

export const detailsByKey = <D extends Pick<Detail, 'nom'>>(
  details: readonly D[],
): ReadonlyMap<string, D> => new Map(details.map((detail) => [detailKey(detail.nom), detail]));
