import { widthOf } from './advances.ts';

/** A part of a text that is not broken; `joined` to the next one without a blank, after a hyphen. */
interface Word {
  readonly text: string;
  readonly width: number;
  readonly joined: boolean;
}

/** A text that is broken into lines; `widest` is its widest word, in hundredths of the size. */
export interface Breakable {
  readonly words: readonly Word[];
  readonly widest: number;
  readonly total: number;
}

const BLANK = widthOf(' ');

/** No line ends with an article, and preferably with none of the small words. */
const ARTICLES = new Set(['le', 'la', 'les', 'un', 'une', 'de', 'du', 'des']);
const SMALL = new Set(
  'à au aux avec ce ces chez dans en et mon ma mes ni on or ou où par pour qui que sa ses son sans se si sous sur the of and a an in to'.split(
    ' ',
  ),
);
/** Of a line that ends with a small word, in squared measures. */
const SMALL_COST = 0.35;
/** From its fourth line on a title has none of a single word below so many letters. */
const FULL_LINES = 3;
const SHORT_WORD = 6;

/** More words than any jacket holds are not weighed against each other. */
const MAX_WORDS = 40;

export function breakable(text: string): Breakable {
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

/** « Arrache-cœur » may be broken behind its hyphen. */
const wordsOf = (part: string): Word[] =>
  part
    .split(/(?<=\p{L}{3}-)(?=\p{L}{3})/u)
    .map((text, index, all) => ({ text, width: widthOf(text), joined: index < all.length - 1 }));

interface Line {
  readonly cost: number;
  readonly start: number;
}

/**
 * Breaks a text into the fewest lines that fit, and of those into the most even ones; `null` where it takes more.
 *
 * @param measure the width of a line, in hundredths of the size
 * @param strict no line ends with an article or after a hyphen, and no late one is a single short word
 */
export function breakLines(
  { words, widest, total }: Breakable,
  measure: number,
  maxLines: number,
  strict: boolean,
): string[] | null {
  if (widest > measure || total > measure * maxLines) return null;
  /** The best way to set the first words in so many lines, by their number. */
  let best: (Line | undefined)[] = [{ cost: 0, start: 0 }];
  const ways: (Line | undefined)[][] = [];
  for (let line = 0; line < maxLines; line++) {
    best = nextLine(words, measure, best, strict, line);
    ways.push(best);
    if (best[words.length] !== undefined) return textsOf(words, ways);
  }
  return null;
}

/** The best ways with one line more. */
function nextLine(
  words: readonly Word[],
  measure: number,
  before: readonly (Line | undefined)[],
  strict: boolean,
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
      const penalty = isLast ? 0 : endCost(word, strict);
      const isShort = strict && line >= FULL_LINES && end === start + 1 && isShortWord(word);
      if (penalty < Infinity && !isShort) {
        const cost = known.cost + ((measure - width) / measure) ** 2 + penalty;
        if (cost < (after[end]?.cost ?? Infinity)) after[end] = { cost, start };
      }
      if (!word.joined) width += BLANK;
    }
  }
  return after;
}

const isShortWord = ({ text }: Word) => text.length < SHORT_WORD;

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
