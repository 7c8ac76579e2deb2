import { expect, test } from 'vitest';
import { readOperations } from '../support/operations.ts';

test('what has an undo of its own is no act that the bar would have to tell', async () => {
  const operations = [...(await readOperations())];
  const acts = operations.filter(
    ([, { modification, path }]) => modification !== undefined || path.endsWith('/annulation'),
  );
  expect(acts.length).toBeGreaterThan(30);
  expect(acts.filter(([, { hasOwnUndo }]) => hasOwnUndo === true)).toEqual([]);
});
