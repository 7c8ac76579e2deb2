import { describe, expect, test } from 'vitest';
import { cles, World } from './support.ts';

const own = (world: World, reader: string) => [...world.thumbnails.ownOf(reader).keys()];

test('going through thousands of covers gives the browser turns', async () => {
  const world = new World();
  world.livres = cles(3_000);
  await world.pass();
  expect(world.thumbnails.household.size).toBe(3_000);
  const before = world.clock.pauses;
  world.change(() => (world.livres = cles(2_999)));
  await world.pass();
  expect(world.thumbnails.household.size).toBe(2_999);
  // One of these turns is the world's own.
  expect(world.clock.pauses - before).toBeGreaterThanOrEqual(6);
});

describe('records that change during a pass', () => {
  /** Runs a function in the middle of the next reading of the records. */
  function meanwhile(world: World, what: () => void): void {
    const wanted = world.wanted.bind(world);
    world.wanted = async () => {
      world.wanted = wanted;
      const seen = await wanted();
      what();
      return seen;
    };
  }

  test('a reader: wishes are never mixed up', async () => {
    const world = new World();
    world.souhaits = { alice: cles(5), bob: cles(5, 100) };
    await world.pass();
    const wanted = world.wanted.bind(world);
    world.wanted = () => {
      world.wanted = wanted;
      world.who = 'bob';
      return wanted();
    };
    world.change(() => undefined);
    await world.pass();
    expect(own(world, 'alice')).toEqual(cles(5));
    expect(own(world, 'bob')).toEqual(cles(5, 100));
  });

  test('a record that is back: its cover is not removed', async () => {
    const world = new World();
    world.livres = cles(3);
    await world.pass();
    const { length } = world.asked;
    meanwhile(world, () => world.change(() => (world.livres = cles(3))));
    world.change(() => (world.livres = cles(2)));
    await world.pass();
    expect(world.thumbnails.household.size).toBe(3);
    expect(world.asked).toHaveLength(length);
  });

  test('the replica, which falls behind: nothing is removed', async () => {
    const world = new World();
    world.livres = cles(3);
    await world.pass();
    meanwhile(world, () => (world.equal = false));
    world.change(() => (world.livres = []));
    await world.pass();
    expect(world.thumbnails.household.size).toBe(3);
  });
});
