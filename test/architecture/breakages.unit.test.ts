import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BREAKAGES } from '../../scripts/breakages/breakages.ts';

test('each breakage changes a text that its file has once', () => {
  const lost = BREAKAGES.filter(
    ({ path, before }) => readFileSync(path, 'utf8').split(before).length !== 2,
  );
  expect(lost.map(({ what }) => what)).toEqual([]);
});
