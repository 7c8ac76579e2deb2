import { familyName } from '#shared/sort';
import { inForm } from '#shared/text';

/**
 * Advance widths of Literata at weight 600 and 24 points, in hundredths of the size, from the blank to « ~ »; other
 * sizes and weight 400 differ by at most 3 %. A table, since measuring by the browser's layout would delay scrolling.
 */
const ASCII = (
  '20 33 42 67 58 88 82 25 35 35 45 58 33 35 33 45 60 41 53 55 58 53 57 53 57 56 33 33 58 58 58 55 ' +
  '90 74 68 70 77 65 62 76 84 41 57 77 64 99 82 77 63 77 73 60 73 79 74 109 73 72 67 35 46 35 58 47 ' +
  '50 56 63 52 64 55 41 59 68 35 32 64 35 98 68 61 64 63 51 48 42 66 60 88 59 59 51 38 41 38 58'
)
  .split(' ')
  .map(Number);

const OTHERS: Readonly<Record<string, number>> = {
  '’': 31,
  '«': 52,
  '»': 52,
  '–': 50,
  '—': 100,
  '…': 91,
  œ: 93,
  æ: 83,
  Œ: 108,
  Æ: 101,
  '\u00a0': 20,
  '\u202f': 12,
};

/** Widths of a letter missing in the font, and of a square one. */
const UNKNOWN = 66;
const SQUARE = 100;
const FIRST_SQUARE = 0x2e80;

const widths = new Map<string, number>();

function widthOfChar(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  const width = ASCII[code - 32] ?? OTHERS[char];
  if (width !== undefined) return width;
  // Accents have no width of their own.
  const [base = ''] = inForm('NFD', char);
  if (base !== char) return widthOfChar(base);
  return code < FIRST_SQUARE ? UNKNOWN : SQUARE;
}

/** The width of a text on one line, in hundredths of its size. */
export function widthOf(text: string): number {
  let sum = 0;
  for (const char of text) {
    let width = widths.get(char);
    if (width === undefined) widths.set(char, (width = widthOfChar(char)));
    sum += width;
  }
  return sum;
}

const BLANK = widthOf(' ');

/** A part of a text that is not broken; `joined` where a hyphen and no blank parts it from the next. */
interface Word {
  readonly text: string;
  readonly width: number;
  readonly joined: boolean;
}

/** A text to be broken into lines; `widest` is its widest word, in hundredths of the size. */
interface Breakable {
  readonly words: readonly Word[];
  readonly widest: number;
  readonly total: number;
}

/** No line ends with an article, and preferably with no other small word. */
const ARTICLES = new Set(['le', 'la', 'les', 'un', 'une', 'de', 'du', 'des']);
const SMALL = new Set(
  'à au aux avec ce ces chez dans en et mon ma mes ni on or ou où par pour qui que sa ses son sans se si sous sur the of and a an in to'.split(
    ' ',
  ),
);
export const endsWithArticle = (text: string): boolean =>
  ARTICLES.has(text.slice(text.lastIndexOf(' ') + 1).toLowerCase());

/** The cost of a line that ends with a small word, in squared measures. */
const SMALL_COST = 0.35;
/** From the fourth line on no line is a single word with fewer letters. */
const FULL_LINES = 3;
const SHORT_WORD = 6;

/**
 * How strictly lines are broken: `strict` ends none with an article or a hyphen, `even` leaves no small word alone («
 * et »), `loose` accepts anything.
 */
type Care = 'strict' | 'even' | 'loose';

/** Titles with more words are not optimised. */
const MAX_WORDS = 40;

function breakable(text: string): Breakable {
  const words = text
    .split(/[ \t\n]+/u)
    .filter((part) => part !== '')
    .slice(0, MAX_WORDS)
    .flatMap(wordsOf);
  return {
    words,
    widest: Math.max(0, ...words.map(({ width }) => width)),
    total: words.reduce((sum, { width, joined }) => sum + width + (joined ? 0 : BLANK), -BLANK),
  };
}

