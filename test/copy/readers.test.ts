import { describe, expect, test, vi } from 'vitest';
import { Failure, type FailureKind } from '../../src/lib/sync/status.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { shown, World } from './support/world.ts';

describe('never another’s', () => {
  test('a page for another reader is never applied', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    await world.ask('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
    tab.server.asked.length = 0;
    tab.server.conditions.user = 'bob';
    await world.add('Orlando');
    await world.clock.settle();
    await world.clock.advance(MINUTE_MS);
    expect(tab.server.asked.slice(0, 2)).toEqual(['pull', 'identify']);
    expect(tab.status.reader).toBe('bob');
    expect(tab.records.statuts.get(1)).toBe(2);
    await tab.close();
    const alice = world.tab(device);
    alice.server.conditions.fails = 'offline';
    device.notes.set('reader', { utilisateur: 'alice', email: null, nomComplet: null });
    alice.start();
    await world.clock.settle();
    expect(alice.records.statuts.size).toBe(0);
    expect(alice.titres).not.toContain('Orlando');
  });

  test('a start with another reader never shows the last one’s', async () => {
    const { world, device } = await syncedDevice();
    await world.ask('alice', 'PUT', '/api/livres/1/statut', { statut: 2 });
    const first = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(first.records.statuts.size).toBe(1);
    await first.close();
    const tab = world.tab(device, 'bob');
    const seen: number[] = [];
    tab.records.subscribe('statuts', () => seen.push(tab.records.statuts.size));
    tab.start();
    await world.clock.advance(MINUTE_MS);
    expect(seen).not.toContain(1);
    expect(tab.titres).toHaveLength(5);
  });

  test.each<FailureKind>(['offline', 'serverFailing', 'sessionExpired'])(
    'a start with another reader never shows the last one’s where the question about their household fails (%s)',
    async (kind) => {
      const { world, device } = await syncedDevice();
      await (await openTab(world, device)).close();
      const tab = world.tab(device, 'bob');
      vi.spyOn(tab.server, 'pull').mockRejectedValueOnce(new Failure(kind));
      const readers: unknown[] = [];
      tab.device.subscribe(() => readers.push(tab.status.reader));
      tab.start();
      await world.clock.advance(MINUTE_MS);
      expect(readers).not.toContain('alice');
      expect(tab.device.moi).toMatchObject({ utilisateur: 'bob' });
      expect(shown(tab)).toEqual(world.truth('bob'));
      expect(device.replicas).toHaveLength(2);
    },
  );

  test('a start with another reader waits for the question about the last one’s household no longer than for who reads', async () => {
    const { world, device } = await syncedDevice();
    await (await openTab(world, device)).close();
    const tab = world.tab(device, 'bob');
    tab.server.conditions.pageMs = () => MINUTE_MS;
    tab.start();
    await world.clock.advance(5_000);
    expect(tab.status.reader).toBe('bob');
  });

  test('a reader who changes mid-pull gets their own copy', async () => {
    const world = await new World().open(500);
    await world.ask('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
    const device = world.device();
    const tab = world.tab(device);
    tab.server.conditions.pageMs = (changes) => changes * 10;
    tab.start();
    await world.clock.advance(3_000);
    tab.server.conditions.user = 'bob';
    await world.clock.advance(5 * MINUTE_MS);
    expect(tab.status).toMatchObject({ reader: 'bob', connection: 'online' });
    expect(shown(tab)).toEqual(world.truth('bob'));
    tab.server.conditions.user = 'alice';
    await world.add('Orlando');
    await world.clock.advance(5 * MINUTE_MS);
    expect(tab.status).toMatchObject({ reader: 'alice', connection: 'online' });
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('a sign-on that alternates two readers respects the back-off', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.server.conditions.page = (page) => ({ ...page, utilisateur: 'bob' });
    tab.server.asked.length = 0;
    await world.add('Orlando');
    await world.clock.advance(10 * MINUTE_MS);
    expect(tab.server.asked.length).toBeLessThan(30);
    expect(tab.titres).toHaveLength(5);
  });
});

test('readers who were leaving are gone after a start', async () => {
  const { world, device } = await syncedDevice();
  device.notes.set('leaving', ['bob', 'carol']);
  await openTab(world, device);
  expect(device.notes.get('leaving')).toEqual([]);
});

test('an aborted request for the reader is sent again', async () => {
  const { world, device } = await syncedDevice();
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  vi.spyOn(tab.server, 'identify').mockImplementationOnce(() => new Promise(() => undefined));
  void tab.device.identify();
  const other = world.tab(device);
  await other.device.forget('alice');
  await world.clock.advance(MINUTE_MS);
  expect(tab.status).toMatchObject({ reader: 'alice', isComplete: true });
  expect(tab.titres).toHaveLength(5);
});

test.each<FailureKind>(['serverFailing', 'offline'])(
  'on a first visit the reader is requested again (%s)',
  async (kind) => {
    const world = await new World().open(5);
    const tab = world.tab(world.device(), null);
    vi.spyOn(tab.server, 'identify').mockRejectedValueOnce(new Failure(kind));
    tab.start();
    await world.clock.advance(MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(tab.device.moi).toMatchObject({ utilisateur: null });
  },
);
