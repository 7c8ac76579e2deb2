import { expect, test } from 'vitest';
import type { Change } from '#shared/replication';
import { NO_PAGE, type State } from '../../src/lib/sync/packs.ts';
import type { ClockPort } from '../../src/lib/sync/ports.ts';
import { Records } from '../../src/lib/sync/records.ts';
import { ShownReplica } from '../../src/lib/sync/shown-replica.ts';

const SIZE = 1_000;

/** Authors, the shortest records. */
const changes = Array.from(
  { length: SIZE },
  (_, index): Change =>
    ({
      collection: 'auteurs',
      id: index + 1,
      revision: index + 1,
      document: { id: index + 1, nom: `Auteur ${String(index)}` },
    }) as Change,
);

/** A replica on the screen, and its number of records each time the browser gets a turn. */
function shown(leaving = new AbortController()) {
  const records = new Records();
  const turns: number[] = [];
  const sets: unknown[] = [];
  const clock: ClockPort = {
    now: () => 0,
    date: () => 0,
    chance: () => 0,
    after: () => () => undefined,
    pause: async () => {
      turns.push(records.count('auteurs'));
      await Promise.resolve();
    },
  };
  const { signal } = leaving;
  const set = (change: unknown) => void sets.push(change);
  return { records, turns, sets, copy: new ShownReplica({ records, clock, signal, set }) };
}

const state = (revision: number, isComplete: boolean): State => ({
  ...NO_PAGE,
  epoque: 'a.b.0.0',
  revision,
  isComplete,
});

test('a page of a first copy is taken a portion at a time, each in a task of its own', async () => {
  const { records, turns, copy } = shown();
  await copy.add(changes, state(SIZE, false));
  expect(records.count('auteurs')).toBe(SIZE);
  expect(turns.length).toBeGreaterThan(1);
  const portions = [...turns, SIZE].map((count, index) => count - (turns[index - 1] ?? 0));
  expect(Math.max(...portions)).toBeLessThanOrEqual(200);
});

test('a page of a complete replica is applied at once, so that no screen shows a part of an import', async () => {
  const { records, turns, copy } = shown();
  await copy.add([], state(0, true));
  await copy.add(changes, state(SIZE, true));
  expect(records.count('auteurs')).toBe(SIZE);
  expect(turns).toEqual([]);
});

test('the shown part of a first copy is not read again once the copy is complete', async () => {
  const { copy } = shown();
  await copy.add(changes, state(SIZE, false));
  expect(copy.has(state(SIZE, true))).toBe(false);
  expect(copy.holds(state(SIZE, true))).toBe(true);
  expect(copy.holds(state(SIZE + 1, true))).toBe(false);
});

test('a first copy announces nothing once another reader reads', async () => {
  const leaving = new AbortController();
  const { records, sets, copy } = shown(leaving);
  const added = copy.add(changes, state(SIZE, false));
  leaving.abort();
  records.clear();
  await added;
  expect(records.count('auteurs')).toBe(0);
  expect(records.replica.progress).toBe(null);
  expect(sets).toEqual([]);
});

test('an empty page is not applied', async () => {
  const leaving = new AbortController();
  const { sets, copy } = shown(leaving);
  leaving.abort();
  await copy.add([], state(SIZE, false));
  expect(sets).toEqual([]);
});
