/** Red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** The edges of a picture: by pixel, the contrast and the direction across. */
export interface Edges {
  readonly width: number;
  readonly height: number;
  /** The indices of the pixels of thin edges. */
  readonly pixels: readonly number[];
  /** In levels a pixel, of 255. */
  readonly contrast: Float32Array;
  /** The clarity of an edge, from 0 to 1. */
  readonly strength: Float32Array;
  /** The normal of the edge, from 0 to π. */
  readonly angle: Float32Array;
}

/** Levels a pixel, of 255. */
const LEAST_CONTRAST = 0.7;
const MOST_LEAST_CONTRAST = 5;
/** Above the contrast that most of a picture has, its grain, an edge counts. */
const ABOVE_GRAIN = 2.5;
const GRAIN_SHARE = 0.4;
/** The share of the edges that is as clear as any. */
const CLEAREST_SHARE = 0.05;

/** Rows between two pauses. */
const ROWS = 24;

/** Thin edges of a picture by its colours: Canny's first steps, with a threshold by the grain of the picture. */
export function* findEdges(pixels: Pixels): Generator<undefined, Edges> {
  const { width, height } = pixels;
  const count = width * height;
  const slopeX = new Float32Array(count);
  const slopeY = new Float32Array(count);
  const contrast = new Float32Array(count);
  for (const channel of [0, 1, 2]) {
    const smooth = yield* smoothed(pixels, channel);
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        const at = y * width + x;
        const value = (dx: number, dy: number) => smooth[at + dy * width + dx] ?? 0;
        const gx =
          (value(1, -1) +
            2 * value(1, 0) +
            value(1, 1) -
            value(-1, -1) -
            2 * value(-1, 0) -
            value(-1, 1)) /
          8;
        const gy =
          (value(-1, 1) +
            2 * value(0, 1) +
            value(1, 1) -
            value(-1, -1) -
            2 * value(0, -1) -
            value(1, -1)) /
          8;
        const size = Math.hypot(gx, gy);
        if (size <= (contrast[at] ?? 0)) continue;
        contrast[at] = size;
        slopeX[at] = gx;
        slopeY[at] = gy;
      }
      if (y % ROWS === 0) yield;
    }
  }
  const least = leastContrast(contrast);
  const strength = new Float32Array(count);
  const angle = new Float32Array(count);
  const thin: number[] = [];
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const at = y * width + x;
      const size = contrast[at] ?? 0;
      if (size < least) continue;
      const across = acrossOf(slopeX[at] ?? 0, slopeY[at] ?? 0, width);
      if (size < (contrast[at - across] ?? 0) || size <= (contrast[at + across] ?? 0)) continue;
      const direction = Math.atan2(slopeY[at] ?? 0, slopeX[at] ?? 0);
      angle[at] = direction < 0 ? direction + Math.PI : direction;
      thin.push(at);
    }
    if (y % ROWS === 0) yield;
  }
  const found = Float32Array.from(thin, (at) => contrast[at] ?? 0).sort();
  const clearest = found[Math.floor(found.length * (1 - CLEAREST_SHARE))] ?? 1;
  // A faint outline still speaks, where it is long, among clear letters.
  for (const at of thin) strength[at] = Math.sqrt(Math.min(1, (contrast[at] ?? 0) / clearest));
  return { width, height, pixels: thin, contrast, strength, angle };
}

/** The step to the neighbour in the direction of a slope, of eight. */
function acrossOf(gx: number, gy: number, width: number): number {
  const [x, y] = [Math.abs(gx), Math.abs(gy)];
  if (y < 0.414 * x) return 1;
  if (x < 0.414 * y) return width;
  return gx * gy > 0 ? width + 1 : width - 1;
}

function leastContrast(contrast: Float32Array): number {
  const sample = contrast.filter((_, index) => index % 7 === 0).sort();
  const grain = sample[Math.floor(sample.length * GRAIN_SHARE)] ?? 0;
  return Math.min(MOST_LEAST_CONTRAST, Math.max(LEAST_CONTRAST, ABOVE_GRAIN * grain));
}

/** One colour channel, blurred against the noise of single pixels. */
function* smoothed(
  { data, width, height }: Pixels,
  channel: number,
): Generator<undefined, Float32Array> {
  const across = new Float32Array(width * height);
  const both = new Float32Array(width * height);
  const clamp = (value: number, end: number) => Math.min(end, Math.max(0, value));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = (dx: number) => data[4 * (y * width + clamp(x + dx, width - 1)) + channel] ?? 0;
      across[y * width + x] =
        (value(-2) + value(2) + 4 * (value(-1) + value(1)) + 6 * value(0)) / 16;
    }
    if (y % ROWS === 0) yield;
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = (dy: number) => across[clamp(y + dy, height - 1) * width + x] ?? 0;
      both[y * width + x] = (value(-2) + value(2) + 4 * (value(-1) + value(1)) + 6 * value(0)) / 16;
    }
    if (y % ROWS === 0) yield;
  }
  return both;
}
