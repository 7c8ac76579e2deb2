import { type Detail, detailKey } from '#shared/details';

/** Beyond this length, or with line breaks, a value is a paragraph of its own. */
const MAX_LINE_LENGTH = 200;

/** The longest value by which one looks for other books. */
const MAX_LINKED_LENGTH = 60;

/** Names under which people write more than a line. */
const PARAGRAPHS = new Set(['Résumé', 'Note'].map(detailKey));

/** Names whose values are those of one book alone: nothing leads from a price to other books. */
const OF_ONE_BOOK = new Set(
  ['Prix', 'Achat', 'Dédicace', 'Dimensions', 'Poids', 'Cote', 'Résumé', 'Note', 'Sous-titre'].map(
    detailKey,
  ),
);

export const isParagraph = ({ valeur }: Detail): boolean =>
  valeur.length > MAX_LINE_LENGTH || valeur.includes('\n');

/** Whether a form gives a value several lines. */
export const isWrittenLong = (detail: Detail): boolean =>
  PARAGRAPHS.has(detailKey(detail.nom)) || isParagraph(detail);

export const isShared = ({ nom, valeur }: Detail): boolean =>
  valeur.length <= MAX_LINKED_LENGTH &&
  !/\n|https?:\/\//i.test(valeur) &&
  !OF_ONE_BOOK.has(detailKey(nom));
