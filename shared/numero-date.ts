import { isIsoDate } from './days.ts';
import { normaliser } from './text.ts';

/** Each in French, then in English. */
const MONTHS =
  'janvier janv january jan,fevrier fevr fev february feb,mars march mar,avril avr april apr,mai may,juin june jun,' +
  'juillet juil july jul,aout august aug,septembre september sept sep,octobre october oct,novembre november nov,' +
  'decembre december dec';
const MONTH_OF = new Map(
  MONTHS.split(',').flatMap((words, i) => words.split(' ').map((word) => [word, i + 1] as const)),
);

/** The month from 1 of a normalised word. A name may be cut (« nov »), but not to letters that June and July share. */
export function monthOf(word: string): number | undefined {
  if (word.length < 3 || word === 'jui') return MONTH_OF.get(word);
  for (const [name, month] of MONTH_OF) if (name.startsWith(word)) return month;
  return undefined;
}

const WINTER = 1;
/** In French, then in English, each with the month of publication. */
const SEASON_MONTHS = numbered(
  'hiver winter=1,printemps spring=3,ete summer=6,automne autumn fall=9',
);
const ORDINALS = numbered('premier first=1,deuxieme second=2,troisieme third=3,quatrieme fourth=4');
const ORDINAL_DIGITS = /^([1-4])(?:er|ere|e|eme|nd|nde|st|rd|th)?$/;
/** In months. */
const SPANS = numbered('trimestre quarter=3,semestre half=6');
/** Words without a meaning for the date. */
const JOINTS = new Set('du au et a le l de n the of to and from'.split(' '));

function numbered(list: string): ReadonlyMap<string, number> {
  return new Map(
    list.split(',').flatMap((entry) => {
      const [words = '', number] = entry.split('=');
      return words.split(' ').map((word): [string, number] => [word, Number(number)]);
    }),
  );
}

/**
 * The sort key of an issue's date: an ISO 8601 day, month or year unchanged; for a printed date in French or English
 * (« 12 mars 2026 », « juillet-août 2026 », « spring 2026 », « 2nd quarter 2026 ») the ISO day or month of its
 * beginning. `null` for no date. Keys compare as texts, both kinds in one order (docs/rules.md § 20).
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

/** By the kinds of its words: Y year, M month, S season, Q quarter, D day or a year’s last digits. */
function printedKey(all: readonly string[]): string | null {
  const words = joinQuarters(all.filter((word) => !JOINTS.has(word)));
  const kinds = words.map(kindOf).join('');
  const year = words[kinds.indexOf('Y')];
  const first = words[0] ?? '';
  if (year === undefined) return null;
  if (/^YY$/.test(kinds)) return year;
  if (/^(?:S+Y[YD]?)+$/.test(kinds)) {
    const month = SEASON_MONTHS.get(first) ?? WINTER;
    // A winter of two years begins in the first one.
    const spansWinter = month === WINTER && /^SY[YD]/.test(kinds);
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

/** Joins « 2e trimestre » into one word: `q` and its first month. */
function joinQuarters(words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    if (monthsOf(word) !== null) return [];
    const months = monthsOf(words[i + 1]);
    if (months === null) return [word];
    const number = Number(ORDINAL_DIGITS.exec(word)?.[1] ?? ORDINALS.get(word) ?? 0);
    if (number < 1 || number * months > 12) return ['?'];
    return [`q${String((number - 1) * months + 1).padStart(2, '0')}`];
  });
}

const monthsOf = (word: string | undefined): number | null => SPANS.get(word ?? '') ?? null;

function kindOf(word: string): string {
  if (/^\d{4}$/.test(word)) return 'Y';
  if (MONTH_OF.has(word)) return 'M';
  if (SEASON_MONTHS.has(word)) return 'S';
  if (/^q\d\d$/.test(word)) return 'Q';
  if (/^(?:\d{1,2}(?:st|nd|rd|th)?|1er)$/.test(word)) return 'D';
  return '?';
}
