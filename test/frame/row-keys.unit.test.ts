import { describe, expect, it } from 'vitest';
import { rowBeside, type Box } from '../../src/lib/frame/row-keys.ts';

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('in a list', () => {
  const rows = [0, 1, 2].map((i) => box(0, 84 * i, 400, 84));
  const from = (index: number, key: string) => rowBeside(rows, rows[index] ?? box(0, 0, 0, 0), key);

  it('arrows lead to the neighbouring row, never past the ends', () => {
    expect(from(0, 'ArrowDown')).toBe(1);
    expect(from(2, 'ArrowUp')).toBe(1);
    expect(from(2, 'ArrowDown')).toBeUndefined();
    expect(from(0, 'ArrowUp')).toBeUndefined();
  });

  it('no other key leads away from a row', () => {
    for (const key of ['ArrowLeft', 'ArrowRight', 'Enter', 'Home'])
      expect(from(1, key)).toBeUndefined();
  });

  it('a gap between two sections is jumped over', () => {
    const far = [...rows, box(0, 600, 400, 60)];
    expect(rowBeside(far, box(0, 168, 400, 84), 'ArrowDown')).toBe(3);
  });
});

describe('on shelves of covers', () => {
  // Rows of three, three and two covers; the middle one of the first row is slightly higher.
  const covers = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    box(120 * (i % 3), 200 * Math.floor(i / 3), 100, i === 1 ? 190 : 180),
  );
  const from = (index: number, key: string) =>
    rowBeside(covers, covers[index] ?? box(0, 0, 0, 0), key);

  it('left and right stay on the shelf', () => {
    expect(from(1, 'ArrowRight')).toBe(2);
    expect(from(1, 'ArrowLeft')).toBe(0);
    expect(from(2, 'ArrowRight')).toBeUndefined();
    expect(from(3, 'ArrowLeft')).toBeUndefined();
  });

  it('arrows lead to the nearest cover of the next shelf', () => {
    expect(from(1, 'ArrowDown')).toBe(4);
    expect(from(5, 'ArrowDown')).toBe(7);
    expect(from(7, 'ArrowUp')).toBe(4);
    expect(from(7, 'ArrowDown')).toBeUndefined();
  });
});
