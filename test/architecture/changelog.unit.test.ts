import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The longest section of a version that a household is expected to read, in characters. */
const MAX_VERSION = 12_000;

test('each version of the changelog is short enough to be read', () => {
  const [, ...versions] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  expect(versions.length).toBeGreaterThan(1);
  for (const version of versions)
    expect(version.length, version.slice(0, 20)).toBeLessThan(MAX_VERSION);
});
