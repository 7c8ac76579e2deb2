/** What no line may break: a word with the « : », « ; », « ! », « ? » or « » » behind it, and « « » with the word after it. */
const KEPT = /((?:« )?\S+(?: [:;!?»]+(?![^ ]))+|« \S+)/u;

/**
 * A title in parts, of which every second one is kept in one line, so that no French punctuation begins a line. The
 * text stays as it is: what copies or searches it finds the title.
 */
export const titreParts = (titre: string): readonly string[] =>
  MARKS.test(titre) ? titre.split(new RegExp(KEPT, 'gu')) : [titre];

/** Most titles have none. */
const MARKS = /[:;!?«»]/u;

/** The same for what is drawn, with no-break spaces: a narrow one before « ; », « ! » and « ? ». */
export const drawnTitre = (titre: string): string =>
  titreParts(titre)
    .map((part, index) =>
      index % 2 === 0 ? part : part.replace(/ (?=[;!?])/gu, '\u202f').replace(/ /gu, '\u00a0'),
    )
    .join('');
