// Titles and authors in one cell, under a header that says so: « Book, Author » (docs/rules.md § 35).

export interface TitreAndAuteur {
  /** Stands between the title and the author. */
  readonly sign: string;
  readonly isTitreFirst: boolean;
}

/** For a column that a person chose for both fields. */
export const BOOK_AUTHOR: TitreAndAuteur = { sign: ',', isTitreFirst: true };

// cspell:disable -- words of headers
const TITRE = '(?:titles?|titres?|books?|livres?|ouvrages?)';
const AUTEUR = '(?:authors?|auteure?s?|autrices?|writers?)(?:\\(e?s\\))?';
const SIGN = '(?: ?([,/&+|:;]) ?| ([-–—]) | (by|and|par|et|de) )';
// cspell:enable
const TITRE_FIRST = new RegExp(`^${TITRE}${SIGN}${AUTEUR}$`, 'iu');
const AUTEUR_FIRST = new RegExp(`^${AUTEUR}${SIGN}${TITRE}$`, 'iu');

/** How the cells under a header hold both; `null` for a header of one field. */
export function togetherOf(header: string): TitreAndAuteur | null {
  const line = header.trim().replace(/\s+/g, ' ');
  const titreFirst = TITRE_FIRST.exec(line);
  const [, sign, dash, word] = titreFirst ?? AUTEUR_FIRST.exec(line) ?? [];
  const isTitreFirst = titreFirst !== null;
  if (sign !== undefined) return { sign: '&+'.includes(sign) ? ',' : sign, isTitreFirst };
  if (dash !== undefined) return { sign: ` ${dash} `, isTitreFirst };
  if (word === undefined) return null;
  return { sign: /^(?:and|et)$/i.test(word) ? ',' : ` ${word} `, isTitreFirst };
}

/** Splits a cell into title and author; a cell without the sign is a title. */
export function splitTogether(
  text: string,
  { sign, isTitreFirst }: TitreAndAuteur,
): { readonly titre: string; readonly auteurs: string } {
  const signs = [sign, ' – ', ' — ', ' - '];
  const found = signs.find((each) => text.includes(each));
  if (found === undefined) return { titre: text, auteurs: '' };
  const at = isTitreFirst ? text.lastIndexOf(found) : text.indexOf(found);
  const parts = [text.slice(0, at), text.slice(at + found.length)].map((part) => part.trim());
  const [titre = '', auteurs = ''] = isTitreFirst ? parts : parts.toReversed();
  return { titre: titre.replace(/^["“«]\s?(.*\S)\s?["”»]$/u, '$1'), auteurs };
}
