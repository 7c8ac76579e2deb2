import { describe, expect, test } from 'vitest';
import type { Change } from '#shared/replication';
import { Copy } from '../../src/lib/sync/copy.ts';
import type { Envelope } from '../../src/lib/sync/envelope.ts';
import { toEnvelopes } from '../../src/lib/sync/packs.ts';
import { unpacked } from '../../src/lib/sync/rx-storage.ts';
import type { Device, Tab } from './support/device.ts';
import { MINUTE_MS, openTab, settled } from './support/settled.ts';
import { shown, World } from './support/world.ts';

const BOOKS = 60;

/** Renames every book behind the back of a page that is hidden, which then sees all of it at once. */
async function renameAll(world: World, tab: Tab, round: number): Promise<void> {
  tab.engine.dispatch({ type: 'hidden' });
  for (const { id } of tab.records.livres)
    await world.ask('alice', 'PUT', `/api/livres/${String(id)}`, {
      titre: `Livre ${String(id)}, ${String(round)}`,
      format: 'Physique',
    });
  tab.engine.dispatch({ type: 'visible' });
  await world.clock.advance(MINUTE_MS);
}

async function reopened(world: World, device: Device): Promise<Tab> {
  const tab = await openTab(world, device, 'offline');
  await world.clock.advance(10);
  return tab;
}

describe('rows of many records', () => {
  test('hold a first copy, and give it back as it was', async () => {
    const world = await new World().open(900);
    const device = world.device();
    const tab = world.tab(device).start();
    await world.clock.advance(MINUTE_MS);
    expect(device.writes.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(30);
    await tab.close();
    expect(shown(await reopened(world, device))).toEqual(world.truth('alice'));
  });

  test('do not bring back what has changed or gone since', async () => {
    const { world, device } = await settled(BOOKS);
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    await world.ask('alice', 'PUT', '/api/livres/7', { titre: 'Orlando', format: 'Numerique' });
    await world.ask('alice', 'DELETE', '/api/livres/8');
    await world.clock.advance(MINUTE_MS);
    await renameAll(world, tab, 1);
    await world.ask('alice', 'DELETE', '/api/livres/9');
    await world.clock.advance(MINUTE_MS);
    await tab.close();
    const offline = await reopened(world, device);
    expect(shown(offline)).toEqual(world.truth('alice'));
    expect(offline.titres).toHaveLength(BOOKS - 2);
  });

  test('are kept as text, and read as well where they are not', () => {
    const [kept] = toEnvelopes(Array.from({ length: 40 }, (_, i) => change(i + 1, i + 1)));
    if (kept === undefined) throw new Error('nothing is kept');
    expect(unpacked(kept)).toBe(kept);
    const row = { ...kept, document: { text: JSON.stringify(kept.document) } };
    expect(unpacked(row)).toEqual(kept);
  });

  test('are read in any order: the latest revision of a record counts', async () => {
    const first = toEnvelopes(Array.from({ length: 40 }, (_, i) => change(i + 1, i + 1)));
    const later = toEnvelopes([change(7, 50)]);
    const found: Change[] = [];
    const copy = new Copy('copy', storageOf([...later, ...first]));
    await copy.read((changes) => Promise.resolve(void found.push(...changes)));
    expect(first).toHaveLength(1);
    expect(found.filter(({ id }) => id === 7)).toEqual([change(7, 50)]);
    expect(copy.news([change(7, 49), change(7, 51)])).toEqual([change(7, 51)]);
  });

  test('that are mostly of records changed since are to be made anew', async () => {
    const page = (from: number) =>
      toEnvelopes(Array.from({ length: 40 }, (_, i) => change(i + 1, from + i)));
    const readBack = async (...rows: readonly Envelope[]) => {
      const copy = new Copy('copy', storageOf(rows));
      await copy.read(() => Promise.resolve());
      return copy;
    };
    expect((await readBack(...page(1), ...page(100))).stale).toBe(false);
    expect((await readBack(...page(1), ...page(100), ...page(200))).stale).toBe(true);
  });

  test('that are on their way to the device are not without room there', async () => {
    const copy = new Copy('copy', storageOf([]));
    const written = copy.apply([change(1, 1)], { epoque: 'epoque', revision: 1, whole: true });
    expect(copy.storage).toBeNull();
    await written;
    expect(copy.storage).toBeNull();
  });
});

const change = (id: number, revision: number) =>
  ({ collection: 'auteurs', id, revision, document: null }) as const satisfies Change;

const storageOf = (rows: readonly Envelope[]) => ({
  read: (receive: (envelopes: readonly Envelope[]) => Promise<void>) => receive(rows),
  write: () => Promise.resolve(),
  get: () => Promise.resolve(null),
  close: () => Promise.resolve(),
});
