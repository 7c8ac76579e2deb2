import { MAX_LENGTHS } from './fields.ts';
import type { Serie } from './series.ts';
import { halfWidth, normaliser, searchForm } from './text.ts';

/* oxlint-disable regexp/no-super-linear-backtracking, regexp/no-super-linear-move -- These patterns meet only what `readable`
   has bounded to the length of a title, without runs of blanks. */

interface TitreTome {
  readonly serie: string;
  readonly numero: string;
  /** The volume's own title; '' without one. */
  readonly titre: string;
}

// cspell:ignore pisode saison dition grale grales coffret coffrets recueils
/** « T02 », « Tome 3 », « #4 », « Vol. 5 », « v08 », « ch. 4 », « t. IV »: a number after its word. */
const WORD_BEFORE =
  /^(?:tomes?|volumes?|vols?\.?|n[°º]\.?|no\.?|#|t\.?(?=\s*[\dIVXLC])|v\.?(?=\d)|ch(?:ap)?\.?(?=\s*\d)|c(?=\d{2})|livre|book|bd|[ée]pisode|ep\.?)\s*[.:#]?\s*/iu;
/** « Vol.1 Ch.3 », « v02 c012 »: a chapter after a volume, whose number counts. */
const CHAPTER_BEHIND = /(?<=\d)[\s,]+(?:ch(?:ap|apter)?\.?\s*(?=\d)|c(?=\d{2}))\d{1,4}$/iu;
export const tellsChapter = (text: string): boolean => CHAPTER_BEHIND.test(readable(text));
/** « 8e tome », « 2ᵉ volume ». */
const WORD_BEHIND = /^(\d{1,3})\s*(?:er|e|è|ème|ᵉ)\s+(?:tome|volume|vol\.?)$/iu;
const ROMAN = /^(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u;
const ROMAN_VALUES: Readonly<Record<string, number>> = { C: 100, L: 50, X: 10, V: 5, I: 1 };

/**
 * The text for the patterns; '' if longer than any title, since some patterns are quadratic in its length, and cubic
 * in a run of blanks.
 */
export function readable(text: string): string {
  const line = halfWidth(text).trim().replace(/\s+/g, ' ');
  return line.length <= MAX_LENGTHS.titre ? line : '';
}

/** The value of a Roman numeral below a hundred; `null` for any other text. */
export function readRoman(text: string): number | null {
  const roman = text.toUpperCase();
  if (!ROMAN.test(roman)) return null;
  const values = Array.from(roman, (sign) => ROMAN_VALUES[sign] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}

/** « 第3巻 », « 3巻 », « 第十二巻 »: the third, the twelfth volume. */
const EAST_ASIAN_TOME = '第?\\s*(\\d{1,3}|[一二三四五六七八九十]{1,4})\\s*[巻卷冊册]';
const IS_EAST_ASIAN_TOME = new RegExp(`^${EAST_ASIAN_TOME}$`, 'u');
const EAST_ASIAN_DIGITS = '〇一二三四五六七八九';

/** The digits of a number below a hundred in Chinese characters; other texts are unchanged. */
function readEastAsian(text: string): string {
  const [whole, tens, units = ''] =
    /^(?:([一二三四五六七八九]?)十)?([一二三四五六七八九]?)$/u.exec(text) ?? [];
  if (whole === undefined) return text;
  const valueOf = (sign: string) => EAST_ASIAN_DIGITS.indexOf(sign);
  return String((tens === undefined ? 0 : valueOf(tens) || 1) * 10 + valueOf(units));
}

/**
 * The number of a volume without its word: « T02 » is « 2 », « t. IV » is « 4 », « 第3巻 » is « 3 », « 5-6 » stays a
 * range. Others (« HS », « INT1 ») are unchanged.
 */
export function numeroOf(text: string): string {
  const value = halfWidth(text).trim();
  const number = readable(value)
    .replace(CHAPTER_BEHIND, '')
    .replace(WORD_BEFORE, '')
    .replace(WORD_BEFORE, '')
    .replace(WORD_BEHIND, '$1')
    .replace(IS_EAST_ASIAN_TOME, (_, tome: string) => readEastAsian(tome));
  const hasWord = number !== value;
  const [, whole] = /^0*(\d+)(?:[.,]0+)?$/.exec(number) ?? [];
  if (whole !== undefined) return whole;
  const [, from = '', link = '', to = ''] = SPAN_OF_NUMEROS.exec(number) ?? [];
  if (from !== '' && (!isAnd(link) || Number(to) === Number(from) + 1)) return `${from}-${to}`;
  const roman = hasWord || number.length > 1 ? readRoman(number) : null;
  if (roman !== null) return String(roman);
  return hasWord && /^\d/.test(number) ? number : value;
}

/** « 5-6 », « 1 à 3 », « T1 à T3 », « 1 et 2 ». */
const SPAN_OF_NUMEROS =
  /^0*(\d+)\s*([-–—]|à|et|&)\s*(?:(?:tomes?|volumes?|vols?\.?|n[°º]\.?|t\.?|#)\s*)?0*(\d+)$/iu;
export const isAnd = (link: string): boolean =>
  ['et', 'and', '&', '+', ','].includes(link.toLowerCase());

/** Whether there is other evidence for a series of this name: a column, or the household's series. */
export type IsSerie = (titre: string) => boolean;

const NO_SERIE: IsSerie = () => false;

/** « Kaiju n°8 », « Akira n° 3 », also in brackets after a title: without a separator before the number. */
const NAME_WITH_NUMERO = /^(?:.*\()?([^()]*[^\s,;:.()–—-])\s+(n[°º]\.?\s*[\dIVXLC]+)\)?$/iu;

/** The series and number that « Akira n° 3 » may have; `null` for any other text. */
export function nameWithNumero(
  text: string,
): { readonly titre: string; readonly numero: string } | null {
  const [, titre, numero = ''] = NAME_WITH_NUMERO.exec(readable(text)) ?? [];
  return titre === undefined ? null : { titre, numero: numeroOf(numero) };
}

/** « Kaiju n°8 » is a title, unless there is other evidence for a series « Kaiju » (docs/rules.md § 19). */
function isWholeName(line: string, isSerie: IsSerie): boolean {
  const named = nameWithNumero(line);
  return named !== null && !isSerie(named.titre);
}

/** A series as a file names it, with the number that may follow: « X #1 », « X, #2 », « X (3) », « X, tome 4 ». */
export function parseSerie(
  text: string,
  isSerie = NO_SERIE,
): {
  readonly titre: string;
  readonly numero: string | null;
} {
  const line = readable(text);
  const [, titre = '', numero = ''] = isWholeName(line, isSerie)
    ? []
    : (SERIE_WITH_WORD.exec(line) ?? SERIE_IN_BRACKETS.exec(line) ?? []);
  return normaliser(titre) === ''
    ? { titre: text.trim(), numero: null }
    : { titre, numero: numeroOf(numero) };
}

const DIGITS = '\\d{1,3}(?:[.,]\\d(?!\\d))?(?:\\s?(?:bis|ter))?';
const TOME_WORD =
  '(?:tomes?|volumes?|vol\\.?|n[°º]\\.?|#|t\\.?(?=\\s*\\d)|v\\.?(?=\\d)|ch(?:ap)?\\.?(?=\\s*\\d)|livre(?=\\s))';
/** « 5-6 », « 1 à 3 », of an « intégrale ». */
const SPAN = `${DIGITS}\\s*(?:[-–—]|à|et)\\s*(?:${TOME_WORD}\\s*)?${DIGITS}(?!\\d)`;
/** Ends the number: the title's end, or a mark and the volume's own title. */
const REST = '\\)?(?:\\s*$|\\s*[,:;.–—-]\\s*(.+)$)';

/** « Astérix, tome 7 : … », « Astérix (T. 7) », « Akira n° 3 ». */
const WITH_WORD = new RegExp(
  `^(.+?)(?:\\s*[,:;.(–—-]\\s*|\\s+)${TOME_WORD}\\s*(${SPAN}|${DIGITS}|[IVXLC]+)${REST}`,
  'iu',
);
/** « La marée haute : 1 », « Les Tuniques bleues - 12 », « Astérix. 7, Le combat des chefs », « Astérix (7) ». */
const WITH_NUMBER = new RegExp(
  `^(.+?)(?:\\s+[:;–—-]\\s+|,\\s+|\\.\\s+|\\s+\\()(${DIGITS}|[IVX]{2,6})${REST}`,
  'u',
);

/** « Brumes, l’intégrale : tomes 1 à 3 », « Brumes. Intégrale 2 (T4 à T6) ». */
const OF_INTEGRALE = new RegExp(
  `^(.+?)[\\s,;:.(–—-]+(?:l['’]\\s?)?int[ée]grale[\\s,;:.(–—-]+(?:\\d{1,2}[\\s,;:.(–—-]+)??(?:${TOME_WORD}\\s*)?(${SPAN})\\)?$`,
  'iu',
);

/** « 鋼の錬金術師 第3巻 », « 鋼の錬金術師（３） »: the blank before the number is optional. */
const IN_EAST_ASIA = new RegExp(
  `^(.+?)\\s*\\(?${EAST_ASIAN_TOME}\\)?(?:\\s*$|[\\s:;,–—-]+(.+)$)`,
  'u',
);
const IN_EAST_ASIAN_BRACKETS =
  /^(.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー!?])\((\d{1,3})\)$/u;

const NUMERO = `(?:${TOME_WORD})\\s*(?:${DIGITS}(?:\\s*[-–—]\\s*${DIGITS})?|[IVXLC]+)`;
const SERIE_WITH_WORD = new RegExp(`^(.+?)\\s*[,;:–—-]?\\s*\\(?(${NUMERO})\\)?$`, 'iu');
const SERIE_IN_BRACKETS = /^(.+?)\s*\((\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)\)$/u;

/**
 * « Titre (Le cycle, tome 2) », « Titre (Le cycle T2) », « La Révolte (The Hunger Games, #3) » as in Goodreads:
 * series and number in brackets after a title.
 */
const TOME_IN_BRACKETS = new RegExp(
  `^(.*\\S)\\s*\\(([^()]+?)(?:,\\s*|\\s+|(?=#))(${NUMERO})\\)$`,
  'iu',
);
/** « Kaiju n°8, tome 3 », « Aventures, n° 8, tome 3 »: a number of the name or of a collection before that of the volume. */
const LATER_TOME = new RegExp(
  `^(?:(.+?[^\\s,;:–—-])(\\s+n[°º]\\.?\\s*\\d{1,4})|(.+?)[\\s,;:–—-]+(?:n[°º]\\.?|#)\\s*\\d{1,4})\\s*[,;:–—-]\\s*((?:tomes?|t\\.?|volume|vol\\.?)\\s*(?:${DIGITS}|[IVXLC]+))(?:\\s*$|\\s*[,;:.–—-]\\s*(.+)$)`,
  'iu',
);
/** « (Saison 2) », « (édition collector) » after a volume's number. */
const BEHIND =
  /\s*\((?:saison|cycle|[ée]dition|[ée]d\.|nouvelle [ée]dition|int[ée]grale)[^()]*\)$/iu;

/**
 * The series, number and own title in a book's title; `null` without a number.
 *
 * @param isSerie distinguishes « Akira n° 3 » from « Kaiju n°8 »
 */
export function parseTome(text: string, isSerie = NO_SERIE): TitreTome | null {
  const titre = readable(text);
  const bare = titre.replace(BEHIND, '').replace(CHAPTER_BEHIND, '');
  if (isWholeName(bare, isSerie)) return null;
  const [, whole, span = ''] = OF_INTEGRALE.exec(titre) ?? [];
  if (whole !== undefined) return { serie: whole, numero: numeroOf(span), titre: '' };
  const [, before = '', cycle, tome = ''] = TOME_IN_BRACKETS.exec(titre) ?? [];
  if (cycle !== undefined) return { serie: cycle.trim(), numero: numeroOf(tome), titre: before };
  const [, eastAsian, volume = '', name = ''] =
    IN_EAST_ASIA.exec(titre) ?? IN_EAST_ASIAN_BRACKETS.exec(titre) ?? [];
  if (eastAsian !== undefined)
    return { serie: eastAsian, numero: readEastAsian(volume), titre: name };
  const [, first, number = '', ofCollection = '', later, last = ''] = LATER_TOME.exec(bare) ?? [];
  if (later !== undefined) {
    const named = first === undefined || isSerie(first) ? first : first + number;
    return { serie: named ?? ofCollection, numero: numeroOf(later), titre: last };
  }
  const [, serie = '', numero = '', rest = ''] =
    WITH_WORD.exec(bare) ?? WITH_NUMBER.exec(bare) ?? [];
  if (normaliser(serie) === '') return null;
  return {
    serie: serie.trim(),
    numero: /^\d/.test(numero) ? numeroOf(numero) : numero,
    titre: rest,
  };
}

/** A series named in a book's title: an existing one, or a new one. */
interface SerieProposal extends TitreTome {
  /** `null` where the household has no series of this title. */
  readonly known: Serie | null;
}

/** The series to propose for a book by its title; `null` where the title has no number. */
export function proposeSerie(titre: string, series: readonly Serie[]): SerieProposal | null {
  const [, ofBox = '', numero = ''] = SEVERAL.exec(readable(titre)) ?? [];
  const known = serieOfTitre(ofBox, series);
  if (known !== null) return { serie: ofBox, numero: numeroOf(numero), titre: '', known };
  const tome = parseTome(titre, (name) => serieOfTitre(name, series) !== null);
  return tome === null ? null : { ...tome, known: serieOfTitre(tome.serie, series) };
}

/** « Coffret Thorgal 1-3 », « Intégrale Thorgal, tomes 1 à 3 »: volumes after the name of an existing series. */
const SEVERAL =
  /^(?:l['’]\s?)?(?:int[ée]grales?|coffrets?|omnibus|recueils?)\s+(\S.*?)[\s,(–—-]+((?:(?:tomes?|volumes?|vols?\.?|t\.?)\s*)?\d{1,3}\s*(?:[-–—/&+]|à|et)\s*\d{1,3})\)?$/iu;

export const serieOfTitre = (
  titre: string,
  series: readonly Serie[],
  exceptId: number | null = null,
): Serie | null => {
  const key = searchForm(titre);
  if (key === '') return null;
  return series.find((serie) => serie.id !== exceptId && searchForm(serie.titre) === key) ?? null;
};
