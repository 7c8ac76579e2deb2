import { describe, expect, test } from 'vitest';
import type { ReplicaNote } from '../../src/lib/sync/ports.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { shown, World } from './support/world.ts';

describe('never emptier', () => {
  test('a storage that opens slowly still shows its copy offline', async () => {
    const { world, device } = await syncedDevice();
    device.conditions.openMs = 30_000;
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(4_000);
    expect(tab.status).toMatchObject({ isOpen: false, storage: null });
    expect(tab.titres).toHaveLength(5);
    await world.clock.advance(2_000);
    expect(tab.status).toMatchObject({ isOpen: true, storage: 'storageBlocked' });
    expect(tab.records.replica).toMatchObject({ isOpening: false, isReady: true });
    await world.clock.advance(25_000);
    expect(tab.status).toMatchObject({ isOpen: true, storage: null });
    expect(tab.titres).toHaveLength(5);
    expect(device.replicas).toHaveLength(1);
  });

  test('a storage that does not answer stops no reading from the server', async () => {
    const { world, device } = await syncedDevice();
    device.conditions.openMs = 10 * MINUTE_MS;
    const tab = await openTab(world, device, 'offline');
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(tab.status).toMatchObject({ connection: 'offline', storage: 'storageBlocked' });
    tab.server.conditions.fails = null;
    tab.device.refresh();
    await world.clock.advance(4_000);
    expect(tab.titres).toContain('Orlando');
    expect(tab.status).toMatchObject({ connection: 'online', storage: 'storageBlocked' });
    await world.add('Flush');
    await world.clock.advance(10 * MINUTE_MS);
    expect(tab.status).toMatchObject({ connection: 'online', storage: null });
    expect(tab.isCurrent).toBe(true);
    expect(tab.titres).toEqual(expect.arrayContaining(['Orlando', 'Flush']));
    expect(device.replicas).toHaveLength(1);
  });

  test.each(['opensFail', 'readsFail'] as const)(
    'one failure (%s), the server out of reach',
    async (what) => {
      const { world, device } = await syncedDevice();
      device.conditions[what] = 1;
      const tab = await openTab(world, device, 'offline');
      expect(tab.titres).toHaveLength(5);
      expect(device.replicas).toHaveLength(1);
    },
  );

  test.each(['opensFail', 'readsFail'] as const)(
    'a storage that fails for ten minutes (%s) deletes nothing',
    async (what) => {
      const { world, device } = await syncedDevice();
      const before = device.replicas;
      device.conditions[what] = Infinity;
      const tab = await openTab(world, device, 'offline');
      await world.clock.advance(10 * MINUTE_MS);
      expect(device.replicas).toEqual(expect.arrayContaining(before));
      device.conditions[what] = 0;
      await world.clock.advance(2 * MINUTE_MS);
      expect(tab.titres).toHaveLength(5);
    },
  );

  test.each(['opensFail', 'readsFail'] as const)(
    'a storage that fails twice (%s) is tried again',
    async (what) => {
      const { world, device } = await syncedDevice();
      device.conditions[what] = 2;
      const tab = await openTab(world, device);
      await world.clock.advance(2 * MINUTE_MS);
      expect(tab.titres).toHaveLength(5);
      expect(tab.isCurrent).toBe(true);
      expect(tab.status).toMatchObject({ storage: null });
      expect(device.replicas).toHaveLength(1);
    },
  );

  test('a page without any storage reports it, and shows everything', async () => {
    const { world, device } = await syncedDevice();
    device.conditions.opensFail = Infinity;
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ storage: 'storageBlocked' });
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toContain('Orlando');
  });

  test('a page without any storage tries again', async () => {
    const { world, device } = await syncedDevice();
    Object.assign(device.conditions, { opensFail: 2, memoryFails: 1 });
    const tab = await openTab(world, device);
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ isOpen: true, storage: null });
  });

  test('a disk that fills up keeps its copy, completed later', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.add('Flush');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toContain('Flush');
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ storage: 'storageFull' });
    expect(device.replicas).toHaveLength(1);
    await tab.close();
    const offline = await openTab(world, device, 'offline');
    expect(offline.titres).toHaveLength(5);
    await offline.close();

    device.conditions.room = Infinity;
    const again = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(again.isCurrent).toBe(true);
    expect(again.status).toMatchObject({ storage: null });
    await again.close();
    expect((await openTab(world, device, 'offline')).titres).toHaveLength(7);
  });

  test('freed space is used without a restart', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.clock.advance(5_000);
    device.conditions.room = Infinity;
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.status.storage).toBeNull();
    await tab.close();
    expect((await openTab(world, device, 'offline')).titres).toContain('Orlando');
  });

  test('a disk that fills up mid-way shows the first copy', async () => {
    const world = await new World().open(450);
    const device = world.device();
    device.conditions.room = 4;
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(450);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ storage: 'storageFull' });
    device.conditions.room = Infinity;
    await tab.close();
    const again = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(again.titres).toHaveLength(450);
    expect(again.isCurrent).toBe(true);
    expect(again.status).toMatchObject({ storage: null });
  });

  test('a database deleted under an open page is created again', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.server.conditions.fails = 'offline';
    device.evict();
    await world.clock.advance(10 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    tab.server.conditions.fails = null;
    await world.clock.advance(10 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ storage: null });
    await tab.close();
    expect((await openTab(world, device, 'offline')).titres).toHaveLength(5);
  });

  test('a database the browser lost is no empty library', async () => {
    const { world, device } = await syncedDevice();
    device.evict();
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(MINUTE_MS);
    expect(tab.records.replica.isReady).toBe(false);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.records.replica.isReady).toBe(true);
  });

  test('a device whose browser has deleted its copy knows it', async () => {
    const { world, device } = await syncedDevice();
    const before = await openTab(world, device);
    expect(before.status.isForgotten).toBe(false);
    await before.close();
    device.evict();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.status.isForgotten).toBe(true);
  });

  test('a session without any note reports a deletion', async () => {
    const { world, device } = await syncedDevice();
    device.evict();
    device.notes.clear();
    const tab = world.tab(device);
    const identify = tab.server.identify.bind(tab.server);
    let compte = true;
    tab.server.identify = async (signal) => ({ ...(await identify(signal)), compte });
    tab.start();
    await world.clock.advance(MINUTE_MS);
    expect(tab.status.isForgotten).toBe(true);
    await tab.close();
    // A sign-on layer also names a reader who has never used this device.
    device.notes.clear();
    compte = false;
    tab.server.conditions.user = 'bob';
    tab.start();
    await world.clock.advance(MINUTE_MS);
    expect(tab.status).toMatchObject({ reader: 'bob', isForgotten: false });
  });

  test('another epoch’s replica replaces the old one only when complete', async () => {
    const { world, device } = await syncedDevice();
    await world.open(900);
    const tab = world.tab(device);
    tab.server.conditions.pageMs = (changes) => changes * 10;
    tab.start();
    await world.clock.advance(1_000);
    tab.device.replicas?.answer('take');
    await world.clock.advance(2_500);
    expect(tab.status.rebuilding).toBeGreaterThan(0);
    expect(tab.titres).toHaveLength(5);
    tab.server.conditions.fails = 'offline';
    await world.clock.advance(5 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(device.replicas).toHaveLength(2);
    tab.server.conditions.fails = null;
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.titres).toHaveLength(900);
    expect(device.replicas).toHaveLength(1);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('a fresh copy that a reload broke off leaves no other one beside it', async () => {
    const { world, device } = await syncedDevice(900);
    const tab = world.tab(device);
    tab.server.conditions.pageMs = (changes) => changes * 10;
    tab.start();
    await world.clock.advance(MINUTE_MS);
    tab.device.replicas?.rebuild();
    await world.clock.advance(4_000);
    expect(tab.status.rebuilding).toBeGreaterThan(0);
    await tab.close();
    expect(device.replicas).toHaveLength(2);
    const before = device.notes.get('copy|alice') as ReplicaNote;
    const again = await openTab(world, device);
    await world.clock.advance(5_000);
    expect(device.notes.get('copy|alice')).toMatchObject({ inUse: before.next, next: null });
    expect(again.titres).toHaveLength(900);
    expect(device.replicas).toHaveLength(1);
  });
});
