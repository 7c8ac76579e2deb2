import { expect } from 'vitest';
import type { FailureKind } from '../../../src/lib/sync/status.ts';
import type { Device, Tab } from './device.ts';
import { World } from './world.ts';

export const MINUTE_MS = 60_000;

/** A household with some books, and a device with a complete replica and no open tab. */
export async function syncedDevice(books = 5): Promise<{ world: World; device: Device }> {
  const world = await new World().open(books);
  const device = world.device();
  const tab = world.tab(device).start();
  await world.clock.advance(MINUTE_MS);
  expect(tab.isCurrent).toBe(true);
  await tab.close();
  device.writes.length = 0;
  return { world, device };
}

/** Opens a tab whose requests fail in this way. */
export async function openTab(
  world: World,
  device: Device,
  fails: FailureKind | null = null,
): Promise<Tab> {
  const tab = world.tab(device);
  tab.server.conditions.fails = fails;
  tab.start();
  await world.clock.settle();
  return tab;
}
