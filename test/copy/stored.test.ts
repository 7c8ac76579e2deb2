import { describe, expect, test } from 'vitest';
import type { Device, Tab } from './support/device.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import type { World } from './support/world.ts';

/** A device with a replica that RxDB opens slowly; no tab is open. */
async function slow(): Promise<{ world: World; device: Device }> {
  const { world, device } = await syncedDevice();
  await world.ask('alice', 'PUT', '/api/livres/1/statut', { statut: 1 });
  await world.ask('alice', 'POST', '/api/livres/2/prets', { emprunteur: 'Luc' });
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  await tab.close();
  device.conditions.openMs = 30_000;
  return { world, device };
}

async function opening(world: World, tab: Tab): Promise<Tab> {
  await world.clock.advance(1_000);
  expect(tab.status.isOpen).toBe(false);
  return tab;
}

describe('the rows that the list began with', () => {
  /** The same device with these books stored, whose storage is also read slowly. */
  async function noted(...ids: readonly number[]): Promise<{ world: World; device: Device }> {
    const { world, device } = await slow();
    device.conditions.openMs = 0;
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.device.noteFirst(ids);
    await tab.close();
    device.conditions.storedMs = 30_000;
    return { world, device };
  }

  test('is shown before the copy is read', async () => {
    const { world, device } = await noted(1, 2);
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(1_000);
    expect(tab.titres).toEqual(['Livre 00001', 'Livre 00002']);
    expect(tab.records.replica).toMatchObject({ isOpening: true, isReady: false });
    expect(tab.records.statuts.get(1)).toBe(1);
    expect(tab.records.catalogue.openPret(2)).toMatchObject({ emprunteur: 'Luc' });
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.records.revisionOf('livres', 1)).toBeGreaterThan(0);
  });

  test('is replaced by later changes', async () => {
    const { world, device } = await noted(1, 2);
    const [key = ''] = [...device.notes.keys()].filter((name) => name.startsWith('first'));
    const note = JSON.stringify(device.notes.get(key));
    const stale = note.replaceAll('Livre 00001', 'Vieux titre').replaceAll('"id":2,', '"id":77,');
    device.notes.set(key, JSON.parse(stale));
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(1_000);
    expect(tab.titres).toContain('Vieux titre');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toEqual(['1', '2', '3', '4', '5'].map((nth) => `Livre 0000${nth}`));
  });

  test('stays without its replica until another is complete', async () => {
    const { world, device } = await noted(1, 3);
    device.evict();
    await world.ask('alice', 'DELETE', '/api/livres/3');
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toEqual(['Livre 00001', 'Livre 00003']);
    expect(tab.records.replica.isReady).toBe(false);
    tab.server.conditions.fails = null;
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(tab.titres).toEqual(['Livre 00001', 'Livre 00002', 'Livre 00004', 'Livre 00005']);
  });

  test('is shown to its reader alone, on their list', async () => {
    const { world, device } = await noted(1, 2);
    device.conditions.openMs = 30_000;
    const elsewhere = world.tab(device).start({ showsBooks: false });
    const bob = world.tab(device, 'bob').start();
    await world.clock.advance(1_000);
    expect([elsewhere.titres, bob.titres]).toEqual([[], []]);
  });

  test('is not noted if the device cannot store it', async () => {
    const { world, device } = await slow();
    device.conditions.openMs = 0;
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    const id = await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toContain('Orlando');
    tab.device.noteFirst([id]);
    expect([...device.notes.keys()].filter((key) => key.startsWith('first'))).toEqual([]);
  });
});

describe('the copy as it is stored', () => {
  test('is shown before RxDB has opened it', async () => {
    const { world, device } = await slow();
    const tab = await opening(world, await openTab(world, device, 'offline'));
    expect(tab.titres).toHaveLength(5);
    expect(tab.records.replica).toMatchObject({ isOpening: false, isReady: true });
    expect(tab.records.statuts.get(1)).toBe(1);
    expect(tab.records.catalogue.openPret(2)).toMatchObject({ emprunteur: 'Luc' });
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
  });

  test('is read once where nothing has been written since', async () => {
    const { world, device } = await slow();
    device.conditions.readsFail = 1;
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(MINUTE_MS);
    expect([tab.status.isOpen, device.conditions.readsFail]).toEqual([true, 1]);
  });

  test('is not shown to another reader', async () => {
    const { world, device } = await slow();
    const tab = world.tab(device, 'bob').start();
    await world.clock.advance(1_000);
    expect(tab.status.reader).toBe('bob');
    expect(tab.titres).toEqual([]);
  });

  test('is updated by another tab’s later writes', async () => {
    const { world, device } = await slow();
    device.conditions.openMs = 0;
    await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.openMs = 30_000;
    const late = await opening(world, await openTab(world, device));
    await world.add('Orlando');
    await world.clock.advance(1_000);
    expect(late.titres).not.toContain('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(late.titres).toContain('Orlando');
  });

  test('is the replacement of an earlier one', async () => {
    const { world, device } = await slow();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    await world.open(7, { another: true });
    tab.device.replicas?.pull(Infinity);
    await world.clock.advance(1_000);
    tab.device.replicas?.answer('take');
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    await tab.close();
    const later = await opening(world, await openTab(world, device, 'offline'));
    expect(later.titres).toHaveLength(7);
  });

  test('stays where RxDB cannot open it', async () => {
    const { world, device } = await slow();
    device.conditions.opensFail = Infinity;
    const tab = await openTab(world, device, 'offline');
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.status.storage).toBe('storageBlocked');
  });
});
