/**
 * An alphabet of capitals drawn with one pen, so that covers have titles on a machine without fonts. A letter has a
 * width and strokes, between the lines 0 and 10.
 */
const LETTERS: Readonly<Record<string, readonly [width: number, strokes: string]>> = {
  A: [8, 'M0 10L4 0L8 10M1.5 6.4H6.5'],
  B: [6.6, 'M0 4.7H3.7M0 0H3.6A2.35 2.35 0 0 1 3.6 4.7A2.65 2.65 0 0 1 3.7 10H0V0'],
  C: [8.4, 'M8.4 1.4A5 5 0 1 0 8.4 8.6'],
  D: [8.2, 'M0 0V10H3.2A5 5 0 0 0 3.2 0Z'],
  E: [5.6, 'M5.6 0H0V10H5.6M0 4.8H4.8'],
  F: [5.4, 'M5.4 0H0V10M0 4.8H4.6'],
  G: [9.8, 'M8.4 1.4A5 5 0 1 0 9.8 5.8H6'],
  H: [7.2, 'M0 0V10M7.2 0V10M0 4.9H7.2'],
  I: [0, 'M0 0V10'],
  J: [4, 'M4 0V7.2A2.6 2.6 0 0 1 0 9'],
  K: [6.6, 'M0 0V10M6.2 0L0 5.8M2.1 3.9L6.6 10'],
  L: [5.2, 'M0 0V10H5.2'],
  M: [9.2, 'M0 10V0L4.6 7L9.2 0V10'],
  N: [7.4, 'M0 10V0L7.4 10V0'],
  O: [10, 'M5 0A5 5 0 1 1 5 10A5 5 0 1 1 5 0Z'],
  P: [6.4, 'M0 10V0H3.6A2.8 2.8 0 0 1 3.6 5.6H0'],
  Q: [10, 'M5 0A5 5 0 1 1 5 10A5 5 0 1 1 5 0ZM6.3 7L9.4 10.6'],
  R: [6.8, 'M0 10V0H3.6A2.8 2.8 0 0 1 3.6 5.6H0M3.4 5.6L6.8 10'],
  S: [
    6,
    'M5.6 1.5A2.9 2.4 0 0 0 3 0C1.2 0 .3 1.1 .3 2.5C.3 5.5 6 4.3 6 7.4C6 9 4.8 10 3.1 10A3.4 3.2 0 0 1 0 8.3',
  ],
  T: [7, 'M0 0H7M3.5 0V10'],
  U: [7.2, 'M0 0V6.4A3.6 3.6 0 0 0 7.2 6.4V0'],
  V: [8, 'M0 0L4 10L8 0'],
  W: [12, 'M0 0L3 10L6 .6L9 10L12 0'],
  X: [7, 'M0 0L7 10M7 0L0 10'],
  Y: [7.4, 'M0 0L3.7 5.2L7.4 0M3.7 5.2V10'],
  Z: [7, 'M.2 0H6.8L0 10H7'],
  Æ: [11, 'M0 10L5.6 0H11M5.6 0V10H11M5.6 4.8H10.2M2 6.4H5.6'],
  Œ: [13, 'M7.4 0H5A5 5 0 0 0 5 10H7.4M13 0H7.4V10H13M7.4 4.8H12.2'],
  0: [7, 'M3.5 0A3.5 5 0 1 1 3.5 10A3.5 5 0 1 1 3.5 0Z'],
  1: [2.6, 'M0 2L2.6 0V10'],
  2: [6, 'M0 2.4A3 2.6 0 0 1 6 2.8C6 5 2 7 0 10H6'],
  3: [6, 'M.2 1.6A2.9 2.3 0 1 1 2.8 4.6A3.1 2.7 0 1 1 0 8.2'],
  4: [7, 'M5 10V0L0 7H7'],
  5: [6, 'M5.6 0H1L.5 4.4A3.1 3 0 1 1 0 8.4'],
  6: [6.4, 'M5 0C2 1.6 0 4 0 6.8A3.2 3.2 0 1 0 3.2 3.6A3.2 3.2 0 0 0 0 6.8'],
  7: [6, 'M0 0H6L2 10'],
  8: [
    6.4,
    'M3.2 4.6A2.6 2.3 0 1 1 3.2 0A2.6 2.3 0 1 1 3.2 4.6A3.2 2.7 0 1 1 3.2 10A3.2 2.7 0 1 1 3.2 4.6Z',
  ],
  9: [6.4, 'M1.4 10C4.4 8.4 6.4 6 6.4 3.2A3.2 3.2 0 1 0 3.2 6.4A3.2 3.2 0 0 0 6.4 3.2'],
  '’': [0.6, 'M.6 -.4L0 1.8'],
  '-': [3, 'M0 5.4H3'],
  '.': [0, 'M0 9.9V10'],
  ',': [0.6, 'M.6 9.6L0 11.6'],
  ':': [0, 'M0 4V4.1M0 9.9V10'],
  '!': [0, 'M0 0V6.6M0 9.9V10'],
  '?': [5, 'M0 2.2A2.5 2.3 0 1 1 3.6 4.4C2.7 5 2.5 5.6 2.5 6.8M2.5 9.9V10'],
  '&': [
    7.4,
    'M7.4 10L1.6 3.4A2.1 2 0 1 1 4.8 3C3.4 4.6 0 5.2 0 7.6A2.9 2.5 0 0 0 5 9C6.2 8 6.8 7 7 5.6',
  ],
};

/** Diacritics: strokes relative to the middle of their letter; the cedilla is below it. */
const MARKS: Readonly<Record<string, string>> = {
  '\u0300': 'M-1.2 -3.2L.8 -1.4',
  '\u0301': 'M1.2 -3.2L-.8 -1.4',
  '\u0302': 'M-1.6 -1.4L0 -3.1L1.6 -1.4',
  '\u0303': 'M-1.8 -1.6C-1 -3.4 .8 -.8 1.8 -2.4',
  '\u0308': 'M-1.5 -2V-1.9M1.5 -2V-1.9',
  '\u030a': 'M0 -3.4A.9 .9 0 1 1 0 -1.6A.9 .9 0 1 1 0 -3.4Z',
  '\u030c': 'M-1.6 -3.1L0 -1.4L1.6 -3.1',
  '\u0327': 'M0 10.4C1.6 11 .8 12.6 -.8 12.2',
};

const BLANK = 4;

/** A line of text as strokes. */
export interface Line {
  /** In units of which a capital's height has ten. */
  readonly width: number;
  readonly strokes: string;
}

/**
 * Draws a line in capitals, from its top left corner.
 *
 * @param spacing between two letters, in the letters' units
 */
export function drawLine(text: string, spacing = 2.6): Line {
  let x = 0;
  let middle = 0;
  const drawn: string[] = [];
  for (const character of text.toLocaleUpperCase('fr').normalize('NFD').replaceAll("'", '’')) {
    const mark = MARKS[character];
    const letter = LETTERS[character];
    if (mark !== undefined) drawn.push(move(mark, middle));
    else if (letter === undefined) x += BLANK;
    else {
      const [width, strokes] = letter;
      drawn.push(move(strokes, x));
      middle = x + width / 2;
      x += width + spacing;
    }
  }
  return { width: Math.max(0, x - spacing), strokes: drawn.join('') };
}

const move = (strokes: string, x: number): string =>
  `<path transform="translate(${x.toFixed(2)} 0)" d="${strokes}"/>`;
