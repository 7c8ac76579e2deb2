import { describe, expect, test } from 'vitest';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { shown, World } from './support/world.ts';

describe('acts', () => {
  test('come by themselves once a first copy is on screen', async () => {
    const world = await new World().open(300);
    const device = world.device();
    const tab = world.tab(device);
    tab.server.conditions.pageMs = () => 100;
    const actsWhenReady: number[] = [];
    tab.records.subscribe('replica', () => {
      if (tab.records.replica.isReady) actsWhenReady.push(tab.records.count('modifications'));
    });
    tab.start();
    await world.clock.advance(10_000);
    expect(actsWhenReady[0]).toBe(0);
    expect(tab.records.count('modifications')).toBe(300);
    expect(tab.isCurrent).toBe(true);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('that break off go on from there in another visit', async () => {
    const world = await new World().open(900);
    const device = world.device();
    const tab = world.tab(device);
    let acts = 0;
    tab.server.conditions.page = (page) => {
      const count = page.changements.filter((change) => change.collection === 'modifications');
      if (acts > 0) throw new SyntaxError('half a page');
      acts += count.length;
      return page;
    };
    tab.start();
    await world.clock.advance(5_000);
    expect(acts).toBeGreaterThan(0);
    expect(tab.records.count('modifications')).toBe(acts);
    await tab.close();
    const second = world.tab(device);
    let again = 0;
    second.server.conditions.page = (page) => {
      again += page.changements.length;
      return page;
    };
    second.start();
    await world.clock.advance(MINUTE_MS);
    expect(again).toBe(900 - acts);
    expect(shown(second)).toEqual(world.truth('alice'));
  });

  test('stay on the screen while a fresh copy is made', async () => {
    const { world, device } = await syncedDevice(300);
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    let fewest = Infinity;
    tab.records.subscribe('modifications', () => {
      fewest = Math.min(fewest, tab.records.count('modifications'));
    });
    await world.add('Encore un');
    tab.device.replicas?.rebuild();
    await world.clock.advance(MINUTE_MS);
    expect(tab.isCurrent).toBe(true);
    expect(fewest).toBeGreaterThanOrEqual(300);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });
});
