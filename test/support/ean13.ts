/** The odd-parity codes of the left-hand digits; the other codes are derived from them. */
const L = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
const R = L.map((digit) => digit.replace(/./g, (module) => (module === '0' ? '1' : '0')));
const G = R.map((digit) => Array.from(digit).reverse().join(''));

/** The even-parity positions of the six left digits, which encode the first digit. */
const PARITIES = [
  'LLLLLL',
  'LLGLGG',
  'LLGGLG',
  'LLGGGL',
  'LGLLGG',
  'LGGLLG',
  'LGGGLL',
  'LGLGLG',
  'LGLGGL',
  'LGGLGL',
];

/** The 95 modules of an EAN-13, 1 for a bar (ISO/IEC 15420). */
export function modules(code: string): string {
  const [first = 0, ...digits] = Array.from(code, Number);
  const parities = PARITIES[first] ?? '';
  const left = digits.slice(0, 6).map((digit, i) => (parities[i] === 'L' ? L : G)[digit]);
  const right = digits.slice(6).map((digit) => R[digit]);
  return ['101', ...left, '01010', ...right, '101'].join('');
}

/** A grey picture with one byte per pixel; 0 is black. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The back cover of a book with a barcode; blank for `null`. */
export function backOfBook(code: string | null): Picture {
  const [width, height] = [640, 360];
  const pixels = new Uint8Array(width * height).fill(225);
  if (code === null) return { width, height, pixels };
  const bars = modules(code);
  const scale = 3;
  const left = (width - bars.length * scale) >> 1;
  for (let y = height * 0.35; y < height * 0.65; y++)
    for (let x = 0; x < bars.length * scale; x++)
      if (bars[Math.floor(x / scale)] === '1') pixels[Math.floor(y) * width + left + x] = 20;
  return { width, height, pixels };
}
