import { areaOf, distance, isConvex, type Corners, type Point, type Size } from './corners.ts';
import { findEdges, type Edges, type Pixels } from './edges.ts';
import { findLines, type Line } from './lines.ts';

/** The minimal share of the picture that a cover takes. */
const LEAST_AREA = 0.08;
/** The maximal angle between opposite sides, and the minimal one between neighbours, in radians. */
const OPPOSITE = 0.6;
const NEIGHBOUR = 0.9;
/** How far a corner may be outside the picture, as a share of its sides. */
const OUTSIDE = 0.02;
/** The aspect ratio of a cover, also in landscape. */
const SLIMMEST = 0.35;
/** The maximal ratio of opposite sides. */
const MOST_UNEQUAL = 2;

/** How much of the worst side, and of the whole outline, has to be an edge of the picture. */
const LEAST_SIDE = 0.5;
const LEAST_OUTLINE = 0.7;

/** A frame within a picture of the shape of a cover, all as upright as the picture itself, is printed on the cover. */
const UPRIGHT = 0.012;
const FRAME_AREA = 0.6;
const COVER_SHAPES = [0.58, 0.82] as const;

/** This share of any line is an edge by chance in a grainy picture. */
const CHANCE = 0.4;

/** If an inner side is so much clearer, the outline is the shadow's; a frame has four such sides. */
const CLEARER = 1.4;
const SHADOW_SIDES = 2;
/** How far inside, as a share of the neighbours' length, and the maximal angle, in radians. */
const SHADOW = [0.008, 0.09] as const;
const SHADOW_ASKEW = 0.08;
/** The remaining light in the darkest shadow, and the maximal difference between colours. */
const DARKEST = 0.35;
const OFF_COLOUR = 0.2;

/** How far beside an outline its edges may be, in pixels. */
const BESIDE = 2;
/** The maximal angle between an edge and its side, in radians. */
const ASKEW = 0.35;

/** In sequence around the cover. */
type Sides = readonly [Line, Line, Line, Line];

interface Quad {
  readonly sides: Sides;
  readonly corners: Corners;
  readonly score: number;
}

/** The corners of the cover in a small photograph, in its pixels; `null` if none is clear enough. Yields at pauses. */
export function* findCorners(pixels: Pixels): Generator<undefined, Corners | null> {
  const { width, height } = pixels;
  if (Math.min(width, height) < 24) return null;
  const edges = yield* findEdges(pixels);
  const lines = yield* findLines(edges);
  const outline = new Outline(edges);
  const pairs = lines.flatMap((a, i) =>
    lines
      .slice(i + 1)
      .filter((b) => between(a, b) < OPPOSITE)
      .map((b) => [a, b] as const),
  );
  let best: Quad | null = null;
  for (const [index, pair] of pairs.entries()) {
    for (const other of pairs.slice(index + 1)) {
      const quad = quadOf(pair, other, outline, best?.score ?? 0);
      if (quad !== null) best = quad;
    }
    if (index % 4 === 0) yield;
  }
  if (best === null || isPrintedFrame(best.corners, pixels)) return null;
  return withoutShadow(best, lines, outline, pixels);
}

/** The corners of the cover alone, where its shadow has been taken for a part of it. */
function withoutShadow(
  { sides, corners }: Quad,
  lines: readonly Line[],
  outline: Outline,
  pixels: Pixels,
): Corners {
  const middle = {
    x: corners.reduce((sum, { x }) => sum + x, 0) / 4 - outline.width / 2,
    y: corners.reduce((sum, { y }) => sum + y, 0) / 4 - outline.height / 2,
  };
  const beyond = (line: Line) => middle.x * line.cos + middle.y * line.sin - line.rho;
  let shadows = 0;
  const [a, b, c, d] = sides;
  const inner = ([before, side, after, opposite]: Sides): Line => {
    const length = Math.abs(beyond(side)) + Math.abs(beyond(opposite));
    const own = outline.contrast(...endsOf(before, side, after, outline));
    const clearer = lines
      .filter((line) => between(line, side) < SHADOW_ASKEW)
      .map((line) => ({ line, inside: (1 - beyond(line) / beyond(side)) * Math.abs(beyond(side)) }))
      .filter(({ inside }) => inside > SHADOW[0] * length && inside < SHADOW[1] * length)
      .filter(({ line }) => {
        const ends = endsOf(before, line, after, outline);
        return (
          outline.share(...ends) > LEAST_OUTLINE &&
          outline.contrast(...ends) > CLEARER * own &&
          isShadow(pixels, endsOf(before, side, after, outline), ends)
        );
      })
      .sort((one, other) => one.inside - other.inside)[0];
    if (clearer !== undefined) shadows += 1;
    return clearer?.line ?? side;
  };
  const without = [
    inner([d, a, b, c]),
    inner([a, b, c, d]),
    inner([b, c, d, a]),
    inner([c, d, a, b]),
  ] as const;
  return shadows > 0 && shadows <= SHADOW_SIDES ? cornersOf(without, outline) : corners;
}

