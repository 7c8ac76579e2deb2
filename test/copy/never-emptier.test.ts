import { describe, expect, test } from 'vitest';
import { MINUTE_MS, openTab, settled } from './support/settled.ts';
import { shown, World } from './support/world.ts';

describe('never emptier', () => {
  test('a storage that opens after 30 s, the server out of reach', async () => {
    const { world, device } = await settled();
    device.conditions.openMs = 30_000;
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(29_000);
    expect(tab.records.copy).toMatchObject({ isOpening: true });
    await world.clock.advance(2_000);
    expect(tab.titres).toHaveLength(5);
    expect(tab.records.copy).toMatchObject({ isOpening: false, isReady: true });
    expect(device.databases.size).toBe(1);
  });

  test.each(['opensFail', 'readsFail'] as const)(
    'one failure (%s), the server out of reach',
    async (what) => {
      const { world, device } = await settled();
      device.conditions[what] = 1;
      const tab = await openTab(world, device, 'offline');
      expect(tab.titres).toHaveLength(5);
      expect(device.databases.size).toBe(1);
    },
  );

  test.each(['opensFail', 'readsFail'] as const)(
    'nothing works for ten minutes (%s), the server out of reach, and nothing is deleted',
    async (what) => {
      const { world, device } = await settled();
      const before = new Set(device.databases);
      device.conditions[what] = Infinity;
      const tab = await openTab(world, device, 'offline');
      await world.clock.advance(10 * MINUTE_MS);
      expect(device.databases).toEqual(before);
      device.conditions[what] = 0;
      await world.clock.advance(2 * MINUTE_MS);
      expect(tab.titres).toHaveLength(5);
    },
  );

  test.each(['opensFail', 'readsFail'] as const)(
    'a copy that cannot be read (%s) is made anew beside, with the server',
    async (what) => {
      const { world, device } = await settled();
      const [old] = device.databases;
      device.conditions[what] = 2;
      const tab = await openTab(world, device);
      await world.clock.advance(MINUTE_MS);
      expect(tab.titres).toHaveLength(5);
      expect(tab.engine.state).toMatchObject({ phase: 'current', storage: null });
      expect(device.databases.size).toBe(1);
      expect([...device.databases]).not.toContain(old);
    },
  );

  test('without any storage the page has a copy in memory, and says so', async () => {
    const { world, device } = await settled();
    device.conditions.opensFail = Infinity;
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.engine.state).toMatchObject({ phase: 'current', storage: 'storageBlocked' });
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toContain('Orlando');
  });

  test('a disk that fills up keeps the copy that is on it, and is filled up later', async () => {
    const { world, device } = await settled();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.add('Flush');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toContain('Flush');
    expect(tab.engine.state).toMatchObject({ phase: 'current', storage: 'storageFull' });
    expect(device.databases.size).toBe(1);
    await tab.close();
    const offline = await openTab(world, device, 'offline');
    expect(offline.titres).toHaveLength(5);
    await offline.close();

    device.conditions.room = Infinity;
    const again = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(again.engine.state).toMatchObject({ phase: 'current', storage: null });
    await again.close();
    expect((await openTab(world, device, 'offline')).titres).toHaveLength(7);
  });

  test('room that comes back is used without a restart', async () => {
    const { world, device } = await settled();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.clock.advance(5_000);
    device.conditions.room = Infinity;
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.engine.state.storage).toBeNull();
    await tab.close();
    expect((await openTab(world, device, 'offline')).titres).toContain('Orlando');
  });

  test('a disk that fills up in the middle of the first copy', async () => {
    const world = await new World().open(450);
    const device = world.device();
    device.conditions.room = 300;
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(450);
    expect(tab.engine.state).toMatchObject({ phase: 'current', storage: 'storageFull' });
    device.conditions.room = Infinity;
    await tab.close();
    const again = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(again.titres).toHaveLength(450);
    expect(again.engine.state).toMatchObject({ phase: 'current', storage: null });
  });

  test('a database that another tab deletes stays on the screen, and is made again', async () => {
    const { world, device } = await settled();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    const [name = ''] = device.databases;
    tab.server.conditions.fails = 'offline';
    await device.drop(name);
    await world.clock.advance(10 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    tab.server.conditions.fails = null;
    await world.clock.advance(10 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.engine.state).toMatchObject({ phase: 'current', storage: null });
    await tab.close();
    expect((await openTab(world, device, 'offline')).titres).toHaveLength(5);
  });

  test('a database that the browser has lost is not taken for an empty library', async () => {
    const { world, device } = await settled();
    for (const name of device.databases) await device.drop(name);
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(MINUTE_MS);
    expect(tab.records.copy.isReady).toBe(false);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.records.copy.isReady).toBe(true);
  });

  test('a lost record of the copies is made again from the databases', async () => {
    const { world, device } = await settled();
    for (const key of device.notes.keys()) if (key.startsWith('copy')) device.notes.delete(key);
    expect((await openTab(world, device, 'offline')).titres).toHaveLength(5);
  });

  test('another epoch: the old copy stays until the new one is whole', async () => {
    const { world, device } = await settled();
    await world.open(900);
    const tab = world.tab(device);
    tab.server.conditions.pageMs = (changes) => changes * 10;
    tab.start();
    await world.clock.advance(2_500);
    expect(tab.engine.state.phase).toBe('resyncing');
    expect(tab.titres).toHaveLength(5);
    tab.server.conditions.fails = 'offline';
    await world.clock.advance(5 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(device.databases.size).toBe(2);
    tab.server.conditions.fails = null;
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.titres).toHaveLength(900);
    expect(device.databases.size).toBe(1);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('other shapes: the old copy is read with what is missing at its defaults', async () => {
    const { world, device } = await settled();
    for (const [key, note] of device.notes)
      if (key.startsWith('copy'))
        device.notes.set(
          key,
          JSON.parse(JSON.stringify(note).replaceAll(/"shape":"\w+"/g, '"shape":"x"')),
        );
    const tab = await openTab(world, device, 'offline');
    expect(tab.titres).toHaveLength(5);
    expect(device.databases.size).toBe(1);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.engine.state).toMatchObject({ phase: 'current', stale: false });
    expect(shown(tab)).toEqual(world.truth('alice'));
  });
});
