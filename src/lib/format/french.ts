/**
 * What no line may break: a word with the « : », « ; », « ! », « ? » or « » » behind it, « « » with the word after it,
 * an ISBN, a volume's number.
 */
const KEPT =
  /((?:« |(?<!\S))\S+(?: [:;!?»]+(?![^ ]))+|« \S+|97[89](?:-\d+){4}|(?:tomes?|n°) \d[\d,.]*)/iu;

/**
 * A title in parts, of which every second one stays in one line, so that no line begins with a French punctuation mark.
 * The text is unchanged: copying or searching it finds the title.
 */
export const titreParts = (titre: string): readonly string[] =>
  MARKS.test(titre) ? titre.split(new RegExp(KEPT, 'giu')) : [titre];

/** Most titles have no such mark. */
const MARKS = /[:;!?«»]|97[89]-\d|(?:tomes?|n°) \d/iu;

/** A book that is kept by its code has the code as its title. */
export const isCode = (part: string): boolean => /^97[89]-[\d-]+$/u.test(part);

/** A title to be drawn, with no-break spaces: a narrow one before « ; », « ! » and « ? ». */
export const drawnTitre = (titre: string): string =>
  titreParts(titre)
    .map((part, index) =>
      index % 2 === 0 ? part : part.replace(/ (?=[;!?])/gu, '\u202f').replace(/ /gu, '\u00a0'),
    )
    .join('');

/** A sentence of the server with no-break spaces inside French punctuation, so that no line begins with a mark. */
export const withNoBreakSpaces = (sentence: string): string =>
  sentence.replace(/ (?=[:;?!»])|(?<=«) /gu, '\u00a0');
