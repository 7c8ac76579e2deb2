import { expect, test } from 'vitest';
import { BatchedWrites } from '#server/subjects/couvertures/fetcher';
import { temporaryDatabase } from '../support/database.ts';
import { VirtualClock } from './support/clock.ts';

const nobodyIsBusy = () => false;

function open() {
  const [clock, database] = [new VirtualClock(), temporaryDatabase()];
  const ends: unknown[] = [];
  const done: string[] = [];
  const writes = new BatchedWrites(database, clock, (error) => void ends.push(error));
  const add = (adresse: string, what = adresse) => writes.add(adresse, () => void done.push(what));
  return { clock, database, ends, done, writes, add };
}

test('the last writes of each address are done together', async () => {
  const { clock, ends, done, writes, add } = open();
  add('a', 'former');
  await clock.run(600, nobodyIsBusy);
  add('b');
  add('a');
  expect([writes.size, writes.has('a'), writes.has('b'), writes.has('c')]).toEqual([
    2,
    true,
    true,
    false,
  ]);
  await clock.run(399, nobodyIsBusy);
  expect([done, ends]).toEqual([[], []]);
  await clock.run(1, nobodyIsBusy);
  expect([done, ends, writes.size]).toEqual([['a', 'b'], [null], 0]);
  add('c');
  await clock.run(999, nobodyIsBusy);
  expect(done).toEqual(['a', 'b']);
  await clock.run(5000, nobodyIsBusy);
  expect([done, ends]).toEqual([
    ['a', 'b', 'c'],
    [null, null],
  ]);
});

test('pending writes are done at once where the service ends', async () => {
  const { clock, ends, done, writes, add } = open();
  writes.flush();
  expect(ends).toEqual([]);
  add('a');
  writes.flush();
  expect([done, ends]).toEqual([['a'], [null]]);
  await clock.run(5000, nobodyIsBusy);
  expect([done, ends]).toEqual([['a'], [null]]);
});

test('a write that fails takes no other with it', () => {
  const { ends, done, writes, add } = open();
  const failure = new Error('no');
  writes.add('a', () => {
    throw failure;
  });
  writes.flush();
  expect([ends, writes.size]).toEqual([[failure], 0]);
  add('b');
  writes.flush();
  expect([done, ends]).toEqual([['b'], [failure, null]]);
});

test('writes wait for the end of a long one', async () => {
  const { clock, database, done, add } = open();
  await database.writeLock.handOver('import', async () => {
    add('a');
    await clock.run(3500, nobodyIsBusy);
    expect(done).toEqual([]);
  });
  await clock.run(500, nobodyIsBusy);
  expect(done).toEqual(['a']);
});
