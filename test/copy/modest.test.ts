import { describe, expect, test } from 'vitest';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';

describe('modest', () => {
  test.each(['serverFailing', 'offline', 'sessionExpired'] as const)(
    'a house that is « %s » is asked seldom',
    async (kind) => {
      const { world, device } = await syncedDevice();
      const tab = await openTab(world, device);
      await world.clock.advance(MINUTE_MS);
      tab.server.conditions.fails = kind;
      tab.server.breakStreams();
      tab.server.asked.length = 0;
      for (let s = 0; s < 300; s += 5) {
        tab.device.refresh();
        await world.clock.advance(5_000);
      }
      expect(tab.status).toMatchObject({ connection: kind, isPulling: false });
      expect(tab.server.asked.length).toBeLessThanOrEqual(62);
      tab.server.asked.length = 0;
      await world.clock.advance(10 * MINUTE_MS);
      expect(tab.server.asked.length).toBeLessThanOrEqual(kind === 'offline' ? 20 : 4);
      // The timer of the next try.
      expect(world.clock.timers).toBe(1);
    },
  );

  test('a hundred focuses are one pull', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.server.asked.length = 0;
    for (let i = 0; i < 100; i++) {
      tab.device.refresh();
      await world.clock.advance(50);
    }
    expect(tab.server.asked).toEqual(['pull']);
    tab.server.conditions.fails = 'serverFailing';
    await world.clock.advance(MINUTE_MS);
    tab.server.asked.length = 0;
    for (let i = 0; i < 100; i++) {
      tab.device.refresh();
      await world.clock.advance(20);
    }
    // The first focus starts a pull; the timer after it may fire within these two seconds.
    expect(tab.server.asked.length).toBeLessThanOrEqual(2);
  });

  test('a replica with earlier shapes only pulls changes', async () => {
    const { world, device } = await syncedDevice(300);
    device.ageShapes('emplacementId');
    await world.add('Ajouté');
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(301);
    expect(tab.records.livres.every(({ emplacementId }) => emplacementId === null)).toBe(true);
    // The book and its history entry.
    expect(tab.server.sent).toBe(2);
  });

  test('a stream that is always refused is asked ever less', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    tab.server.conditions.noStream = true;
    tab.server.breakStreams();
    await world.clock.advance(MINUTE_MS);
    tab.server.asked.length = 0;
    await world.clock.advance(60 * MINUTE_MS);
    expect(tab.server.asked.length).toBeLessThan(40);
    expect(tab.status.connection).toBe('online');
  });

  test.each(['headers', 'opening'] as const)(
    'a stream of which a proxy passes its %s on is found, and the server asked instead',
    async (passes) => {
      const { world, device } = await syncedDevice();
      const tab = world.tab(device);
      tab.server.conditions.passes = passes;
      tab.start();
      await world.clock.advance(20_000);
      expect(tab.status.isStreamBuffered).toBe(true);
      tab.server.asked.length = 0;
      for (const titre of ['Orlando', 'Les Vagues', 'Flush']) {
        await world.add(titre);
        await world.clock.advance(11_000);
        expect(tab.titres).toContain(titre);
      }
      await world.clock.advance(MINUTE_MS);
      expect(tab.server.asked.length).toBeLessThan(12);
      tab.server.conditions.passes = 'all';
      await world.clock.advance(6 * MINUTE_MS);
      expect(tab.status.isStreamBuffered).toBe(false);
      tab.server.asked.length = 0;
      await world.add('Les Années');
      await world.clock.advance(1_000);
      expect(tab.isCurrent).toBe(true);
      await world.clock.advance(MINUTE_MS);
      expect(tab.server.asked.length).toBeLessThan(4);
    },
  );

  test('a restarted server is noticed within a minute', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(60 * MINUTE_MS);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ connection: 'online' });
  });

  test('a browser that deletes everything causes no new copy', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.server.asked.length = 0;
    for (let minute = 0; minute < 30; minute++) {
      device.evict();
      await world.add(`Livre ${String(minute)}`);
      await world.clock.advance(MINUTE_MS);
    }
    expect(tab.titres).toHaveLength(35);
    expect(tab.server.asked.length).toBeLessThan(120);
  });

  test('a hidden page sends no request', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.device.setVisible(false);
    tab.server.asked.length = 0;
    await world.add('Orlando');
    await world.clock.advance(60 * MINUTE_MS);
    expect(tab.server.asked).toEqual([]);
    expect(tab.server.streams).toBe(0);
    tab.device.setVisible(true);
    await world.clock.advance(1_000);
    expect(tab.titres).toContain('Orlando');
  });
});
