import { expect, test } from 'vitest';
import {
  isConvex,
  shapeOf,
  turnCorners,
  fullFrame,
  type Corners,
} from '../../src/lib/couvertures/straighten/corners.ts';
import type { Pixels } from '../../src/lib/couvertures/straighten/edges.ts';
import { findCorners } from '../../src/lib/couvertures/straighten/find-corners.ts';
import { inSlices } from '../../src/lib/couvertures/straighten/slices.ts';
import { warp } from '../../src/lib/couvertures/straighten/warp.ts';
import { drawPhoto, seenCorners, worstCorner, type Pose, type Scene } from './cover-photo.ts';

const here = new AbortController().signal;
const search = (pixels: Pixels) => inSlices(findCorners(pixels), here);

/** The size to which a picture is reduced before the search for corners. */
const SIZE = { width: 240, height: 320 };
/** The width of the cover divided by its height. */
const SHAPE = 0.66;

const WOOD: Scene = {
  table: [150, 105, 70],
  cover: [40, 70, 120],
  ink: [230, 220, 200],
  noise: 4,
  grain: 10,
  hasShadow: true,
};
const SCENES: Readonly<Record<string, Scene>> = {
  'on wood': WOOD,
  'dark on dark': {
    table: [32, 30, 29],
    cover: [44, 42, 46],
    ink: [70, 66, 60],
    noise: 1.5,
  },
  'white on white': {
    table: [225, 222, 215],
    cover: [245, 243, 238],
    ink: [60, 60, 60],
    noise: 2,
    hasShadow: true,
  },
  'with a printed frame': { ...WOOD, cover: [235, 225, 200], ink: [120, 30, 30], isFramed: true },
  'beside a sheet of paper': { ...WOOD, hasPaper: true },
};
const POSES: readonly Pose[] = [
  { turn: 0, tiltX: 0, tiltY: 0, scale: 0.7 },
  { turn: 12, tiltX: 10, tiltY: -8, scale: 0.7 },
  { turn: -25, tiltX: 20, tiltY: 10, scale: 0.6 },
  { turn: 40, tiltX: -15, tiltY: 15, scale: 0.55 },
];

test.each(Object.entries(SCENES))(
  'the corners of a cover are found %s, however it lies',
  async (_, scene) => {
    for (const [index, pose] of POSES.entries()) {
      const truth = seenCorners(SHAPE, SIZE, pose);
      const found = await search(drawPhoto(SIZE, truth, scene, index + 1));
      expect(found, JSON.stringify(pose)).not.toBeNull();
      const away = worstCorner(found ?? fullFrame(SIZE), truth, SIZE);
      expect(away, JSON.stringify(pose)).toBeLessThan(0.01);
      // The cover keeps its own proportions in perspective, too.
      const shape = shapeOf(found ?? fullFrame(SIZE), SIZE);
      expect(Math.abs(shape / SHAPE - 1), JSON.stringify(pose)).toBeLessThan(0.05);
    }
  },
);

test.each(Object.entries(SCENES))(
  'a table without a cover has no corners: %s',
  async (_, scene) => {
    expect(await search(drawPhoto(SIZE, null, scene, 7))).toBeNull();
  },
);

test('a cover that is all of its picture is not cut along its printed frame', async () => {
  const size = { width: 214, height: 320 };
  for (const isFramed of [true, false])
    expect(
      await search(drawPhoto(size, fullFrame(size), { ...WOOD, isFramed, noise: 1 })),
    ).toBeNull();
});

test('a picture too small or of one colour has no corners', async () => {
  for (const [width, height] of [
    [1, 1],
    [1, 320],
    [30, 30],
    [320, 240],
  ] as const) {
    const data = new Uint8ClampedArray(4 * width * height).fill(128);
    expect(await search({ data, width, height })).toBeNull();
  }
});

test('corners rotate with their picture, and a concave shape is refused', () => {
  const size = { width: 300, height: 400 };
  const corners: Corners = [
    { x: 10, y: 20 },
    { x: 200, y: 30 },
    { x: 210, y: 350 },
    { x: 5, y: 340 },
  ];
  const right = turnCorners(corners, size, 1);
  expect(right[0]).toEqual({ x: 60, y: 5 });
  expect(turnCorners(right, { width: 400, height: 300 }, -1)).toEqual(corners);
  expect(isConvex(right)).toBe(true);
  const [a, b, , d] = corners;
  expect(isConvex([a, b, { x: 50, y: 60 }, d])).toBe(false);
});

test('the area inside the corners becomes upright, also with corners outside the picture', async () => {
  const size = { width: 60, height: 80 };
  const corners = seenCorners(0.7, size, { turn: 20, tiltX: 15, tiltY: -10, scale: 0.6 });
  const scene: Scene = {
    table: [0, 0, 0],
    cover: [200, 100, 50],
    ink: [200, 100, 50],
    noise: 0,
  };
  const photo = drawPhoto(size, corners, scene);
  const read = (x: number, y: number, width: number, height: number): Pixels => {
    const data = new Uint8ClampedArray(4 * width * height);
    for (let row = 0; row < height; row++) {
      const from = 4 * ((y + row) * size.width + x);
      data.set(photo.data.subarray(from, from + 4 * width), 4 * row * width);
    }
    return { data, width, height };
  };
  const pixels = await inSlices(warp(corners, { width: 20, height: 30 }, size, read), here);
  const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * (15 * 20 + 10));
  expect(red / green).toBeCloseTo(2, 1);
  expect(green / blue).toBeCloseTo(2, 1);
  const outside: Corners = [
    { x: -20, y: -20 },
    { x: 80, y: -10 },
    { x: 70, y: 100 },
    { x: -10, y: 90 },
  ];
  expect(await inSlices(warp(outside, { width: 9, height: 9 }, size, read), here)).toHaveLength(
    324,
  );
});

test('an aborted search ends', async () => {
  const leaving = new AbortController();
  leaving.abort();
  const photo = drawPhoto(SIZE, null, WOOD);
  await expect(inSlices(findCorners(photo), leaving.signal)).rejects.toThrow();
});
