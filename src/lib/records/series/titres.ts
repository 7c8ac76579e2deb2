export interface ParsedTitre {
  readonly numero: string;
  /** '' where the line has only a number. */
  readonly titre: string;
  readonly auteur: string;
}

const TOME = '(?:tome|volume|vol\\.|t\\.|t(?=\\d)|n[°º]\\.?|#)';
/** Words that may also begin a title (« Vol 714 pour Sydney »): punctuation must follow. */
const AMBIGUOUS_TOME = '(?:vol|livre|n)';
const NUMBER = '(\\d{1,4}(?:\\s?(?:bis|ter))?|[IVXLC]+)';
const END = '$|\\s*[.:;,)–—-]\\s*';

const BULLET = /^[-–—•*·]\s+/u;

/** « Tome 2 : … », « T2. … », « Vol. 3 – … », « n° 4 … », or the number alone. */
const WITH_WORD = new RegExp(`^${TOME}\\s*${NUMBER}(?:${END}|\\s+)`, 'iu');
const WITH_AMBIGUOUS_WORD = new RegExp(`^${AMBIGUOUS_TOME}\\s*${NUMBER}(?:${END})`, 'iu');

/**
 * « 1. … », « 1) … », « 1 : … », « 1 – … », « 1⇥… », or the number alone: three digits at most,
 * since « 1984 » and « 2001 : l’odyssée de l’espace » are titles.
 */
const WITH_NUMBER = /^(\d{1,3}(?:\s?(?:bis|ter))?)(?:$|[.)]\s+|\s*[:–—-]\s+|\t+)/iu;

/** « …, tome 3 », « … (T. 3) », « … – Tome III »: the title keeps its number, since a bookshop needs it. */
const AT_END = new RegExp(`[\\s,(:–—-]${TOME}\\s*${NUMBER}\\)?$`, 'iu');

/** The volumes of a pasted list, one a line: a separate number, and the author after « / ». */
export const parseTitres = (text: string): ParsedTitre[] =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.trim().replace(BULLET, ''))
    .filter((line) => line !== '')
    .map(parseLine);

function parseLine(line: string): ParsedTitre {
  const slash = line.lastIndexOf(' / ');
  const auteur = slash < 0 ? '' : line.slice(slash + 3).trim();
  const rest = auteur === '' ? line : line.slice(0, slash).trim();
  const [head = '', numero] =
    WITH_WORD.exec(rest) ?? WITH_AMBIGUOUS_WORD.exec(rest) ?? WITH_NUMBER.exec(rest) ?? [];
  if (numero !== undefined) return { numero, titre: rest.slice(head.length).trim(), auteur };
  return { numero: AT_END.exec(rest)?.[1] ?? '', titre: rest, auteur };
}
