import { isIsoDate } from './days.ts';
import { normaliser } from './text.ts';

const MONTHS =
  'janvier janv jan,fevrier fevr fev,mars,avril avr,mai,juin,' +
  'juillet juil,aout,septembre sept sep,octobre oct,novembre nov,decembre dec';
const MONTH_OF = new Map(
  MONTHS.split(',').flatMap((words, i) => words.split(' ').map((word) => [word, i + 1] as const)),
);
/** Winter first, each with the month in which its issue comes out. */
const SEASON_WORDS = 'hiver printemps ete automne'.split(' ');
const SEASON_MONTHS = [1, 3, 6, 9];
const [WINTER] = SEASON_WORDS;
const ORDINAL_WORDS = 'premier deuxieme troisieme quatrieme'.split(' ');
const ORDINAL_DIGITS = /^([1-4])(?:er|ere|e|eme|nd|nde)?$/;
/** Three and six months. */
const [QUARTER, HALF] = 'trimestre semestre'.split(' ');
/** Words without a meaning for the date. */
const JOINTS = new Set(['du', 'au', 'et', 'a', 'le', 'l', 'de', 'n']);

/**
 * The sort key of an issue's date: the date itself for a day, a month or a year of ISO 8601; for a date as printed in
 * French (« 12 mars 2026 », « juillet-août 2026 », « printemps 2026 », « 2e trimestre 2026 ») the ISO day or month in
 * which it begins. `null` for what is no date. Keys compare as texts, so that both kinds are in one order
 * (docs/rules.md § 20).
 */
export function numeroDateKey(text: string): string | null {
  const trimmed = text.trim();
  if (/^\d{4}(?:-\d\d){0,2}$/.test(trimmed)) return isIsoDate(trimmed) ? trimmed : null;
  const numeric = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(trimmed);
  if (numeric !== null) {
    const [, day = '', month = '', year = ''] = numeric;
    return checked(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  }
  return printedKey(normaliser(trimmed).split(' '));
}

/** By the kinds of words: Y year, M month, S season, Q quarter, D day or a year’s last digits. */
function printedKey(all: readonly string[]): string | null {
  const words = joinQuarters(all.filter((word) => !JOINTS.has(word)));
  const kinds = words.map(kindOf).join('');
  const year = words[kinds.indexOf('Y')];
  const first = words[0] ?? '';
  if (year === undefined) return null;
  if (/^YY$/.test(kinds)) return year;
  if (/^(?:S+Y[YD]?)+$/.test(kinds)) {
    const month = SEASON_MONTHS[SEASON_WORDS.indexOf(first)] ?? 1;
    // The winter of two years begins in the first one.
    const spansWinter = first === WINTER && /^SY[YD]/.test(kinds);
    return `${year}-${String(spansWinter ? 12 : month).padStart(2, '0')}`;
  }
  if (/^Q+Y$/.test(kinds)) return `${year}-${first.slice(1)}`;
  if (!/^(?:D{0,2}M)+Y(?:(?:D{0,2}M)+Y)?$/.test(kinds)) return null;
  return daysAndMonthsKey(words, kinds, year);
}

/** The first day or month; `null` where a named day does not exist. */
function daysAndMonthsKey(words: readonly string[], kinds: string, year: string): string | null {
  const monthAt = (from: number) => MONTH_OF.get(words[kinds.indexOf('M', from)] ?? '') ?? 0;
  const keys = words.flatMap((word, i) => {
    if (kinds[i] !== 'D' && kinds[i] !== 'M') return [];
    const itsYear = words[kinds.indexOf('Y', i)] ?? year;
    const month = `${itsYear}-${String(monthAt(i)).padStart(2, '0')}`;
    return [
      kinds[i] === 'D' ? `${month}-${parseInt(word, 10).toString().padStart(2, '0')}` : month,
    ];
  });
  return keys.every((key) => checked(key) !== null) ? (keys[0] ?? null) : null;
}

const checked = (date: string): string | null => (isIsoDate(date) ? date : null);

/** Makes « 2e trimestre » one word: `q` and the month in which it begins. */
function joinQuarters(words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    if (monthsOf(word) !== null) return [];
    const months = monthsOf(words[i + 1]);
    if (months === null) return [word];
    const number = Number(ORDINAL_DIGITS.exec(word)?.[1] ?? ORDINAL_WORDS.indexOf(word) + 1);
    if (number < 1 || number * months > 12) return ['?'];
    return [`q${String((number - 1) * months + 1).padStart(2, '0')}`];
  });
}

const monthsOf = (word: string | undefined): number | null =>
  word === QUARTER ? 3 : word === HALF ? 6 : null;

function kindOf(word: string): string {
  if (/^\d{4}$/.test(word)) return 'Y';
  if (MONTH_OF.has(word)) return 'M';
  if (SEASON_WORDS.includes(word)) return 'S';
  if (/^q\d\d$/.test(word)) return 'Q';
  if (/^(?:\d{1,2}|1er)$/.test(word)) return 'D';
  return '?';
}
