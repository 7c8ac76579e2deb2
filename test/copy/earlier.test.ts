import { describe, expect, test } from 'vitest';
import type { Change } from '#shared/replication';
import type { Device } from './support/device.ts';
import { MINUTE_MS, openTab } from './support/settled.ts';
import { shown, World } from './support/world.ts';

/** A house of five books, and a device on which the application's first version has kept three of them. */
async function moved(): Promise<{ world: World; device: Device }> {
  const world = await new World().open(5);
  const device = world.device();
  const documents = Object.values(world.truth('alice', ['livres'])).slice(0, 3);
  const changes = documents.map(
    (document) =>
      ({
        collection: 'livres',
        id: Reflect.get(document as object, 'id') as number,
        revision: 0,
        document,
      }) as Change,
  );
  device.earlier = { checkpoint: { epoque: 'none', revision: 0 }, changes };
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
  ])('is current soon after its return: %s', async (_, conditions, pageMs) => {
    const { world, device } = await moved();
    Object.assign(device.conditions, conditions);
    const tabs = [await openTab(world, device, 'offline'), await openTab(world, device, 'offline')];
    await world.clock.advance(10 * MINUTE_MS);
    for (const tab of tabs) expect(tab.titres).toHaveLength(3);
    for (const { server } of tabs)
      Object.assign(server.conditions, { fails: null, pageMs: () => pageMs });
    await world.clock.advance(2 * MINUTE_MS);
    for (const tab of tabs) expect(tab.isCurrent).toBe(true);
    for (const tab of tabs) expect(shown(tab)).toEqual(world.truth('alice'));
    expect([device.earlier, device.copies.length]).toEqual([null, 1]);
  });

  test('is current within a minute when the house returns mid-opening', async () => {
    const { world, device } = await moved();
    device.conditions.earlierMs = 30_000;
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(5_000);
    tab.server.conditions.fails = null;
    tab.device.refresh();
    await world.clock.advance(MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('is current within a minute without a reader noted before', async () => {
    const { world, device } = await moved();
    device.notes.clear();
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(10 * MINUTE_MS);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(tab.status).toMatchObject({ reader: 'alice' });
    expect(shown(tab)).toEqual(world.truth('alice'));
  });
});

describe('a device with a copy of an earlier version', () => {
  test('keeps it where an empty house answers, and asks', async () => {
    const { world, device } = await moved();
    await world.open(0, { another: true });
    const tab = await openTab(world, device);
    await world.clock.advance(60 * MINUTE_MS);
    expect(tab.titres).toHaveLength(3);
    expect(tab.status).toMatchObject({
      connection: 'otherHousehold',
      other: { livres: 0, isAsked: true, answer: null },
    });
    await tab.close();
    expect((await openTab(world, device, 'offline')).titres).toHaveLength(3);
  });

  test.each([0, 60_000])(
    'keeps it where a larger house answers that has none of its records, and asks (%i ms a page)',
    async (pageMs) => {
      const { world, device } = await moved();
      const { checkpoint, changes = [] } = device.earlier ?? {};
      const elsewhere = ({ document, ...change }: Change): Change =>
        ({
          ...change,
          document: { ...document, titre: `Ailleurs ${String(change.id)}` },
        }) as Change;
      if (checkpoint) device.earlier = { checkpoint, changes: changes.map(elsewhere) };
      const tab = world.tab(device);
      tab.server.conditions.pageMs = () => pageMs;
      tab.start();
      await world.clock.advance(10 * MINUTE_MS);
      expect(tab.titres.toSorted()).toEqual(['Ailleurs 1', 'Ailleurs 2', 'Ailleurs 3']);
      expect(tab.status).toMatchObject({
        connection: 'otherHousehold',
        bibliotheque: '',
        other: { livres: 5, isAsked: true, answer: null },
      });
      tab.device.library?.answer('take');
      await world.clock.advance(10 * MINUTE_MS);
      expect(shown(tab)).toEqual(world.truth('alice'));
      expect(tab.status.bibliotheque).toBe(world.context.database.householdId);
    },
  );

  test('goes on with it from where it had come', async () => {
    const { world, device } = await moved();
    const before = world.tab(world.device()).start();
    await world.clock.advance(MINUTE_MS);
    const changes = before.server.sent;
    expect(changes).toBeGreaterThan(0);
    const page = await before.server.pull(
      null,
      { limit: 100, modifications: false },
      AbortSignal.timeout(60_000),
    );
    const { epoque, revision, changements } = page;
    device.earlier = { checkpoint: { epoque, revision }, changes: changements };
    await world.add('Orlando');
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(shown(tab)).toEqual(world.truth('alice'));
    expect(tab.status.bibliotheque).toBe(world.context.database.householdId);
    expect(device.copies).toHaveLength(1);
    expect(device.earlier).toBeNull();
  });

  test('takes nothing back where another tab has made it a copy and gone on meanwhile', async () => {
    const { world, device } = await moved();
    device.conditions.earlierMs = 20_000;
    const slow = await openTab(world, device, 'offline');
    device.conditions.earlierMs = 0;
    const quick = await openTab(world, device);
    await world.clock.advance(10_000);
    expect(shown(quick)).toEqual(world.truth('alice'));
    await world.clock.advance(30_000);
    await Promise.all([slow.close(), quick.close()]);
    const offline = await openTab(world, device, 'offline');
    expect(shown(offline)).toEqual(world.truth('alice'));
  });
});
