import { nomIn } from '#shared/detail-names';
import type { Detail } from '#shared/details';
import { isLangue, langueIn } from '#shared/langues';
import { intlLocale, locale } from '$lib/format/locale';

/** The name of a detail in the reader's language. */
export const detailNom = (nom: string): string => nomIn(locale, nom);

/** A detail with its labels in the reader's language. The service translates them back when it stores them. */
export const detailInWords = <D extends Detail>(detail: D): D => {
  const { nom, valeur } = detail;
  return {
    ...detail,
    nom: detailNom(nom),
    valeur: isLangue(nom) ? langueIn(intlLocale, valeur) : valeur,
  };
};
