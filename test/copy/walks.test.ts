import { expect, test } from 'vitest';
import { shown, World } from './support/world.ts';

test('a first replica is complete, and equals the household', async () => {
  const world = await new World().open(30);
  const tab = world.tab(world.device()).start();
  await world.clock.advance(2_000);
  expect(tab.isCurrent).toBe(true);
  expect(tab.status).toMatchObject({ isComplete: true, reader: 'alice' });
  expect(tab.records.replica).toMatchObject({ isOpening: false, isReady: true, progress: null });
  expect(shown(tab)).toEqual(world.truth('alice'));
});

test('a change is one request and one small write', async () => {
  const world = await new World().open(5);
  const device = world.device();
  const tab = world.tab(device).start();
  await world.clock.advance(60_000);
  tab.server.asked.length = device.writes.length = 0;
  await world.add('Orlando');
  await world.clock.advance(60_000);
  expect(tab.titres).toContain('Orlando');
  expect(tab.server.asked).toEqual(['pull']);
  expect(device.writes).toHaveLength(1);
});

test('a device without a network shows what it has', async () => {
  const world = await new World().open(5);
  const device = world.device();
  const first = world.tab(device).start();
  await world.clock.advance(10_000);
  await first.close();
  const second = world.tab(device);
  second.server.conditions.fails = 'offline';
  second.start();
  await world.clock.advance(10);
  expect(second.titres).toHaveLength(5);
  expect(second.status).toMatchObject({
    connection: 'offline',
    isComplete: true,
  });
  await world.add('Orlando');
  second.server.conditions.fails = null;
  await world.clock.advance(60_000);
  expect(second.titres).toHaveLength(6);
  expect(second.isCurrent).toBe(true);
  expect(second.status).toMatchObject({ connection: 'online' });
});
