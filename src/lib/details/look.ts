import { intlLocale } from '../format/locale.ts';
import { detailKey } from '#shared/detail-names';
import type { Detail } from '#shared/details';
import { isLangue, langueIn } from '#shared/langues';

/** Beyond this length, or with line breaks, a value is shown as a paragraph. */
const MAX_LINE_LENGTH = 200;

/** The longest value that links to other books. */
const MAX_LINKED_LENGTH = 60;

/** Names under which people write more than a line. */
const PARAGRAPHS = new Set(['Résumé', 'Note'].map(detailKey));

/** Details without links to other books, such as a price. */
const OF_ONE_BOOK = new Set(
  ['Prix', 'Achat', 'Dédicace', 'Dimensions', 'Poids', 'Cote', 'Résumé', 'Note', 'Sous-titre'].map(
    detailKey,
  ),
);

const DESCRIPTION = detailKey('Résumé');

/** Whether a detail describes the book itself, shown as text on its page. */
export const isDescription = ({ nom }: Pick<Detail, 'nom'>): boolean =>
  detailKey(nom) === DESCRIPTION;

export const isParagraph = ({ valeur }: Detail): boolean =>
  valeur.length > MAX_LINE_LENGTH || valeur.includes('\n');

/** Whether a form shows a value in several lines. */
export const isWrittenLong = (detail: Detail): boolean =>
  PARAGRAPHS.has(detailKey(detail.nom)) || isParagraph(detail);

export const isShared = ({ nom, valeur }: Detail): boolean =>
  valeur.length <= MAX_LINKED_LENGTH &&
  !/\n|https?:\/\//i.test(valeur) &&
  !OF_ONE_BOOK.has(detailKey(nom));

const PRIX = detailKey('Prix');

/** An amount with the code of its currency, on either side: « 12.50 EUR », « CHF 9 ». */
const AMOUNT =
  /^(?:(?<before>[A-Z]{3})\s*)?(?<figure>\d{1,9}(?:[.,]\d{1,2})?)(?:\s*(?<after>[A-Z]{3}))?$/;

/** The shown value: a language's name for its code, a price with its currency; else as written. */
export function shownValeur({ nom, valeur }: Detail): string {
  const key = detailKey(nom);
  if (isLangue(nom)) return langueIn(intlLocale, valeur);
  return key === PRIX ? shownPrix(valeur) : valeur;
}

function shownPrix(valeur: string): string {
  const { before, figure = '', after } = AMOUNT.exec(valeur.trim())?.groups ?? {};
  const currency = before ?? after;
  if (currency === undefined || (before !== undefined && after !== undefined)) return valeur;
  const amount = Number(figure.replace(',', '.'));
  return amount.toLocaleString(intlLocale, {
    style: 'currency',
    currency,
    ...(Number.isInteger(amount) && { maximumFractionDigits: 0 }),
  });
}
