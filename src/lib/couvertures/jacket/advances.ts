import { inForm } from '#shared/text';

/**
 * The widths of Literata's letters at 600 and 24 points, in hundredths of the size, from the blank to « ~ »; other
 * sizes and 400 differ by 3 % at most. A table instead of the browser's layout, which a scroll would wait for.
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

/** A letter of an alphabet that the font has not, and one that is as wide as high. */
const UNKNOWN = 66;
const SQUARE = 100;
const FIRST_SQUARE = 0x2e80;

const widths = new Map<string, number>();

function widthOfChar(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  const width = ASCII[code - 32] ?? OTHERS[char];
  if (width !== undefined) return width;
  // An accent takes no room of its own.
  const [base = ''] = inForm('NFD', char);
  if (base !== char) return widthOfChar(base);
  return code < FIRST_SQUARE ? UNKNOWN : SQUARE;
}

/** How wide a text in one line is, in hundredths of its size. */
export function widthOf(text: string): number {
  let sum = 0;
  for (const char of text) {
    let width = widths.get(char);
    if (width === undefined) widths.set(char, (width = widthOfChar(char)));
    sum += width;
  }
  return sum;
}
