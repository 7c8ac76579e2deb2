import { expect, it } from 'vitest';
import { formatBytes } from '../../src/lib/format/bytes.ts';

it.each([
  [0, '0 ko'],
  [640_000, '640 ko'],
  [999_499, '999 ko'],
  [999_500, '1 Mo'],
  [12_345_678, '12,3 Mo'],
])('writes %i bytes as « %s »', (bytes, text) => {
  expect(formatBytes(bytes).replaceAll(/\s/g, ' ')).toBe(text);
});
