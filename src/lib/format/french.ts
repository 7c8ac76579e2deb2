/**
 * Texts that must not be broken: a word with a following « : », « ; », « ! », « ? » or « » », « « » with the next
 * word, an ISBN, a volume's number.
 */
const KEPT =
  /((?:« |(?<!\S))\S+(?: [:;!?»]+(?![^ ]))+|« \S+|97[89](?:-\d+){4}|(?:tomes?|n°) \d[\d,.]*)/iu;

/**
 * Splits a title so that every second part stays on one line, and no line begins with French punctuation. The text
 * itself is unchanged for copying and searching.
 */
export const titreParts = (titre: string): readonly string[] =>
  MARKS.test(titre) ? titre.split(new RegExp(KEPT, 'giu')) : [titre];

/** Most titles have no such mark. */
const MARKS = /[:;!?«»]|97[89]-\d|(?:tomes?|n°) \d/iu;

/** A book without a known title has its code as the title. */
export const isCode = (part: string): boolean => /^97[89]-[\d-]+$/u.test(part);

/** A title for drawing, with no-break spaces: a narrow one before « ; », « ! » and « ? ». */
export const drawnTitre = (titre: string): string =>
  titreParts(titre)
    .map((part, index) =>
      index % 2 === 0 ? part : part.replace(/ (?=[;!?])/gu, '\u202f').replace(/ /gu, '\u00a0'),
    )
    .join('');

/** A sentence of the server with no-break spaces within French punctuation. */
export const withNoBreakSpaces = (sentence: string): string =>
  sentence.replace(/ (?=[:;?!»])|(?<=«) /gu, '\u00a0');
