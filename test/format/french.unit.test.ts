import { expect, test } from 'vitest';
import { isCode, titreParts } from '../../src/lib/format/french.ts';

test('a title that is a code stays on one line', () => {
  const code = '978-2-948012-02-4';
  for (const titre of [code, `Prêté à Sophie : ${code}`]) {
    const parts = titreParts(titre);
    expect(parts.join('')).toBe(titre);
    expect(parts.findIndex(isCode) % 2).toBe(1);
  }
  expect(titreParts('1984')).toEqual(['1984']);
});

test('a volume’s number stays with the word before it', () => {
  expect(titreParts('One Piece, tome 15')).toEqual(['One Piece, ', 'tome 15', '']);
  expect(titreParts('Les deux tomes')).toEqual(['Les deux tomes']);
});
