import { expect, test } from 'vitest';
import { readOperations } from '../support/operations.ts';

test('no operation recorded as an act has its own undo', async () => {
  const operations = [...(await readOperations())];
  const acts = operations.filter(
    ([, { modification, path }]) => modification !== undefined || path.endsWith('/annulation'),
  );
  expect(acts.length).toBeGreaterThan(30);
  expect(acts.filter(([, { skipsHistory }]) => skipsHistory === true)).toEqual([]);
});
