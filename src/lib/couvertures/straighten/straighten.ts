import { MAX_HEIGHT, blank, contextOf, jpegOf, type Picture } from '../picture.ts';
import { distance, scaleCorners, shapeOf, type Corners } from './corners.ts';
import { findCorners } from './find-corners.ts';
import { inSlices } from './slices.ts';
import { warp } from './warp.ts';

/** The longer side of the picture in which corners are looked for, in pixels. */
const SEARCH_SIDE = 320;

/**
 * The corners of the cover in a picture; `null` where none is clear enough (docs/rules.md § 48). The screen answers
 * meanwhile. Throws once `here` is aborted.
 */
export async function cornersIn({ canvas }: Picture, here: AbortSignal): Promise<Corners | null> {
  const scale = Math.min(1, SEARCH_SIDE / Math.max(canvas.width, canvas.height));
  const small = shrunk(canvas, scale);
  const pixels = contextOf(small).getImageData(0, 0, small.width, small.height);
  const found = await inSlices(findCorners(pixels), here);
  return found && scaleCorners(found, canvas.width / small.width);
}

/** By halves: browsers skip pixels when they shrink a picture much at once. */
function shrunk(canvas: HTMLCanvasElement, scale: number): HTMLCanvasElement {
  let from = canvas;
  for (let left = scale; left < 1;) {
    const step = Math.max(0.5, left);
    const to = blank(from.width * step, from.height * step);
    contextOf(to).drawImage(from, 0, 0, to.width, to.height);
    from = to;
    left /= step;
  }
  return from;
}

/**
 * The area inside the corners as a JPEG with the cover's aspect ratio, at most of a cover's size; computed in slices.
 * Throws once `here` is aborted.
 */
export async function straighten(
  { canvas }: Picture,
  corners: Corners,
  here: AbortSignal,
): Promise<Blob> {
  const [a, b, c, d] = corners;
  const shape = shapeOf(corners, canvas);
  // The cover's longest side in pixels of the picture.
  const seen = Math.max(
    distance(a, d),
    distance(b, c),
    distance(a, b) / shape,
    distance(d, c) / shape,
  );
  const height = Math.min(MAX_HEIGHT, seen, MAX_HEIGHT / shape);
  const straight = blank(height * shape, height);
  const source = contextOf(blank(canvas.width, canvas.height, { willReadFrequently: true }));
  source.drawImage(canvas, 0, 0);
  const read = (x: number, y: number, width: number, rows: number) =>
    source.getImageData(x, y, width, rows);
  const data = await inSlices(warp(corners, straight, canvas, read), here);
  contextOf(straight).putImageData(new ImageData(data, straight.width, straight.height), 0, 0);
  return jpegOf(straight);
}
