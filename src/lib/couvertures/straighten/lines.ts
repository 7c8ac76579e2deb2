import type { Edges } from './edges.ts';

/** All points with x · cos + y · sin = rho, from the middle of the picture. */
export interface Line {
  /** The angle of the normal, from 0 to π. */
  readonly angle: number;
  readonly cos: number;
  readonly sin: number;
  readonly rho: number;
}

const MOST_LINES = 24;
/** Steps of the angle, a degree each, and for how many to both sides an edge speaks. */
const ANGLES = 180;
const SPREAD = 4;
/** The maximal distance of a line's pixels, in pixels, and of their direction, in radians. */
const BESIDE = 1.8;
const ASKEW = 0.2;
/** The least length of a line, as a share of the shorter side. */
const LEAST_LENGTH = 0.12;

/**
 * The clearest straight lines of a picture, by a Hough transform in which each edge only votes for its own direction.
 */
export function* findLines(edges: Edges): Generator<undefined, Line[]> {
  const { width, height, pixels, strength, angle } = edges;
  const reach = Math.ceil(Math.hypot(width, height) / 2) + 2;
  const bins = 2 * reach;
  const votes = new Float32Array(ANGLES * bins);
  const cosines = Float32Array.from({ length: ANGLES }, (_, i) => Math.cos((i * Math.PI) / ANGLES));
  const sines = Float32Array.from({ length: ANGLES }, (_, i) => Math.sin((i * Math.PI) / ANGLES));
  const xOf = (at: number) => (at % width) - width / 2;
  const yOf = (at: number) => Math.floor(at / width) - height / 2;

  function vote(at: number, sign: 1 | -1): void {
    const [x, y, weight] = [xOf(at), yOf(at), sign * (strength[at] ?? 0)];
    const own = Math.round(((angle[at] ?? 0) * ANGLES) / Math.PI);
    for (let turn = own - SPREAD; turn <= own + SPREAD; turn++) {
      const of = (turn + ANGLES) % ANGLES;
      const rho = x * (cosines[of] ?? 0) + y * (sines[of] ?? 0) + reach;
      const bin = Math.floor(rho);
      const share = rho - bin;
      const index = of * bins + bin;
      votes[index] = (votes[index] ?? 0) + weight * (1 - share);
      votes[index + 1] = (votes[index + 1] ?? 0) + weight * share;
    }
  }

  for (const at of pixels) vote(at, 1);
  yield;
  const lines: Line[] = [];
  let left: readonly number[] = pixels;
  const least = LEAST_LENGTH * Math.min(width, height);
  for (let turn = 0; turn < 2 * MOST_LINES && lines.length < MOST_LINES; turn++) {
    let best = 0;
    for (let index = 1; index < votes.length; index++)
      if ((votes[index] ?? 0) > (votes[best] ?? 0)) best = index;
    if ((votes[best] ?? 0) < least / 8) break;
    const first = lineAt(
      ((best - (best % bins)) / bins) * (Math.PI / ANGLES),
      (best % bins) - reach,
    );
    const line = fitted(fitted(first));
    const onLine = left.filter((at) => isOn(line, at) || isOn(first, at));
    for (const at of onLine) vote(at, -1);
    const taken = new Set(onLine);
    left = left.filter((at) => !taken.has(at));
    if (onLine.length >= least) lines.push(line);
    // Rounding leaves votes that would be found again.
    if (onLine.length === 0) votes[best] = 0;
    yield;
  }
  return lines;

  function isOn(line: Line, at: number): boolean {
    const turn = Math.abs(line.angle - (angle[at] ?? 0));
    if (Math.min(turn, Math.PI - turn) > ASKEW) return false;
    return Math.abs(xOf(at) * line.cos + yOf(at) * line.sin - line.rho) < BESIDE;
  }

  /** The line through its pixels, by least squares. */
  function fitted(line: Line): Line {
    let [sum, x, y, xx, xy, yy] = [0, 0, 0, 0, 0, 0];
    for (const at of left) {
      if (!isOn(line, at)) continue;
      const [px, py, weight] = [xOf(at), yOf(at), strength[at] ?? 0];
      sum += weight;
      x += weight * px;
      y += weight * py;
      xx += weight * px * px;
      xy += weight * px * py;
      yy += weight * py * py;
    }
    if (sum === 0) return line;
    const along =
      Math.atan2(2 * (xy - (x * y) / sum), xx - (x * x) / sum - (yy - (y * y) / sum)) / 2;
    const normal = along + Math.PI / 2;
    return lineAt(normal, (x / sum) * Math.cos(normal) + (y / sum) * Math.sin(normal));
  }
}

function lineAt(normal: number, rho: number): Line {
  const turns = Math.floor(normal / Math.PI);
  const angle = normal - turns * Math.PI;
  const sign = turns % 2 === 0 ? 1 : -1;
  return { angle, cos: Math.cos(angle), sin: Math.sin(angle), rho: sign * rho };
}
