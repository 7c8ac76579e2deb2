/** The edges of a row on the screen, in CSS pixels. */
export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Boxes on one line differ by at most this much. */
const TOLERANCE_PX = 4;

/**
 * The index of the row reached by an arrow key, in lists and grids: up and down to the nearest row of the nearest
 * line, sideways along the line. `undefined` without one, and for other keys.
 */
export function rowBeside(boxes: readonly Box[], from: Box, key: string): number | undefined {
  const all = boxes.map((box, index) => ({ box, index }));
  if (key === 'ArrowDown') return inNearestLine(all, from, ({ top }) => top - from.bottom);
  if (key === 'ArrowUp') return inNearestLine(all, from, ({ bottom }) => from.top - bottom);
  const line = all.filter(({ box }) => Math.abs(box.top - from.top) <= TOLERANCE_PX);
  if (key === 'ArrowRight') return nearest(line, ({ left }) => left - from.right);
  if (key === 'ArrowLeft') return nearest(line, ({ right }) => from.left - right);
  return undefined;
}

interface IndexedBox {
  readonly box: Box;
  readonly index: number;
}

/** Among the boxes ahead, measured by `distance`, the one nearest to the middle of `from`. */
function inNearestLine(
  all: readonly IndexedBox[],
  from: Box,
  distance: (box: Box) => number,
): number | undefined {
  const ahead = all.filter(({ box }) => distance(box) >= -TOLERANCE_PX);
  const least = Math.min(...ahead.map(({ box }) => distance(box)));
  const line = ahead.filter(({ box }) => distance(box) <= least + TOLERANCE_PX);
  return nearest(line, (box) => Math.abs(box.left + box.right - from.left - from.right));
}

function nearest(all: readonly IndexedBox[], distance: (box: Box) => number): number | undefined {
  let found: { readonly index: number; readonly distance: number } | undefined;
  for (const { box, index } of all) {
    const candidate = { index, distance: distance(box) };
    if (candidate.distance < -TOLERANCE_PX) continue;
    if (found === undefined || candidate.distance < found.distance) found = candidate;
  }
  return found?.index;
}
