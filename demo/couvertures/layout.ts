import { drawLine, type Line } from './letters.ts';

/** A place for text on a cover, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The maximum height of the text, which is set from the top. */
  readonly height: number;
}

interface Setting {
  readonly colour: string;
  /** The largest height of a capital, in pixels. */
  readonly size: number;
  /** The pen's width relative to the height of a capital. */
  readonly weight?: number;
  readonly align?: 'left' | 'centre';
  readonly spacing?: number;
}

const MIN_SIZE = 9;
/** The line spacing, in heights of a capital. */
const LEADING = 1.75;

/** Sets a text into a box, as large as it fits, with line breaks at blanks. */
export function setText(text: string, box: Box, setting: Setting): string {
  const { colour, size: largest, weight = 0.13, align = 'left', spacing = 2.6 } = setting;
  let size = largest;
  let lines = breakLines(text, box.width, size, spacing);
  while (size > MIN_SIZE && !fits(lines, box, size)) {
    size *= 0.94;
    lines = breakLines(text, box.width, size, spacing);
  }
  const scale = size / 10;
  const rows = lines.map(({ width, strokes }, index) => {
    const left = align === 'left' ? box.x : box.x + (box.width - width * scale) / 2;
    const top = box.y + index * size * LEADING;
    return `<g transform="translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${scale.toFixed(3)})">${strokes}</g>`;
  });
  return `<g fill="none" stroke="${colour}" stroke-width="${weight * 10}" stroke-linecap="round"
    stroke-linejoin="round">${rows.join('')}</g>`;
}

const fits = (lines: readonly Line[], { width, height }: Box, size: number): boolean =>
  lines.length * size * LEADING - size * (LEADING - 1) <= height &&
  lines.every((line) => (line.width * size) / 10 <= width);

function breakLines(text: string, width: number, size: number, spacing: number): Line[] {
  const lines: Line[] = [];
  let words: string[] = [];
  // Punctuation stays with the word before it.
  for (const word of text.replace(/\s+(?=[:;!?])/gu, '\u00a0').split(/ +/u)) {
    const longer = drawLine([...words, word].join(' '), spacing);
    if (words.length > 0 && (longer.width * size) / 10 > width) {
      lines.push(drawLine(words.join(' '), spacing));
      words = [];
    }
    words.push(word);
  }
  return [...lines, drawLine(words.join(' '), spacing)];
}