/** « Arrache-cœur » may be broken after its hyphen. */
const wordsOf = (part: string): Word[] =>
  part
    .split(/(?<=\p{L}{3}-)(?=\p{L}{3})/u)
    .map((text, index, all) => ({ text, width: widthOf(text), joined: index < all.length - 1 }));

interface Line {
  readonly cost: number;
  readonly start: number;
}

/**
 * Breaks a text into the fewest lines that fit, and among those into the most even ones; `null` if there are too
 * many.
 *
 * @param measure the width of a line, in hundredths of the size
 */
function breakLines(
  { words, widest, total }: Breakable,
  measure: number,
  maxLines: number,
  care: Care,
): string[] | null {
  if (widest > measure || total > measure * maxLines) return null;
  /** The best way to set the first words in a number of lines, by the number of words. */
  let best: (Line | undefined)[] = [{ cost: 0, start: 0 }];
  const ways: (Line | undefined)[][] = [];
  for (let line = 0; line < maxLines; line++) {
    best = nextLine(words, measure, best, care, line);
    ways.push(best);
    if (best[words.length] !== undefined) return textsOf(words, ways);
  }
  return null;
}

function nextLine(
  words: readonly Word[],
  measure: number,
  before: readonly (Line | undefined)[],
  care: Care,
  line: number,
): (Line | undefined)[] {
  const after: (Line | undefined)[] = [];
  for (let start = 0; start < words.length; start++) {
    const known = before[start];
    if (known === undefined) continue;
    let width = 0;
    for (let end = start + 1; end <= words.length; end++) {
      const word = words[end - 1];
      if (word === undefined) break;
      width += word.width;
      if (width > measure) break;
      const isLast = end === words.length;
      const penalty = isLast ? 0 : endCost(word, care === 'strict');
      const isBare = end === start + 1 && words.length > 1 && mayNotStandAlone(word, care, line);
      if (penalty < Infinity && !isBare) {
        const cost = known.cost + ((measure - width) / measure) ** 2 + penalty;
        if (cost < (after[end]?.cost ?? Infinity)) after[end] = { cost, start };
      }
      if (!word.joined) width += BLANK;
    }
  }
  return after;
}

/** « Les / Misérables » is allowed. */
function mayNotStandAlone({ text }: Word, care: Care, line: number): boolean {
  if (care === 'strict' && line >= FULL_LINES && text.length < SHORT_WORD) return true;
  const word = text.toLowerCase();
  return care !== 'loose' && (SMALL.has(word) || (line > 0 && ARTICLES.has(word)));
}

function endCost({ text, joined }: Word, strict: boolean): number {
  const word = text.toLowerCase();
  if (joined || ARTICLES.has(word)) return strict ? Infinity : 0;
  return SMALL.has(word) ? SMALL_COST : 0;
}

function textsOf(
  words: readonly Word[],
  ways: readonly (readonly (Line | undefined)[])[],
): string[] {
  const lines: string[] = [];
  let end = words.length;
  for (const way of ways.toReversed()) {
    const start = way[end]?.start ?? 0;
    lines.unshift(lineOf(words.slice(start, end)));
    end = start;
  }
  return lines;
}

const lineOf = (words: readonly Word[]): string =>
  words
    .map(({ text, joined }) => (joined ? text : `${text} `))
    .join('')
    .trimEnd();

export interface Block {
  readonly lines: readonly string[];
  readonly size: number;
}

export interface Room {
  readonly measure: number;
  readonly height: number;
  readonly leading: number;
  readonly largest: number;
  readonly floor: number;
}

const STEP = 0.25;
/** A strict break is preferred if its size is at least this share of the lenient one's. */
const STRICT_SHARE = 0.82;
/** If nothing fits, the size is reduced to this share of the smallest one. */
const LAST_SHARE = 0.82;
/** For a word longer than a line it is reduced to this share: « The… » would name no book. */
const LONG_WORD_SHARE = 0.6;
/** Kerning, which the table of widths leaves out. */
const SLACK = 0.985;

/**
 * Sets a title: the largest size at which its most even lines have room (docs/rules.md § 52). A title that fits nowhere
 * ends before its subtitle, otherwise in an ellipsis.
 */
