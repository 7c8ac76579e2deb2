import { describe, expect, it } from 'vitest';
import { comparePresent, copySeen } from '../../src/lib/emplacements/stocktaking.ts';

const livre = (id: number) => ({ id });

describe('a stocktaking', () => {
  it('lists the present, the missing and the misplaced books', () => {
    expect(comparePresent([1, 2, 3].map(livre), [9, 2, 1].map(livre))).toEqual({
      present: [livre(1), livre(2)],
      missing: [livre(3)],
      strangers: [livre(9)],
    });
  });

  it('counts a code for an expected copy not seen yet', () => {
    const copies = [1, 2, 3].map(livre);
    const expected = [2, 3].map(livre);
    expect(copySeen(copies, expected, new Set())).toEqual(livre(2));
    expect(copySeen(copies, expected, new Set([2]))).toEqual(livre(3));
    expect(copySeen(copies, expected, new Set([2, 3]))).toBeNull();
  });

  it('counts an unexpected code for one copy, however often read', () => {
    expect(copySeen([livre(7), livre(8)], [livre(1)], new Set())).toEqual(livre(7));
    expect(copySeen([livre(7), livre(8)], [livre(1)], new Set([7]))).toBeNull();
    expect(copySeen([], [livre(1)], new Set())).toBeNull();
  });
});