/** Whether the area between two lines is the shadow of the one outside: darker, in the same colour. */
function isShadow(pixels: Pixels, [a, b]: Ends, [c, d]: Ends): boolean {
  const beside = (share: number): Ends => [towards(a, c, share), towards(b, d, share)];
  const inside = colourAlong(pixels, beside(0.5));
  const outside = colourAlong(pixels, beside(-0.6));
  const shares = inside.map((level, i) => level / Math.max(1, outside[i] ?? 0));
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return least > DARKEST && most < 0.97 && most - least < OFF_COLOUR;
}

const towards = (a: Point, b: Point, share: number): Point => ({
  x: a.x + share * (b.x - a.x),
  y: a.y + share * (b.y - a.y),
});

function colourAlong({ data, width, height }: Pixels, [from, to]: Ends): number[] {
  const sum = [0, 0, 0];
  let count = 0;
  for (let step = 1; step < 40; step++) {
    const { x, y } = towards(from, to, step / 40);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    count += 1;
    for (let channel = 0; channel < 3; channel++)
      sum[channel] =
        (sum[channel] ?? 0) + (data[4 * (Math.floor(y) * width + Math.floor(x)) + channel] ?? 0);
  }
  return sum.map((total) => total / Math.max(1, count));
}

type Ends = readonly [Point, Point];

const endsOf = (before: Line, side: Line, after: Line, { width, height }: Size) =>
  [meeting(before, side, width, height), meeting(side, after, width, height)] as const;

const cornersOf = ([a, b, c, d]: Sides, { width, height }: Size): Corners =>
  clockwise([
    meeting(a, b, width, height),
    meeting(b, c, width, height),
    meeting(c, d, width, height),
    meeting(d, a, width, height),
  ]);

const between = (a: Line, b: Line): number => {
  const turn = Math.abs(a.angle - b.angle);
  return Math.min(turn, Math.PI - turn);
};

/** The quadrilateral of two pairs of sides, if it is a better cover than the best one so far. */
function quadOf(
  [a, b]: readonly [Line, Line],
  [c, d]: readonly [Line, Line],
  outline: Outline,
  bestScore: number,
): Quad | null {
  if (between(a, c) < NEIGHBOUR || between(a, d) < NEIGHBOUR) return null;
  if (between(b, c) < NEIGHBOUR || between(b, d) < NEIGHBOUR) return null;
  const { width, height } = outline;
  const around = [a, c, b, d] as const;
  const corners = cornersOf(around, outline);
  for (const { x, y } of corners) {
    if (x < -OUTSIDE * width || x > (1 + OUTSIDE) * width) return null;
    if (y < -OUTSIDE * height || y > (1 + OUTSIDE) * height) return null;
  }
  const area = areaOf(corners) / (width * height);
  if (area < LEAST_AREA || !isConvex(corners) || !hasCoverShape(corners)) return null;
  // If two frames are nested, the outer one is the cover.
  const size = 0.85 * Math.sqrt(area);
  if (1 + size <= bestScore) return null;
  const shares = corners.map((corner, i) => outline.share(corner, corners[(i + 1) % 4] ?? corner));
  const worst = Math.min(...shares);
  const whole = shares.reduce((sum, share) => sum + share, 0) / 4;
  if (worst < LEAST_SIDE || whole < LEAST_OUTLINE) return null;
  const beyond = corners.map((corner, i) =>
    outline.shareBeyond(corner, corners[(i + 1) % 4] ?? corner),
  );
  const passing = beyond.reduce((sum, side) => sum + side, 0) / 4;
  const score = 0.6 * whole + 0.4 * worst + size - 0.3 * Math.max(0, passing - CHANCE);
  return score > bestScore ? { sides: around, corners, score } : null;
}

function meeting(a: Line, b: Line, width: number, height: number): Point {
  const det = a.cos * b.sin - a.sin * b.cos;
  return {
    x: (a.rho * b.sin - b.rho * a.sin) / det + width / 2 + 0.5,
    y: (b.rho * a.cos - a.rho * b.cos) / det + height / 2 + 0.5,
  };
}

