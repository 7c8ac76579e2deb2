import { describe, expect, test } from 'vitest';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { pass } from './support/virtual-clock.ts';
import { shown, World } from './support/world.ts';

describe('several tabs', () => {
  test('one pulls, all show', async () => {
    const { world, device } = await syncedDevice();
    const [a, b] = [world.tab(device).start(), world.tab(device).start()];
    await world.clock.advance(MINUTE_MS);
    a.server.asked.length = b.server.asked.length = device.writes.length = 0;
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect([...a.server.asked, ...b.server.asked]).toEqual(['pull']);
    expect(device.writes).toHaveLength(1);
    for (const tab of [a, b]) expect(tab.titres).toContain('Orlando');
    await a.close();
    await world.add('Flush');
    await world.clock.advance(MINUTE_MS);
    expect(b.titres).toContain('Flush');
    expect(shown(b)).toEqual(world.truth('alice'));
  });

  test('take the next copy together, and the old copy goes', async () => {
    const { world, device } = await syncedDevice();
    const [a, b] = [world.tab(device).start(), world.tab(device).start()];
    await world.clock.advance(MINUTE_MS);
    await world.open();
    await world.add('Orlando');
    for (const { server } of [a, b]) server.breakStreams();
    await world.clock.advance(MINUTE_MS);
    a.device.replicas?.answer('take');
    await world.clock.advance(3 * MINUTE_MS);
    for (const tab of [a, b]) expect(tab.titres).toEqual(['Orlando']);
    expect(device.replicas).toHaveLength(1);
    await world.add('Flush');
    await world.clock.advance(MINUTE_MS);
    for (const tab of [a, b]) expect(tab.titres).toEqual(['Flush', 'Orlando']);
  });

  test('a following tab’s write is pulled by the leading one', async () => {
    const { world, device } = await syncedDevice();
    const [a, b] = [world.tab(device).start(), world.tab(device).start()];
    await world.clock.advance(MINUTE_MS);
    a.server.conditions.noStream = true;
    a.server.breakStreams();
    await world.clock.advance(500);
    await world.add('Orlando');
    const shownAt = b.device.waitForRevision(world.context.database.revision());
    await world.clock.advance(200);
    await shownAt;
    expect(b.titres).toContain('Orlando');
  });

  test.each([20, 60, 100])(
    'a fresh copy is filled, another leading %i turns later',
    async (turns) => {
      const { world, device } = await syncedDevice();
      const [a, b] = [await openTab(world, device), await openTab(world, device)];
      await world.clock.advance(MINUTE_MS);
      device.conditions.readTurns = 25;
      a.device.refresh();
      const shown = Promise.withResolvers<undefined>();
      a.records.subscribe('livres', () => shown.resolve(undefined));
      const takingOver = world.clock.real(
        shown.promise.then(async () => {
          a.device.replicas?.rebuild();
          await pass(turns);
          b.device.refresh();
        }),
      );
      await world.add('Orlando');
      await world.clock.advance(1_000);
      await takingOver;
      await world.clock.advance(15_000);
      expect([a, b].map(({ status }) => status.rebuilding)).toEqual([null, null]);
      expect(a.titres).toContain('Orlando');
    },
  );

  test('all replicate where there are no locks, and end equal', async () => {
    const { world, device } = await syncedDevice();
    device.locks = null;
    const tabs = [await openTab(world, device), await openTab(world, device)];
    await world.clock.advance(MINUTE_MS);
    for (const { server } of tabs) server.asked.length = 0;
    await world.add('Orlando');
    await world.ask('alice', 'DELETE', '/api/livres/1');
    await world.clock.advance(MINUTE_MS);
    for (const tab of tabs) {
      expect(tab.server.asked).toContain('pull');
      expect(tab.status).toMatchObject({ isLeader: true, storage: null });
      expect(shown(tab)).toEqual(world.truth('alice'));
      await tab.close();
    }
    const later = await openTab(world, device, 'offline');
    expect(shown(later)).toEqual(world.truth('alice'));
  });

  test('a tab that receives a page late shows it', async () => {
    const { world, device } = await syncedDevice();
    device.locks = null;
    const [a, b] = [await openTab(world, device), await openTab(world, device)];
    await world.clock.advance(MINUTE_MS);
    b.server.conditions.fails = 'offline';
    b.server.breakStreams();
    device.isConnected$.next(false);
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(a.titres).toContain('Orlando');
    // The tab pulls from the stored checkpoint, which is ahead of its screen.
    b.server.conditions.fails = null;
    b.server.asked.length = 0;
    await world.clock.advance(MINUTE_MS);
    expect(b.server.asked).toContain('pull');
    expect(b.titres).not.toContain('Orlando');
    device.isConnected$.next(true);
    await world.clock.advance(MINUTE_MS);
    for (const tab of [a, b]) expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('every tab shows what came before a pull broke off', async () => {
    const world = await new World().open(700);
    const device = world.device();
    const tabs = [world.tab(device), world.tab(device)];
    for (const { server } of tabs) server.conditions.pageMs = (changes) => changes * 10;
    for (const tab of tabs) tab.start();
    await world.clock.advance(3_000);
    for (const { server } of tabs) {
      server.conditions.fails = 'offline';
      server.breakStreams();
    }
    await world.clock.advance(MINUTE_MS);
    const [some = []] = tabs.map(({ titres }) => titres);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(700);
    tabs.push(await openTab(world, device, 'offline'));
    for (const { titres } of tabs) expect(titres).toEqual(some);
    for (const { server } of tabs) server.conditions.fails = null;
    await world.clock.advance(10 * MINUTE_MS);
    for (const tab of tabs) expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('every tab shows all that the full device cannot keep', async () => {
    const { world, device } = await syncedDevice();
    const [a, b] = [await openTab(world, device), await openTab(world, device)];
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    const c = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    for (const tab of [a, b, c]) expect(tab.titres).toContain('Orlando');
    device.conditions.room = Infinity;
    await world.add('Flush');
    await world.clock.advance(10 * MINUTE_MS);
    for (const tab of [a, b, c]) expect(shown(tab)).toEqual(world.truth('alice'));
    for (const tab of [a, b, c]) await tab.close();
    expect((await openTab(world, device, 'offline')).titres).toContain('Orlando');
  });

  test('a tab that opens during the first copy shows it', async () => {
    const world = await new World().open(700);
    const device = world.device();
    const a = world.tab(device);
    a.server.conditions.pageMs = (changes) => changes * 10;
    a.start();
    await world.clock.advance(3_000);
    const b = world.tab(device);
    b.server.conditions.pageMs = a.server.conditions.pageMs;
    b.start();
    await world.clock.settle();
    expect(b.titres.length).toBeGreaterThan(0);
    expect(b.titres.length).toBeLessThan(700);
    await world.clock.advance(MINUTE_MS);
    expect(b.records.replica).toMatchObject({ isOpening: false, isReady: true, progress: null });
    expect(shown(b)).toEqual(world.truth('alice'));
    expect(device.replicas).toHaveLength(1);
  });

  test('a tab that opens beside another knows its connection', async () => {
    const { world, device } = await syncedDevice();
    const a = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    const b = await openTab(world, device);
    await world.clock.advance(100);
    for (const tab of [a, b]) {
      expect(tab.status).toMatchObject({ connection: 'online' });
      expect(tab.device.lastUpdate?.getTime()).toBe(b.device.lastUpdate?.getTime());
    }
    expect(Number.isFinite(b.status.syncedAtTick)).toBe(true);
  });

  test('no tab ever shows a book without its author', async () => {
    const { world, device } = await syncedDevice();
    const tabs = [await openTab(world, device), await openTab(world, device)];
    await world.clock.advance(MINUTE_MS);
    const orphans: string[] = [];
    for (const { records } of tabs)
      for (const topic of ['livres', 'auteurs'] as const)
        records.subscribe(topic, () => {
          for (const { titre, auteurs } of records.livres)
            for (const { id } of auteurs) if (!records.tables.auteurs.has(id)) orphans.push(titre);
        });
    for (let i = 0; i < 10; i++) await world.add(`Roman ${String(i)}`, [`Autrice ${String(i)}`]);
    await world.clock.advance(MINUTE_MS);
    for (const tab of tabs) expect(tab.titres).toHaveLength(15);
    expect(orphans).toEqual([]);
  });

  test('news of another reader while opening offline hides no library', async () => {
    const { world, device } = await syncedDevice();
    device.conditions.openMs = 5_000;
    const tab = world.tab(device);
    tab.start();
    await world.clock.advance(1_000);
    tab.server.conditions.fails = 'offline';
    tab.onMessage({ type: 'reads', reader: 'bob' });
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
  });
});
