import { random } from '../support/random.ts';
import type { Corners, Point, Size } from '../../src/lib/couvertures/straighten/corners.ts';
import type { Pixels } from '../../src/lib/couvertures/straighten/edges.ts';

type Colour = readonly [number, number, number];

/** A drawn scene: a cover on a table. */
export interface Scene {
  readonly table: Colour;
  readonly cover: Colour;
  readonly ink: Colour;
  /** The amplitude, in levels of 255. */
  readonly noise: number;
  /** The amplitude of the wood's grain, in levels. */
  readonly grain?: number;
  /** Draws a printed frame inside the cover. */
  readonly isFramed?: boolean;
  readonly hasShadow?: boolean;
  /** Puts a sheet of paper under the cover, reaching beyond the picture. */
  readonly hasPaper?: boolean;
}

/** The position of the cover, with angles in degrees; the scale is its height relative to the picture's. */
export interface Pose {
  readonly turn: number;
  readonly tiltX: number;
  readonly tiltY: number;
  readonly scale: number;
}

const RADIAN = Math.PI / 180;
/** The focal length of a phone's camera, relative to the longer side. */
const FOCAL_LENGTH = 0.74;

/** Projects the corners of a cover with this ratio of width to height, as a phone's camera does. */
export function seenCorners(shape: number, { width, height }: Size, pose: Pose): Corners {
  const focal = FOCAL_LENGTH * Math.max(width, height);
  const away = focal / (pose.scale * height);
  const turned = (x: number, y: number, degrees: number): readonly [number, number] => {
    const [cos, sin] = [Math.cos(degrees * RADIAN), Math.sin(degrees * RADIAN)];
    return [x * cos - y * sin, x * sin + y * cos];
  };
  const seen = (right: number, down: number): Point => {
    const [x, flat] = turned(right, down, pose.turn);
    const [y, depth] = turned(flat, 0, pose.tiltX);
    const [across, behind] = turned(x, depth, pose.tiltY);
    const z = away + behind;
    return { x: width / 2 + (focal * across) / z, y: height / 2 + (focal * y) / z };
  };
  return [
    seen(-shape / 2, -0.5),
    seen(shape / 2, -0.5),
    seen(shape / 2, 0.5),
    seen(-shape / 2, 0.5),
  ];
}

/** Returns a function that gives the coordinates of a point inside a quadrilateral, from 0 to 1. */
function placeIn([a, b, c, d]: Corners): (x: number, y: number) => readonly [number, number] {
  const [sumX, sumY] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y];
  const [rightX, rightY, downX, downY] = [b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y];
  const det = rightX * downY - downX * rightY;
  const g = (sumX * downY - downX * sumY) / det;
  const h = (rightX * sumY - sumX * rightY) / det;
  const [xu, xv] = [b.x - a.x + g * b.x, d.x - a.x + h * d.x];
  const [yu, yv] = [b.y - a.y + g * b.y, d.y - a.y + h * d.y];
  return (x, y) => {
    const [m00, m01, m02] = [yv - h * a.y, h * a.x - xv, xv * a.y - yv * a.x];
    const [m10, m11, m12] = [g * a.y - yu, xu - g * a.x, yu * a.x - xu * a.y];
    const [m20, m21, m22] = [yu * h - yv * g, xv * g - xu * h, xu * yv - xv * yu];
    const depth = m20 * x + m21 * y + m22;
    return [(m00 * x + m01 * y + m02) / depth, (m10 * x + m11 * y + m12) / depth];
  };
}

/** Lines of text and a picture, in coordinates of the cover. */
function* printed(seed: number) {
  const { fraction } = random(seed);
  for (let line = 0; line < 24; line++)
    yield {
      left: 0.12 + 0.6 * fraction(),
      top: 0.1 + 0.8 * fraction(),
      width: 0.03 + 0.12 * fraction(),
      height: 0.01 + 0.015 * fraction(),
    };
}

/** The paper's corners. */
const PAPER = [
  { x: 0.72, y: -0.1 },
  { x: 1.2, y: -0.05 },
  { x: 1.2, y: 0.3 },
  { x: 0.75, y: 0.28 },
] as const;

/**
 * A photograph of a scene, with light from the right.
 *
 * @param corners of the cover; `null` for an empty table
 */
export function drawPhoto(
  { width, height }: Size,
  corners: Corners | null,
  scene: Scene,
  seed = 1,
): Pixels {
  const { fraction } = random(seed);
  const data = new Uint8ClampedArray(4 * width * height);
  const place = corners === null ? null : placeIn(corners);
  const [p, q, r, s] = PAPER.map(({ x, y }) => ({ x: x * width, y: y * height }));
  const onPaper =
    scene.hasPaper && p && q && r && s ? placeIn([p, q, r, s]) : () => [-1, -1] as const;
  const marks = [...printed(seed)];
  const isInked = (u: number, v: number): boolean => {
    const edge = Math.min(u / 1.5, (1 - u) / 1.5, v, 1 - v);
    if (scene.isFramed && edge > 0.05 && edge < 0.06) return true;
    return marks.some(
      (mark) =>
        u > mark.left && u < mark.left + mark.width && v > mark.top && v < mark.top + mark.height,
    );
  };
  const isInside = (u: number, v: number) => u > 0 && u < 1 && v > 0 && v < 1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [paperU, paperV] = onPaper(x + 0.5, y + 0.5);
      const [u, v] = place?.(x + 0.5, y + 0.5) ?? [-9, -9];
      let colour: Colour = scene.table;
      let light = 0.9 + (0.2 * x) / width;
      let grain = 0;
      if (isInside(u, v)) colour = isInked(u, v) ? scene.ink : scene.cover;
      else if (isInside(paperU, paperV)) colour = [200, 195, 180];
      else {
        grain =
          (scene.grain ?? 0) *
          Math.sin((60 / height) * (3 * y + 12 * Math.sin((5 * x) / width)) + x / 300);
        const away = Math.max(0.02 - u, u - 1.02, 0.02 - v, v - 1.02) + 0.02;
        if (scene.hasShadow) light *= 1 - 0.35 * Math.min(1, Math.max(0, 1 - away / 0.05));
      }
      const noise = scene.noise * (fraction() + fraction() + fraction() - 1.5);
      for (const [channel, level] of colour.entries())
        data[4 * (y * width + x) + channel] = (level + grain) * light + noise;
      data[4 * (y * width + x) + 3] = 255;
    }
  return { data, width, height };
}

/** The distance of the worst corner from its true position, relative to the longer side. */
export function worstCorner(found: Corners, truth: Corners, { width, height }: Size): number {
  const away = found.map(({ x, y }) =>
    Math.min(...truth.map((corner) => Math.hypot(corner.x - x, corner.y - y))),
  );
  return Math.max(...away) / Math.max(width, height);
}
