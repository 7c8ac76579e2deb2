import { describe, expect, test, vi } from 'vitest';
import { reportedErrors } from '../../src/lib/sync/report.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { pass } from './support/virtual-clock.ts';
import { shown, World } from './support/world.ts';

describe('a replica that has come to rest is in sync', () => {
  test('a copy survives half pages and a tab closed mid-page', async () => {
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
    expect(second.isCurrent).toBe(true);
    expect(second.status).toMatchObject({ connection: 'online' });
    expect(shown(second)).toEqual(world.truth('alice'));
    expect(device.replicas).toHaveLength(1);
  });

  test('a crash before its checkpoint is kept repeats nothing', async () => {
    const { world, device } = await syncedDevice();
    device.forgetCheckpoints();
    await world.add('Orlando');
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    expect(tab.server.sent).toBeLessThan(5);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('a change is on the screen before it is written', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.writes.length = 0;
    const writes: number[] = [];
    tab.records.subscribe('livres', () => writes.push(device.writes.length));
    await world.add('Orlando');
    await world.clock.advance(1_000);
    expect(tab.titres).toContain('Orlando');
    expect(writes).toEqual([0]);
    expect(device.writes).toHaveLength(1);
  });

  test('a change announced during a pull arrives too', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.server.asked.length = 0;
    tab.server.conditions.pageMs = () => 1_000;
    await world.add('Orlando');
    await world.clock.advance(100);
    await world.add('Flush');
    await world.clock.advance(1_000);
    expect(tab.titres).toContain('Orlando');
    expect(tab.titres).not.toContain('Flush');
    await world.clock.advance(1_000);
    expect(tab.titres).toContain('Flush');
    expect(tab.isCurrent).toBe(true);
    expect(tab.server.asked).toEqual(['pull', 'pull']);
  });

  /** A tab that shows the first pages long before RxDB has opened the disk and pulls. */
  async function waitingForRxdb() {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    device.conditions.readTurns = 25;
    const shown = Promise.withResolvers<undefined>();
    tab.records.subscribe('livres', () => shown.resolve(undefined));
    return { world, tab, shown: shown.promise };
  }

  test.each([5, 20, 40])(
    'a change announced %i turns after an early page arrives',
    async (turns) => {
      const { world, tab, shown } = await waitingForRxdb();
      const later = shown.then(() => pass(turns));
      const adding = world.clock.real(later.then(() => world.add('Flush')));
      await world.add('Orlando');
      await world.clock.advance(2_000);
      await adding;
      await world.clock.advance(2_000);
      expect(tab.titres).toContain('Flush');
      expect(tab.isCurrent).toBe(true);
    },
  );

  test.each([0, 5, 20])(
    'two announcements, %i turns apart, while all is asked for',
    async (turns) => {
      const { world, tab, shown } = await waitingForRxdb();
      const later = shown.then(() => pass(turns));
      const adding = world.clock.real(later.then(() => world.add('Flush')));
      void tab.device.catchUp();
      await world.add('Orlando');
      await world.clock.advance(2_000);
      await adding;
      await world.clock.advance(2_000);
      expect(tab.titres).toContain('Flush');
      expect(tab.isCurrent).toBe(true);
    },
  );

  test('a request during a delayed page is repeated', async () => {
    const { world, tab, shown } = await waitingForRxdb();
    const asking = world.clock.real(
      shown.then(async () => {
        tab.server.silenceStreams();
        await world.add('Flush');
        void tab.device.catchUp();
      }),
    );
    await world.add('Orlando');
    await world.clock.advance(2_000);
    await asking;
    await world.clock.advance(2_000);
    expect(tab.titres).toContain('Flush');
  });

  test('a listener that throws is reported without stopping the copy', async () => {
    const world = await new World().open(700);
    const tab = world.tab(world.device());
    const fault = 'a listener of this test';
    const topics = ['replica', 'livres'] as const;
    for (const topic of topics)
      tab.records.subscribe(topic, () => {
        throw new Error(fault);
      });
    tab.start();
    await world.clock.advance(MINUTE_MS);
    await world.add('Orlando');
    await world.clock.advance(MINUTE_MS);
    expect(tab.status).toMatchObject({ isComplete: true, storage: null });
    expect(shown(tab)).toEqual(world.truth('alice'));
    expect(reportedErrors().map(({ message }) => message)).toContain(`Error: ${fault}`);
  });

  test('a device asleep for two years', async () => {
    const { world, device } = await syncedDevice();
    await world.ask('alice', 'DELETE', '/api/livres/1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 365 * 86_400_000 });
    await world.restart();
    const tab = await openTab(world, device, 'offline');
    expect(tab.titres).toHaveLength(5);
    tab.server.conditions.fails = null;
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(4);
    expect(shown(tab)).toEqual(world.truth('alice'));
  });

  test('a device pulls once each time it is shown, and never while it is hidden', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    const pulls = () => tab.server.asked.filter((what) => what === 'pull').length;
    for (const titre of ['Orlando', 'Flush', 'Les Vagues']) {
      const before = pulls();
      tab.device.setVisible(false);
      await world.clock.advance(MINUTE_MS);
      await world.add(titre);
      await world.clock.advance(MINUTE_MS);
      expect(pulls()).toBe(before);
      tab.device.setVisible(true);
      await world.clock.advance(MINUTE_MS);
      expect(tab.titres).toContain(titre);
      expect(pulls()).toBe(before + 1);
    }
  });

  test('a write between a response and the opening of the stream is announced by the stream', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    tab.device.setVisible(false);
    await world.clock.advance(MINUTE_MS);
    const write = vi.fn<() => void>(() =>
      world.context.database.write((tx) =>
        tx.run("UPDATE Livre SET titre = 'Autre', titreNormalise = 'autre' WHERE id = 1"),
      ),
    );
    tab.server.conditions.page = (page) => {
      if (write.mock.calls.length === 0) write();
      return page;
    };
    tab.device.setVisible(true);
    await world.clock.advance(2_000);
    expect(tab.titres).toContain('Autre');
  });

  test('a stream opened while the server is down fails, and is opened again', async () => {
    const { world, device } = await syncedDevice();
    const tab = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    await world.shut();
    const broke = new Promise<void>((resolve) => {
      const nothing = () => undefined;
      tab.server.listen(null, {
        opened: nothing,
        announced: nothing,
        heard: nothing,
        broke: resolve,
      });
    });
    await expect(broke).resolves.toBeUndefined();
    tab.server.breakStreams();
    await world.clock.advance(MINUTE_MS);
    expect(tab.status.connection).toBe('offline');
    await world.restart();
    await world.clock.advance(MINUTE_MS);
    await world.add('Orlando');
    await world.clock.advance(1_000);
    expect(tab.titres).toContain('Orlando');
  });
});