/** Starting with the corner nearest to the upper left. */
function clockwise(points: readonly [Point, Point, Point, Point]): Corners {
  const x = points.reduce((sum, point) => sum + point.x, 0) / 4;
  const y = points.reduce((sum, point) => sum + point.y, 0) / 4;
  const angleOf = (point: Point) => Math.atan2(point.y - y, point.x - x);
  const [a, b, c, d] = points.toSorted((one, other) => angleOf(one) - angleOf(other));
  if (a === undefined || b === undefined || c === undefined || d === undefined) return points;
  const around = [
    [a, b, c, d],
    [b, c, d, a],
    [c, d, a, b],
    [d, a, b, c],
  ] as const;
  return around.reduce((first, each) =>
    each[0].x + each[0].y < first[0].x + first[0].y ? each : first,
  );
}

function hasCoverShape([a, b, c, d]: Corners): boolean {
  const [top, right, bottom, left] = [
    distance(a, b),
    distance(b, c),
    distance(c, d),
    distance(d, a),
  ];
  const shape = (top + bottom) / (left + right);
  return (
    Math.min(shape, 1 / shape) > SLIMMEST &&
    Math.max(top / bottom, bottom / top, left / right, right / left) < MOST_UNEQUAL
  );
}

function isPrintedFrame(corners: Corners, { width, height }: Pixels): boolean {
  const [slim, wide] = COVER_SHAPES;
  if (width / height < slim || width / height > wide) return false;
  if (areaOf(corners) < FRAME_AREA * width * height) return false;
  return corners.every((corner, i) => {
    const next = corners[(i + 1) % 4] ?? corner;
    const turn = Math.abs(Math.atan2(next.y - corner.y, next.x - corner.x)) % (Math.PI / 2);
    return Math.min(turn, Math.PI / 2 - turn) < UPRIGHT;
  });
}

/** Says how much of a straight line is an edge of the picture. */
class Outline {
  readonly width: number;
  readonly height: number;
  /** The direction of the edge at or beside a pixel, plus one; 0 without an edge. */
  readonly #direction: Float32Array;
  readonly #contrast: Float32Array;

  constructor({ width, height, pixels, contrast, angle }: Edges) {
    this.#contrast = contrast;
    this.width = width;
    this.height = height;
    this.#direction = new Float32Array(width * height);
    for (const at of pixels) this.#direction[at] = (angle[at] ?? 0) + 1;
  }

  /** The share of edge pixels on a side between two corners, from 0 to 1. */
  share(from: Point, to: Point): number {
    const steps = Math.max(8, Math.ceil(distance(from, to) / 2));
    return this.#shareOf(from, to, 0.02, 0.98, steps);
  }

  /** The share beyond both ends of a side: an edge that continues past a corner belongs to something else. */
  shareBeyond(from: Point, to: Point): number {
    return (this.#shareOf(from, to, -0.16, -0.03, 8) + this.#shareOf(from, to, 1.03, 1.16, 8)) / 2;
  }

  /** Along a side, in levels a pixel. */
  contrast(from: Point, to: Point): number {
    const steps = Math.max(8, Math.ceil(distance(from, to) / 2));
    let sum = 0;
    for (let step = 0; step < steps; step++) {
      const at = (step + 0.5) / steps;
      const column = Math.floor(from.x + at * (to.x - from.x));
      const row = Math.floor(from.y + at * (to.y - from.y));
      if (column >= 0 && column < this.width) sum += this.#contrast[row * this.width + column] ?? 0;
    }
    return sum / steps;
  }

  #shareOf(from: Point, to: Point, begin: number, end: number, steps: number): number {
    const length = distance(from, to);
    const [alongX, alongY] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const across = Math.atan2(alongX, -alongY);
    const normal = across < 0 ? across + Math.PI : across;
    let found = 0;
    for (let step = 0; step < steps; step++) {
      const at = (begin + ((end - begin) * (step + 0.5)) / steps) * length;
      if (this.#isEdge(from.x + at * alongX, from.y + at * alongY, -alongY, alongX, normal))
        found += 1;
    }
    return found / steps;
  }

  #isEdge(x: number, y: number, acrossX: number, acrossY: number, normal: number): boolean {
    for (let beside = -BESIDE; beside <= BESIDE; beside++) {
      const column = Math.floor(x + beside * acrossX);
      const row = Math.floor(y + beside * acrossY);
      if (column < 0 || row < 0 || column >= this.width || row >= this.height) continue;
      const direction = this.#direction[row * this.width + column] ?? 0;
      if (direction === 0) continue;
      const turn = Math.abs(direction - 1 - normal);
      if (Math.min(turn, Math.PI - turn) < ASKEW) return true;
    }
    return false;
  }
}
