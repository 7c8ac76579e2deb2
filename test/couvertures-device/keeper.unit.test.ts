import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../support/random.ts';
import { cles, World } from './support.ts';

const MINUTE_MS = 60_000;

/** The keys in a reader's own scope. */
const own = (world: World, reader: string) => [...world.thumbnails.ownOf(reader).keys()];

describe('a device fills itself with the covers', () => {
  test('of every record, one request at a time', async () => {
    const world = new World();
    world.livres = cles(1_234);
    await world.pass();
    expect([...world.thumbnails.household.keys()]).toEqual(cles(1_234));
    expect(world.asked.flat()).toEqual(cles(1_234));
    expect(world.most).toBe(1);
    expect(Math.max(...world.asked.map(({ length }) => length))).toBe(100);
    expect(world.keeper.state).toEqual({ kept: 1_234, total: 1_234, pause: null });
  });

  test('asking for few at a time on a slow line', async () => {
    const world = new World();
    world.livres = cles(200);
    world.msEach = 100;
    await world.pass();
    expect(world.thumbnails.household.size).toBe(200);
    expect(Math.max(...world.asked.map(({ length }) => length))).toBeLessThanOrEqual(15);
  });

  test('and requests nothing once it has all', async () => {
    const world = new World();
    world.livres = cles(30);
    await world.pass();
    world.asked.length = 0;
    for (let i = 0; i < 50; i++) await world.pass(MINUTE_MS);
    world.keeper.recount();
    await world.pass();
    expect(world.asked).toEqual([]);
  });

  test('and stores the covers of changed records', async () => {
    const world = new World();
    world.livres = cles(10);
    await world.pass();
    world.change(() => (world.livres = cles(10, 5)));
    await world.pass();
    expect([...world.thumbnails.household.keys()].sort()).toEqual(cles(10, 5));
  });

  test('and fetches at once if the last fetch allows more', async () => {
    const world = new World();
    world.livres = cles(3);
    world.equal = false;
    world.keeper.subscribe(() =>
      queueMicrotask(() =>
        queueMicrotask(() => {
          world.equal = true;
          world.keeper.wake();
        }),
      ),
    );
    await world.pass();
    expect(world.thumbnails.household.size).toBe(3);
  });

  test('removes nothing while the replica is behind', async () => {
    const world = new World();
    world.livres = cles(10);
    await world.pass();
    world.equal = false;
    world.change(() => (world.livres = []));
    await world.pass();
    expect(world.thumbnails.household.size).toBe(10);
  });

  test('and requests a lost picture only once', async () => {
    const world = new World();
    world.livres = cles(5);
    for (const cle of cles(2)) world.lost.add(cle);
    await world.pass();
    world.change(() => (world.livres = cles(6)));
    await world.pass();
    expect(world.asked).toEqual([cles(5), cles(1, 5)]);
    expect(world.keeper.state).toMatchObject({ kept: 4, total: 6 });
  });
});

describe('the covers of wishes', () => {
  test('are on their reader’s own scope, and on no other', async () => {
    const world = new World();
    world.livres = cles(3);
    world.souhaits = { alice: cles(3, 2), bob: cles(2, 10) };
    await world.pass();
    expect(own(world, 'alice')).toEqual(cles(2, 3));
    world.change(() => (world.who = 'bob'));
    await world.pass();
    expect(world.thumbnails.reader).toBe('bob');
    expect(own(world, 'bob')).toEqual(cles(2, 10));
    expect(own(world, 'alice')).toEqual(cles(2, 3));
    expect([...world.thumbnails.household.keys()]).toEqual(cles(3));
    world.asked.length = 0;
    world.change(() => (world.who = 'alice'));
    await world.pass();
    expect(world.asked).toEqual([]);
  });

  test('arriving after their reader left are not the next one’s', async () => {
    const world = new World();
    world.souhaits = { alice: cles(5), bob: [] };
    world.msEach = 1_000;
    world.keeper.wake();
    await world.clock.advance(100);
    world.change(() => (world.who = 'bob'));
    await world.pass();
    for (const reader of ['alice', 'bob']) expect(own(world, reader)).toEqual([]);
  });
});

