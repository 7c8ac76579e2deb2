import { MAX_LENGTHS } from './fields.ts';
import type { Serie } from './series.ts';
import { normaliser } from './text.ts';

interface TitreTome {
  readonly serie: string;
  readonly numero: string;
  /** The volume's own title; '' where the title tells only series and number. */
  readonly titre: string;
}

// cspell:ignore pisode saison dition grale
/** « T02 », « Tome 3 », « #4 », « Vol. 5 », « t. IV »: a number behind its word. */
const WORD_BEFORE =
  /^(?:tomes?|volumes?|vols?\.?|n[°º]\.?|no\.?|#|t\.?(?=\s*[\dIVXLC])|livre|book|bd|[ée]pisode|ep\.?)\s*[.:#]?\s*/iu;
/** « 8e tome », « 2ᵉ volume ». */
const WORD_BEHIND = /^(\d{1,3})\s*(?:er|e|è|ème|ᵉ)\s+(?:tome|volume|vol\.?)$/iu;
const ROMAN = /^(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u;
const ROMAN_VALUES: Readonly<Record<string, number>> = { C: 100, L: 50, X: 10, V: 5, I: 1 };

/**
 * A text as the patterns read it; '' for one longer than any title, since some patterns take the square of its length,
 * and the cube of a run of blanks.
 */
function readable(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= MAX_LENGTHS.titre ? line : '';
}

/** The value of a Roman number below a hundred; `null` for any other text. */
export function readRoman(text: string): number | null {
  const roman = text.toUpperCase();
  if (!ROMAN.test(roman)) return null;
  const values = Array.from(roman, (sign) => ROMAN_VALUES[sign] ?? 0);
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}

/**
 * The number of a volume without the word before it: « T02 » is « 2 », « t. IV » is « 4 », « 5-6 » stays a span. What
 * is no number (« HS », « INT1 ») stays as it is.
 */
export function numeroOf(text: string): string {
  const value = text.trim();
  const number = readable(value)
    .replace(WORD_BEFORE, '')
    .replace(WORD_BEFORE, '')
    .replace(WORD_BEHIND, '$1')
    .replace(/(\d)\s*(?:et|&|à)\s*(?=\d)/giu, '$1-');
  const hasWord = number !== value;
  const [, whole] = /^0*(\d+)(?:[.,]0+)?$/.exec(number) ?? [];
  if (whole !== undefined) return whole;
  const span = /^0*(\d+)\s*[-–—]\s*0*(\d+)$/.exec(number);
  if (span !== null) return `${span[1] ?? ''}-${span[2] ?? ''}`;
  const roman = hasWord || number.length > 1 ? readRoman(number) : null;
  if (roman !== null) return String(roman);
  return hasWord && /^\d/.test(number) ? number : value;
}

/** A series as a file names it, with the number that may follow: « X #1 », « X, #2 », « X (3) », « X, tome 4 ». */
export function parseSerie(text: string): {
  readonly titre: string;
  readonly numero: string | null;
} {
  const line = readable(text);
  const [, titre = '', numero = ''] =
    SERIE_WITH_WORD.exec(line) ?? SERIE_IN_BRACKETS.exec(line) ?? [];
  return normaliser(titre) === '' || numero === ''
    ? { titre: text.trim(), numero: null }
    : { titre: titre.trim(), numero: numeroOf(numero) };
}

const DIGITS = '\\d{1,3}(?:[.,]\\d(?!\\d))?(?:\\s?(?:bis|ter))?';
const TOME_WORD = '(?:tomes?|volumes?|vol\\.?|n[°º]\\.?|#|t\\.?(?=\\s*\\d)|livre(?=\\s))';
/** « 5-6 », « 1 à 3 », of an « intégrale ». */
const SPAN = `${DIGITS}\\s*(?:[-–—]|à|et)\\s*${DIGITS}(?!\\d)`;
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

/** « La Révolte (The Hunger Games, #3) », as Goodreads writes a series behind a title. */
const IN_BRACKETS = /^(.*\S)\s*\(([^()#]+?),?\s*#\s*(\d[\d.,]*)\)$/u;

const NUMERO = `(?:${TOME_WORD})\\s*(?:${DIGITS}(?:\\s*[-–—]\\s*${DIGITS})?|[IVXLC]+)`;
const SERIE_WITH_WORD = new RegExp(`^(.+?)\\s*[,;:–—-]?\\s*\\(?(${NUMERO})\\)?$`, 'iu');
const SERIE_IN_BRACKETS = /^(.+?)\s*\((\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)\)$/u;

/** « Titre (Le cycle, tome 2) », « Titre (Le cycle T2) »: a series and its number in brackets behind a title. */
const TOME_IN_BRACKETS = new RegExp(`^(.*\\S)\\s*\\(([^()]+?),?\\s+(${NUMERO})\\)$`, 'iu');
/** « Aventures n° 8, tome 3 »: the number in a collection comes before that of the volume, which counts. */
const LATER_TOME = new RegExp(
  `^(.+?)[\\s,;:–—-]+(?:n[°º]\\.?|#)\\s*\\d{1,4}\\s*[,;:–—-]\\s*((?:tomes?|t\\.?|volume|vol\\.?)\\s*(?:${DIGITS}|[IVXLC]+))(?:\\s*$|\\s*[,;:.–—-]\\s*(.+)$)`,
  'iu',
);
/** « (Saison 2) », « (édition collector) » behind the number of a volume. */
const BEHIND =
  /\s*\((?:saison|cycle|[ée]dition|[ée]d\.|nouvelle [ée]dition|int[ée]grale)[^()]*\)$/iu;

/** The series, number and own title in a book's title; `null` where there is none of these. */
export function parseTome(text: string): TitreTome | null {
  const titre = readable(text);
  const [, own = '', named, place = ''] = IN_BRACKETS.exec(titre) ?? [];
  if (named !== undefined) return { serie: named.trim(), numero: place, titre: own };
  const [, before = '', cycle, tome = ''] = TOME_IN_BRACKETS.exec(titre) ?? [];
  if (cycle !== undefined) return { serie: cycle.trim(), numero: numeroOf(tome), titre: before };
  const bare = titre.replace(BEHIND, '');
  const [, ofCollection = '', later, last = ''] = LATER_TOME.exec(bare) ?? [];
  if (later !== undefined)
    return { serie: ofCollection.trim(), numero: numeroOf(later), titre: last.trim() };
  const [, serie = '', numero = '', rest = ''] =
    WITH_WORD.exec(bare) ?? WITH_NUMBER.exec(bare) ?? [];
  if (normaliser(serie) === '' || numero === '') return null;
  return {
    serie: serie.trim(),
    numero: /^\d/.test(numero) ? numeroOf(numero) : numero,
    titre: rest.trim(),
  };
}

/** A series that a book's title names, or the one that its title would make. */
interface SerieProposal extends TitreTome {
  /** `null` where the household has no series of this title. */
  readonly known: Serie | null;
}

/** The series to propose for a book by its title; `null` where the title has no number. */
export function proposeSerie(titre: string, series: readonly Serie[]): SerieProposal | null {
  const tome = parseTome(titre);
  return tome === null ? null : { ...tome, known: serieOfTitre(tome.serie, series) };
}

export const serieOfTitre = (
  titre: string,
  series: readonly Serie[],
  exceptId: number | null = null,
): Serie | null => {
  const key = normaliser(titre);
  if (key === '') return null;
  return series.find((serie) => serie.id !== exceptId && normaliser(serie.titre) === key) ?? null;
};
