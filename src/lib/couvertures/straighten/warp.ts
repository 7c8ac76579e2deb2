import type { Corners, Size } from './corners.ts';
import type { Pixels } from './edges.ts';

/** Rows of the result between two pauses. */
const BAND = 16;

type Projection = readonly [number, number, number, number, number, number, number, number];

/** From the unit square to a quadrilateral (Heckbert, Fundamentals of texture mapping). */
function projectionOf([a, b, c, d]: Corners): Projection {
  const [sumX, sumY] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y];
  const [rightX, rightY, downX, downY] = [b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y];
  const det = rightX * downY - downX * rightY;
  const g = (sumX * downY - downX * sumY) / det;
  const h = (rightX * sumY - sumX * rightY) / det;
  return [
    b.x - a.x + g * b.x,
    d.x - a.x + h * d.x,
    a.x,
    b.y - a.y + g * b.y,
    d.y - a.y + h * d.y,
    a.y,
    g,
    h,
  ];
}

/**
 * Projects the area inside four corners to a rectangle of a size: each pixel is interpolated from four neighbours.
 * Yields at pauses.
 *
 * @param read the pixels of a part of the picture, in integer coordinates
 */
export function* warp(
  corners: Corners,
  { width, height }: Size,
  source: Size,
  read: (x: number, y: number, width: number, height: number) => Pixels,
): Generator<undefined, Uint8ClampedArray<ArrayBuffer>> {
  const projection = projectionOf(corners);
  const target = new Uint8ClampedArray(4 * width * height);
  for (let from = 0; from < height; from += BAND) {
    const to = Math.min(height, from + BAND);
    const part = partOf(projection, from / height, to / height, source);
    const pixels = read(part.x, part.y, part.width, part.height);
    for (let y = from; y < to; y++) fillRow(target, y, { width, height }, projection, pixels, part);
    yield;
  }
  return target;
}

interface Part extends Size {
  readonly x: number;
  readonly y: number;
}

/** The part of the picture that a band of the result is drawn from. */
function partOf(projection: Projection, from: number, to: number, source: Size): Part {
  const ends = [
    pointAt(projection, 0, from),
    pointAt(projection, 1, from),
    pointAt(projection, 0, to),
    pointAt(projection, 1, to),
  ];
  const within = (value: number, end: number) => Math.min(end, Math.max(0, value));
  const left = within(Math.floor(Math.min(...ends.map(([x]) => x))) - 1, source.width - 1);
  const top = within(Math.floor(Math.min(...ends.map(([, y]) => y))) - 1, source.height - 1);
  const right = within(Math.ceil(Math.max(...ends.map(([x]) => x))) + 2, source.width);
  const bottom = within(Math.ceil(Math.max(...ends.map(([, y]) => y))) + 2, source.height);
  return {
    x: left,
    y: top,
    width: Math.max(1, right - left),
    height: Math.max(1, bottom - top),
  };
}

function pointAt([a, b, c, d, e, f, g, h]: Projection, u: number, v: number): [number, number] {
  const w = g * u + h * v + 1;
  return [(a * u + b * v + c) / w, (d * u + e * v + f) / w];
}

function fillRow(
  target: Uint8ClampedArray,
  row: number,
  size: Size,
  [a, b, c, d, e, f, g, h]: Projection,
  { data, width, height }: Pixels,
  part: Part,
): void {
  const v = (row + 0.5) / size.height;
  let at = 4 * row * size.width;
  for (let column = 0; column < size.width; column++) {
    const u = (column + 0.5) / size.width;
    const w = g * u + h * v + 1;
    // Sampled at the middle of a pixel.
    const x = Math.min(width - 1, Math.max(0, (a * u + b * v + c) / w - part.x - 0.5));
    const y = Math.min(height - 1, Math.max(0, (d * u + e * v + f) / w - part.y - 0.5));
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [shareX, shareY] = [x - left, y - top];
    const upper = 4 * (top * width + left);
    const right = left + 1 < width ? 4 : 0;
    const lower = top + 1 < height ? upper + 4 * width : upper;
    for (let channel = 0; channel < 3; channel++) {
      const above =
        (data[upper + channel] ?? 0) * (1 - shareX) + (data[upper + right + channel] ?? 0) * shareX;
      const below =
        (data[lower + channel] ?? 0) * (1 - shareX) + (data[lower + right + channel] ?? 0) * shareX;
      target[at + channel] = above * (1 - shareY) + below * shareY;
    }
    target[at + 3] = 255;
    at += 4;
  }
}
