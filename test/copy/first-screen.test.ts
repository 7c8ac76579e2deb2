import { describe, expect, test } from 'vitest';
import type { Device, Tab } from './support/device.ts';
import { MINUTE_MS, openTab, settled } from './support/settled.ts';
import type { World } from './support/world.ts';

/** A device that has noted the first books of its list, opens its copy slowly, and has no tab open. */
async function noted(...ids: readonly number[]): Promise<{ world: World; device: Device }> {
  const { world, device } = await settled();
  await world.ask('alice', 'PUT', '/api/livres/1/statut', { statut: 1 });
  await world.ask('alice', 'POST', '/api/livres/2/prets', { emprunteur: 'Luc' });
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.device.keepFirstScreen(ids);
  await tab.close();
  device.conditions.openMs = 30_000;
  return { world, device };
}

async function opening(world: World, tab: Tab): Promise<Tab> {
  await world.clock.advance(1_000);
  expect(tab.records.copy.isOpening).toBe(true);
  return tab;
}

describe('the first screen', () => {
  test('is shown while the copy is being read', async () => {
    const { world, device } = await noted(1, 2);
    const tab = await opening(world, await openTab(world, device, 'offline'));
    expect(tab.titres).toEqual(['Livre 00001', 'Livre 00002']);
    expect(tab.records.statuts.get(1)).toBe(1);
    expect(tab.records.catalogue.openPret(2)).toMatchObject({ emprunteur: 'Luc' });
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(5);
    expect(tab.records.copy).toMatchObject({ isOpening: false, isReady: true });
  });

  test('is not shown to another reader', async () => {
    const { world, device } = await noted(1, 2);
    const tab = world.tab(device, 'bob').start();
    await world.clock.advance(1_000);
    expect(tab.status.reader).toBe('bob');
    expect(tab.titres).toEqual([]);
  });

  test('is not shown where a page begins with something else', async () => {
    const { world, device } = await noted(1, 2);
    const tab = world.tab(device).start({ showsBooks: false });
    expect((await opening(world, tab)).titres).toEqual([]);
  });

  test('is forgotten once a fresh copy has replaced its own', async () => {
    const { world, device } = await noted(1, 2);
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.device.rebuild();
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    await tab.close();
    const later = await openTab(world, device, 'offline');
    expect((await opening(world, later)).titres).toEqual([]);
  });

  test('is not noted of what the device cannot keep', async () => {
    const { world, device } = await settled();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.room = 0;
    const id = await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toContain('Orlando');
    tab.device.keepFirstScreen([id]);
    expect([...device.notes.keys()].filter((key) => key.startsWith('first'))).toEqual([]);
  });

  test('loses what the copy turns out not to hold', async () => {
    const { world, device } = await noted(1);
    for (const [key, note] of device.notes)
      if (key.startsWith('first'))
        device.notes.set(key, JSON.parse(JSON.stringify(note).replaceAll('"id":1,', '"id":77,')));
    const tab = await opening(world, await openTab(world, device, 'offline'));
    expect(tab.records.catalogue.livre(77)).toBeDefined();
    await world.clock.advance(MINUTE_MS);
    expect(tab.records.catalogue.livre(77)).toBeUndefined();
    expect(tab.titres).toHaveLength(5);
  });
});
