/** In pixels of a picture, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The corners of a cover in a picture: upper left, upper right, lower right, lower left. */
export type Corners = readonly [Point, Point, Point, Point];

export const fullFrame = ({ width, height }: Size): Corners => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

export const scaleCorners = (corners: Corners, by: number): Corners =>
  mapCorners(corners, ({ x, y }) => ({ x: x * by, y: y * by }));

const mapCorners = ([a, b, c, d]: Corners, map: (point: Point) => Point): Corners => [
  map(a),
  map(b),
  map(c),
  map(d),
];

/** The corners after a quarter turn of the picture, 1 to the right and -1 to the left; the size is the former one. */
export function turnCorners(corners: Corners, { width, height }: Size, quarter: 1 | -1): Corners {
  const [a, b, c, d] = mapCorners(corners, ({ x, y }) =>
    quarter === 1 ? { x: height - y, y: x } : { x: y, y: width - x },
  );
  return quarter === 1 ? [d, a, b, c] : [b, c, d, a];
}

/** Twice the area of the triangle, positive if clockwise on the screen. */
export const turnAt = (a: Point, b: Point, c: Point): number =>
  (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** Whether four corners go clockwise around a shape without a dent, none of them nearly on the line of its neighbours. */
export function isConvex([a, b, c, d]: Corners): boolean {
  const least = 1e-3 * areaOf([a, b, c, d]);
  return (
    turnAt(a, b, c) > least &&
    turnAt(b, c, d) > least &&
    turnAt(c, d, a) > least &&
    turnAt(d, a, b) > least
  );
}

export const areaOf = ([a, b, c, d]: Corners): number =>
  Math.abs((c.x - a.x) * (d.y - b.y) - (c.y - a.y) * (d.x - b.x)) / 2;

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The focal length of a phone's camera, in longer sides of its picture: 26 mm on a film of 36. */
const FOCAL_LENGTH = 0.74;

/**
 * The aspect ratio (width by height) of the cover itself, which a slanted photograph shortens. Reconstructs a
 * rectangle before a phone's camera (Zhang and He, Whiteboard scanning and image enhancement).
 */
export function shapeOf(corners: Corners, size: Size): number {
  const focal = FOCAL_LENGTH * Math.max(size.width, size.height);
  const [a, b, c, d] = mapCorners(corners, ({ x, y }) => ({
    x: (x - size.width / 2) / focal,
    y: (y - size.height / 2) / focal,
  }));
  const right = turnAt(a, c, d) / turnAt(b, c, d);
  const down = turnAt(a, c, b) / turnAt(d, c, b);
  const length = (end: Point, depth: number): number =>
    Math.hypot(depth * end.x - a.x, depth * end.y - a.y, depth - 1);
  const shape = length(b, right) / length(d, down);
  const seen = (distance(a, b) + distance(d, c)) / (distance(a, d) + distance(b, c));
  // Manually moved corners may not be a rectangle's.
  return Number.isFinite(shape) && shape > seen / 2 && shape < seen * 2 ? shape : seen;
}
