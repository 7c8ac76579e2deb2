import { expect, test } from 'vitest';
import { fallbackCoverUrl, imageUrl, readThumbnails, relayedUrl } from '#shared/couvertures';

test('the thumbnails of a batch have the requested order', () => {
  const bytes = [0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0, 0, 1, 1, ...Array<number>(257).fill(9)];
  // A response may be a view into a larger buffer.
  const batch = new Uint8Array([5, 5, ...bytes, 5]).subarray(2, 2 + bytes.length);
  const [first, missing, last, ...others] = readThumbnails(batch);
  expect(first).toEqual(new Uint8Array([7, 8]));
  expect(missing).toBeNull();
  expect(last).toEqual(new Uint8Array(257).fill(9));
  expect(others).toEqual([]);
  expect(readThumbnails(new Uint8Array())).toEqual([]);
});

test('a cover has its address by key', () => {
  expect(imageUrl({ cle: 'abc' }, 'ligne')).toBe('/api/couvertures/abc/ligne');
});

test('a cover has its address by ISBN', () => {
  const fallback = 'https://a.fr/b/isbn/9782070360024-L.jpg?default=false';
  for (const site of ['https://a.fr', 'https://a.fr/'])
    expect(fallbackCoverUrl(site, '9782070360024')).toBe(fallback);
});

test('a cover has its address through the relay', () => {
  expect(relayedUrl('https://a.fr/é?b=1&c')).toBe(
    '/api/couvertures?url=https%3A%2F%2Fa.fr%2F%C3%A9%3Fb%3D1%26c',
  );
});
