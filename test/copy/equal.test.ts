import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS, openTab, settled } from './support/settled.ts';
import { shown, World } from './support/world.ts';

describe('equal when quiet', () => {
  test('half a page, answers that fail, and a tab closed in the middle of a page', async () => {
    const world = await new World().open(700);
    const device = world.device();
    const tab = world.tab(device);
    tab.server.conditions.pageMs = (changes) => changes * 10;
    tab.start();
    await world.clock.advance(3_000);
    await tab.close();
    const [second] = [world.tab(device)];
    let pages = 0;
    second.server.conditions.page = (page) => {
      if (++pages % 2 === 1) throw new SyntaxError('half a page');
      return page;
    };
    second.start();
    await world.clock.advance(10 * MINUTE_MS);
    expect(second.engine.state).toMatchObject({ phase: 'current', connection: 'online' });
    expect(shown(second)).toEqual(world.truth('alice'));
    expect(device.databases.size).toBe(1);
  });

  test('pages that are told in the wrong order', async () => {
    const { world, device } = await settled();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    await world.ask('alice', 'PUT', '/api/livres/1', { titre: 'Tard', format: 'Physique' });
    await world.clock.advance(MINUTE_MS);
    const old = tab.records.livres.find(({ id }) => id === 1);
    if (!old) throw new Error('no book');
    tab.hear({
      type: 'page',
      reader: 'alice',
      changes: [{ collection: 'livres', id: 1, revision: 1, document: { ...old, titre: 'Tôt' } }],
      checkpoint: { epoque: 'x', revision: 1, whole: true },
      since: null,
      isAll: false,
    });
    await world.clock.settle();
    expect(tab.titres).toContain('Tard');
  });

  test('a device asleep for two years', async () => {
    const { world, device } = await settled();
    await world.ask('alice', 'DELETE', '/api/livres/1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 365 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    await world.restart();
    const tab = await openTab(world, device, 'offline');
    expect(tab.titres).toHaveLength(5);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(4);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });
});
