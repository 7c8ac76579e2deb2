import { expect, test } from 'vitest';
import { epochOf } from '#shared/replication';

test.each([
  ['1a2b', '1a2b'],
  ['1a2b-3.ana.7.7', '1a2b'],
  ['1a2b-9.bob.8.8.2.2', '1a2b'],
  // A checkpoint without a generation, as earlier versions stored it.
  ['1a2b.ana.7.7', '1a2b'],
  ['', ''],
])('the checkpoint « %s » is of the database « %s »', (epoque, database) => {
  expect(epochOf({ epoque })).toBe(database);
});
