import { describe, expect, test, vi } from 'vitest';
import type { ReplicaNote } from '../../src/lib/sync/ports.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { shown, World } from './support/world.ts';

describe('a first copy', () => {
  test('over 256 kbit/s is shown at once, and becomes complete', async () => {
    const world = await new World().open(900);
    const device = world.device();
    const tab = world.tab(device);
    // About 100 bytes per compressed record, on a line of 32 bytes per millisecond.
    tab.server.conditions.pageMs = (changes) => 400 + (changes * 100) / 32;
    tab.start();
    await world.clock.advance(1_200);
    expect(tab.titres.length).toBeGreaterThan(0);
    expect(tab.records.replica.progress?.received).toBeGreaterThan(0);
    await world.clock.advance(20_000);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('requests the next page before writing the last one', async () => {
    const world = await new World().open(450);
    const device = world.device();
    const tab = world.tab(device);
    const pull = vi.spyOn(tab.server, 'pull');
    const written = vi.spyOn(device.writes, 'push');
    tab.start();
    await world.clock.advance(MINUTE_MS);
    const [, second] = pull.mock.invocationCallOrder;
    expect(second).toBeLessThan(written.mock.invocationCallOrder[0] ?? 0);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('starts over if the epoch changes in the middle', async () => {
    const world = await new World().open(450);
    const device = world.device();
    const tab = world.tab(device);
    tab.server.conditions.pageMs = (changes) => changes * 10;
    tab.start();
    await world.clock.advance(2_500);
    await world.open(3);
    await world.clock.advance(5 * MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ isComplete: true });
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('on demand is built beside the old one', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    const [old] = device.replicas;
    tab.server.conditions.pageMs = (changes) => changes * 100;
    tab.device.replicas?.rebuild();
    await world.clock.advance(10);
    await world.add('Orlando');
    const written = tab.device.waitForRevision(world.context.database.revision());
    await world.clock.advance(1_000);
    await written;
    expect(tab.titres).toContain('Orlando');
    expect(tab.status.rebuilding).not.toBeNull();
    await world.clock.advance(3 * MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(device.replicas).not.toContain(old);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('shows its own write before the write is confirmed', async () => {
    const world = await new World().open(50);
    const tab = world.tab(world.device());
    tab.server.conditions.pageMs = () => 700;
    tab.start();
    await world.clock.advance(100);
    await world.add('Orlando');
    const shownThen = tab.device
      .waitForRevision(world.context.database.revision())
      .then(() => tab.titres.includes('Orlando'));
    await world.clock.advance(5_000);
    expect(await shownThen).toBe(true);
  });

  test('does not delay a write', async () => {
    const world = await new World().open(900);
    const tab = world.tab(world.device());
    tab.server.conditions.pageMs = (changes) => changes * 100;
    tab.start();
    await world.clock.advance(100);
    await world.add('Orlando');
    let isOver = false;
    void tab.device.waitForRevision(world.context.database.revision()).then(() => (isOver = true));
    await world.clock.advance(3_000);
    expect([isOver, tab.status.isComplete]).toEqual([true, false]);
  });

  test('shows its first page while RxDB is loaded', async () => {
    const world = await new World().open(2_000);
    const device = world.device();
    device.conditions.loadMs = 30_000;
    const tab = world.tab(device);
    tab.server.conditions.pageMs = () => 5_000;
    tab.start();
    await world.clock.advance(6_000);
    expect(tab.titres).toHaveLength(200);
    expect(tab.records.replica).toMatchObject({
      isOpening: true,
      isReady: false,
      progress: { received: tab.records.size },
    });
    await world.clock.advance(31_000);
    expect(tab.titres.length).toBeGreaterThan(200);
    expect(tab.records.replica.isReady).toBe(false);
    await world.clock.advance(2 * MINUTE_MS);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('requests two pages only while RxDB is being loaded', async () => {
    const world = await new World().open(2_000);
    const device = world.device();
    device.conditions.loadMs = 30_000;
    const tab = world.tab(device);
    const pull = vi.spyOn(tab.server, 'pull');
    tab.start();
    await world.clock.advance(20_000);
    expect(pull.mock.calls.map(([, { limit }]) => limit)).toEqual([200, 800]);
    await world.clock.advance(2 * MINUTE_MS);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('renders only twice if its pages arrive quickly', async () => {
    const world = await new World().open(2_000);
    const device = world.device();
    // The first page arrives before RxDB is loaded.
    device.conditions.loadMs = 100;
    const tab = world.tab(device);
    const pull = vi.spyOn(tab.server, 'pull');
    const drawn: number[] = [];
    tab.records.subscribe('livres', () => drawn.push(tab.titres.length));
    tab.start();
    while (!tab.records.replica.isReady) await world.clock.advance(10);
    expect(pull.mock.calls.length).toBeGreaterThan(2);
    expect(drawn.filter((count) => count > 0)).toEqual([200, 2_000]);
  });

  test('renders the received pages if no more follow', async () => {
    const world = await new World().open(2_000);
    const tab = world.tab(world.device());
    tab.server.conditions.pageMs = (changes) => changes * 5;
    const drawn: number[] = [];
    tab.records.subscribe('livres', () => drawn.push(tab.titres.length));
    tab.start();
    await world.clock.advance(5_500);
    tab.server.conditions.fails = 'offline';
    await world.clock.advance(MINUTE_MS);
    expect(tab.status).toMatchObject({ connection: 'offline', isComplete: false });
    expect(tab.titres.length).toBeGreaterThanOrEqual(1_000);
    expect(drawn.at(-1)).toBe(tab.titres.length);
  });

  test('drops records deleted after its first page was shown', async () => {
    const world = await new World().open(300);
    const device = world.device();
    device.conditions.loadMs = 30_000;
    const tab = world.tab(device).start();
    await world.clock.advance(6_000);
    expect(tab.titres[0]).toBe('Livre 00001');
    await world.ask('alice', 'DELETE', '/api/livres/1');
    // The replica that another tab creates meanwhile must not contain it.
    device.conditions.loadMs = 0;
    world.tab(device).start();
    await world.clock.advance(2 * MINUTE_MS);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('left complete but unused serves the browser’s next start', async () => {
    const world = await new World().open();
    const device = world.device();
    const tab = world.tab(device).start();
    await world.clock.advance(MINUTE_MS);
    await tab.close();
    const { inUse } = device.notes.get('copy|alice') as ReplicaNote;
    device.notes.set('copy|alice', { inUse: null, next: inUse });
    const later = world.tab(device);
    later.server.conditions.fails = 'offline';
    later.start();
    await world.clock.settle();
    expect(later.records.replica).toMatchObject({ isReady: true, progress: null });
    expect(shown(later)).toEqual(world.truth('alice'));
  });

  test('left complete beside another takes its place', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    const before = device.notes.get('copy|alice') as ReplicaNote;
    tab.device.replicas?.rebuild();
    await world.clock.advance(2_000);
    const { inUse: next } = device.notes.get('copy|alice') as ReplicaNote;
    expect([next === before.inUse, device.replicas.length]).toEqual([false, 2]);
    await tab.close();
    // As after a crash between the last page and the note.
    device.notes.set('copy|alice', { inUse: before.inUse, next, other: null });
    const later = await openTab(world, device);
    await world.clock.advance(5_000);
    expect(device.notes.get('copy|alice')).toEqual({ inUse: next, next: null, other: null });
    expect([later.server.sent, shown(later)]).toEqual([0, world.truth('alice')]);
  });
});