describe('a device holds back', () => {
  test('while the browser asks to save data', async () => {
    const world = new World();
    world.livres = cles(5);
    world.economical = true;
    await world.pass();
    expect(world.asked).toEqual([]);
    expect(world.keeper.state).toEqual({ kept: 0, total: 5, pause: 'saveData' });
    world.economical = false;
    await world.pass();
    expect(world.keeper.state).toEqual({ kept: 5, total: 5, pause: null });
  });

  test('while the copy is behind', async () => {
    const world = new World();
    world.livres = cles(500);
    world.msEach = 10;
    world.keeper.wake();
    await world.clock.advance(500);
    world.equal = false;
    await world.pass();
    const begun = world.asked.length;
    await world.pass();
    expect(world.asked).toHaveLength(begun);
    expect(world.thumbnails.household.size).toBeLessThan(500);
    world.equal = true;
    await world.pass();
    expect(world.thumbnails.household.size).toBe(500);
  });

  test('when half of what the browser grants is in use', async () => {
    const world = new World();
    world.livres = cles(5);
    [world.used, world.granted] = [50, 100];
    await world.pass();
    expect(world.asked).toEqual([]);
    expect(world.keeper.state.pause).toBe('full');
    world.used = 49;
    world.keeper.recount();
    await world.pass();
    expect(world.keeper.state).toEqual({ kept: 5, total: 5, pause: null });
  });

  test('on a full disk, and says so', async () => {
    const world = new World();
    world.livres = cles(5);
    world.thumbnails.failure = new DOMException('full', 'QuotaExceededError');
    await world.pass(1);
    await world.clock.advance(MINUTE_MS);
    expect(world.keeper.state.pause).toBe('full');
    world.thumbnails.failure = null;
    await world.pass();
    expect(world.keeper.state).toEqual({ kept: 5, total: 5, pause: null });
  });

  test.each(['offline', 'serverFailing'] as const)(
    'from a server that is « %s », less and less often',
    async (kind) => {
      const world = new World();
      world.livres = cles(5);
      world.fails = kind;
      for (let i = 0; i < 600; i++) await world.pass(1_000);
      expect(world.keeper.state.pause).toBe('failing');
      expect(world.asked.length).toBeLessThanOrEqual(25);
      world.fails = null;
      await world.pass();
      expect(world.keeper.state).toEqual({ kept: 5, total: 5, pause: null });
    },
  );
});

test('a thumbnail that arrives after a stop is not stored', async () => {
  const world = new World();
  world.livres = cles(5);
  world.keeper.wake();
  await world.clock.advance(1);
  const stopped = world.keeper.stop();
  await world.clock.advance(MINUTE_MS);
  await stopped;
  expect(world.thumbnails.household.size).toBe(0);
  await world.pass();
  expect(world.thumbnails.household.size).toBe(5);
});

test(
  'a device ends with its own reader’s covers, whatever happens',
  { tags: 'random' },
  async () => {
    const keys = fc.uniqueArray(
      fc.integer({ min: 0, max: 40 }).map((n) => cles(1, n)[0] ?? ''),
      { maxLength: 30, size: 'max' },
    );
    const steps = fc.array(
      fc.oneof(
        fc.record({ livres: keys }),
        fc.record({ alice: keys, bob: keys }),
        fc.record({ who: fc.constantFrom('alice', 'bob', null, undefined) }),
        fc.record({ fails: fc.constantFrom('offline' as const, 'serverFailing' as const, null) }),
        fc.record({ equal: fc.boolean(), economical: fc.boolean() }),
        fc.record({ ms: fc.integer({ min: 0, max: 5_000 }) }),
        fc.record({ stop: fc.constant(true) }),
      ),
      { size: 'max', maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer(), steps, async (seed, all) => {
        const world = new World(Math.abs(seed));
        const everWished = { alice: new Set<string>(), bob: new Set<string>() };
        for (const step of all) {
          if ('ms' in step) await world.clock.advance(step.ms);
          else if ('stop' in step) await stopWithin(world);
          else if ('alice' in step) {
            world.change(() => (world.souhaits = step));
            for (const reader of ['alice', 'bob'] as const)
              for (const cle of step[reader]) everWished[reader].add(cle);
          } else world.change(() => Object.assign(world, step));
          for (const reader of ['alice', 'bob'] as const)
            for (const cle of own(world, reader)) expect(everWished[reader]).toContain(cle);
        }
        Object.assign(world, { who: 'alice', fails: null, equal: true, economical: false });
        world.change(() => undefined);
        await world.pass();
        const wanted = world.wantedNow();
        expect(new Set(world.thumbnails.household.keys())).toEqual(wanted.household);
        expect(new Set(own(world, 'alice'))).toEqual(wanted.own);
        expect(world.most).toBeLessThanOrEqual(1);
      }),
      cases(150),
    );
  },
);

async function stopWithin(world: World): Promise<void> {
  const stopped = world.keeper.stop();
  await world.clock.advance(10_000);
  await stopped;
}
