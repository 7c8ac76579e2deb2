import { describe, expect, test } from 'vitest';
import { recordEnvelope } from '../../src/lib/sync/envelope.ts';
import type { Device } from './support/device.ts';
import { MINUTE_MS, openTab } from './support/settled.ts';
import { shown, World } from './support/world.ts';

/** A house of five books, and a device on which the application's first version has kept three of them. */
async function moved(): Promise<{ world: World; device: Device }> {
  const world = await new World().open(5);
  const device = world.device();
  const documents = Object.entries(world.truth('alice')).slice(0, 3);
  device.earlier = documents.map(([key, document]) => ({
    ...recordEnvelope({ collection: 'livres', id: 0, revision: 0, document: null }),
    key,
    document: document as object,
  }));
  device.notes.set('reader', { utilisateur: 'alice', email: null, nomComplet: null });
  return { world, device };
}

describe('a device with the copy of the first version, out of reach of the house', () => {
  test.each([
    ['the copy opens at once', {}, 0],
    ['the copy takes half a minute to open', { earlierMs: 30_000 }, 0],
    ['every page takes ten seconds', {}, 10_000],
    ['databases take ten seconds to open', { openMs: 10_000 }, 0],
    ['writing fails twice', { writesFail: 2 }, 0],
    ['the register reaches other tabs late', { notesMs: 5_000 }, 0],
  ])('is current within a minute of its return: %s', async (_, conditions, pageMs) => {
    const { world, device } = await moved();
    Object.assign(device.conditions, conditions);
    const tabs = [await openTab(world, device, 'offline'), await openTab(world, device, 'offline')];
    await world.clock.advance(10 * MINUTE_MS);
    for (const tab of tabs) expect(tab.titres).toHaveLength(3);
    for (const { server } of tabs)
      Object.assign(server.conditions, { fails: null, pageMs: () => pageMs });
    await world.clock.advance(MINUTE_MS);
    expect(tabs.map(({ engine }) => engine.state.phase)).toEqual(['current', 'following']);
    for (const tab of tabs) expect(shown(tab)).toEqual(world.truth('alice'));
    expect([device.earlier.length, device.databases.size]).toEqual([0, 1]);
  });

  test('is current within a minute where the house comes back while the copy opens', async () => {
    const { world, device } = await moved();
    device.conditions.earlierMs = 30_000;
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(5_000);
    tab.server.conditions.fails = null;
    tab.engine.dispatch({ type: 'hint' });
    await world.clock.advance(MINUTE_MS);
    expect(tab.engine.state.phase).toBe('current');
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('is current within a minute where nobody had noted who reads', async () => {
    const { world, device } = await moved();
    device.notes.clear();
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(10 * MINUTE_MS);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.engine.state).toMatchObject({ phase: 'current', reader: 'alice' });
    expect(shown(tab)).toEqual(world.truth('alice'));
  });
});
