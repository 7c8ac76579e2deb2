import { describe, expect, test } from 'vitest';
import { MINUTE_MS, openTab, settled } from './support/settled.ts';
import { shown, World } from './support/world.ts';

describe('several tabs', () => {
  test('one pulls, all show', async () => {
    const { world, device } = await settled();
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

  test('take the successor together, and the old copy goes', async () => {
    const { world, device } = await settled();
    const [a, b] = [world.tab(device).start(), world.tab(device).start()];
    await world.clock.advance(MINUTE_MS);
    await world.open();
    await world.add('Orlando');
    for (const { server } of [a, b]) server.breakStreams();
    await world.clock.advance(MINUTE_MS);
    for (const tab of [a, b]) expect(tab.titres).toEqual(['Orlando']);
    expect(device.databases.size).toBe(1);
    await world.add('Flush');
    await world.clock.advance(MINUTE_MS);
    for (const tab of [a, b]) expect(tab.titres).toEqual(['Flush', 'Orlando']);
  });

  test('a write of a tab that follows is pulled by the one that leads', async () => {
    const { world, device } = await settled();
    const [a, b] = [world.tab(device).start(), world.tab(device).start()];
    await world.clock.advance(MINUTE_MS);
    a.server.conditions.noStream = true;
    a.server.breakStreams();
    await world.clock.advance(500);
    await world.add('Orlando');
    const shownAt = b.engine.reach(world.context.database.revision());
    await world.clock.advance(200);
    await shownAt;
    expect(b.titres).toContain('Orlando');
  });

  test('a tab that opens later shows what there was no room to keep', async () => {
    const { world, device } = await settled();
    const a = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(a.engine.state.storage).toBe('storageFull');
    const b = await openTab(world, device);
    await world.clock.advance(0);
    expect(shown(b)).toEqual(shown(a));
    device.conditions.room = Infinity;
    await world.add('Flush');
    await world.clock.advance(2 * MINUTE_MS);
    for (const tab of [a, b]) expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('what one tab only heard is on the device once there is room, though the other is closed', async () => {
    const { world, device } = await settled();
    const [a, b] = [await openTab(world, device), await openTab(world, device)];
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(b.titres).toContain('Orlando');
    await a.close();
    device.conditions.room = Infinity;
    await world.clock.advance(2 * MINUTE_MS);
    await b.close();
    const c = await openTab(world, device, 'offline');
    expect(c.titres).toContain('Orlando');
  });

  test('a successor made in one tab alone is taken by the others once it is on the device', async () => {
    const { world, device } = await settled();
    const a = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    Object.assign(device.conditions, { writesFail: 2, room: 0 });
    await world.add('Orlando');
    await world.clock.advance(10 * MINUTE_MS);
    const b = await openTab(world, device);
    Object.assign(device.conditions, { room: Infinity, deletesWait: true });
    await world.clock.advance(2 * MINUTE_MS);
    for (const tab of [a, b]) expect(shown(tab)).toEqual(world.truth('alice'));
    // From here on it is b that writes, and a later start has to find that.
    await a.close();
    await world.add('Flush');
    await world.clock.advance(2 * MINUTE_MS);
    await b.close();
    const c = await openTab(world, device, 'offline');
    expect(c.titres).toEqual(expect.arrayContaining(['Flush', 'Orlando']));
  });

  test('a tab that reads of the finished first copy while it opens shows it', async () => {
    const world = await new World().open(5);
    const device = world.device();
    // What the leader notes arrives while the other one looks for a copy of an earlier version.
    Object.assign(device.conditions, { earlierMs: 200, notesMs: 100 });
    const a = world.tab(device);
    a.server.conditions.pageMs = () => 300;
    a.start();
    while (a.engine.state.phase !== 'current') await world.clock.advance(10);
    const b = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(shown(b)).toEqual(world.truth('alice'));
    expect(device.databases.size).toBe(1);
  });

  test('told of another reader while it opens, without the server: the library shows all the same', async () => {
    const { world, device } = await settled();
    device.conditions.openMs = 5_000;
    const tab = world.tab(device);
    tab.start();
    await world.clock.advance(1_000);
    tab.server.conditions.fails = 'offline';
    tab.hear({ type: 'reader', reader: 'bob' });
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
  });
});