export function fitTitre(titre: string, room: Room): Block {
  const whole = fitUnbroken(titre, room);
  if (whole !== null) return whole;
  const [proper = titre] = titre.split(/(?<!\s)\s*:\s/u);
  return (
    (proper === titre ? null : fitUnbroken(proper, room)) ??
    fitLongWord(proper, room) ??
    fitCut(proper, room)
  );
}

/** The size of a word that is longer than a line, if the title has one. */
function fitLongWord(titre: string, room: Room): Block | null {
  // The sizes that were tried end up to one step above the smallest.
  const longest = (breakable(titre).widest / 100) * (room.floor * LAST_SHARE + STEP);
  if (longest <= room.measure * SLACK) return null;
  return fitUnbroken(titre, { ...room, floor: (room.floor * LONG_WORD_SHARE) / LAST_SHARE });
}

function fitUnbroken(titre: string, room: Room): Block | null {
  const text = breakable(titre);
  const linesAt = (size: number) => Math.floor(room.height / (size * room.leading));
  const fit = (care: Care, floor: number) =>
    fitSize(text, room.measure, { largest: room.largest, floor }, linesAt, care);
  const lenient = fit('even', room.floor * LAST_SHARE) ?? fit('loose', room.floor * LAST_SHARE);
  if (lenient === null || lenient.size < room.floor) return lenient;
  const strict = fit('strict', Math.max(room.floor, lenient.size * STRICT_SHARE));
  return strict !== null && strict.lines.length <= lenient.lines.length + 1 ? strict : lenient;
}

function fitSize(
  text: Breakable,
  measure: number,
  { largest, floor }: Pick<Room, 'largest' | 'floor'>,
  linesAt: (size: number) => number,
  care: Care,
): Block | null {
  for (let size = largest; size >= floor; size -= STEP) {
    const lines = breakLines(text, (measure * SLACK * 100) / size, linesAt(size), care);
    if (lines !== null) return { lines, size };
  }
  return null;
}

/** The beginning that fits at the smallest size, with an ellipsis. */
function fitCut(titre: string, { measure, height, leading, floor }: Room): Block {
  const size = floor * LAST_SHARE;
  const room = (measure * SLACK * 100) / size;
  const maxLines = Math.max(1, Math.floor(height / (size * leading)));
  let low = 0;
  let high = titre.length;
  let lines = ['…'];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const tried = breakLines(breakable(`${cut(titre, middle)}…`), room, maxLines, 'loose');
    if (tried === null) high = middle - 1;
    else {
      low = middle;
      lines = tried;
    }
  }
  return { lines, size };
}

/** The beginning of a text, cut between words. */
function cut(text: string, length: number): string {
  const beginning = text.slice(0, length);
  const whole = /\s/u.test(text.charAt(length)) ? beginning : beginning.replace(/\s\S*$/u, '');
  return whole.replace(/(?<![\s,;:.-])[\s,;:.-]+$/u, '');
}

/** An author's name shrinks to this share before only the surname is shown. */
const AUTEUR_SHARE = 0.76;

/**
 * Sets the authors on one line or two: one by name, two by their surnames, more by the first surname.
 *
 * @param size in pixels
 */
export function fitAuteurs(noms: readonly string[], measure: number, size: number): Block | null {
  const [first] = noms;
  if (first === undefined) return null;
  const text = breakable(auteursText(noms, first));
  const floor = size * AUTEUR_SHARE;
  const surname = familyName(first);
  return (
    fitSize(text, measure, { largest: size, floor: size }, () => 1, 'loose') ??
    fitSize(text, measure, { largest: size, floor }, () => 2, 'loose') ??
    fitSize(breakable(surname), measure, { largest: size, floor }, () => 2, 'loose') ??
    fitCut(surname, { measure, height: size, leading: 1, largest: size, floor: size })
  );
}

function auteursText(noms: readonly string[], first: string): string {
  if (noms.length === 1) return first;
  return noms.length === 2 ? noms.map(familyName).join(', ') : `${familyName(first)} et al.`;
}
