import { expect, test } from 'vitest';
import { unsafeCast } from '../../src/lib/api/unsafe-cast.ts';
import type { TabMessage } from '../../src/lib/sync/ports.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { shown, World } from './support/world.ts';

test('a visible tab replaces a frozen leader', async () => {
  const { world, device } = await syncedDevice();
  const frozen = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  frozen.freeze();
  const tab = await openTab(world, device);
  await world.clock.advance(1_000);
  await world.add('Orlando');
  await world.clock.advance(3_000);
  expect(tab.titres).toContain('Orlando');
  const written = world
    .add('Flush')
    .then(() => tab.device.waitForRevision(world.context.database.revision()));
  await world.clock.advance(1_000);
  await written;
  expect(tab.titres).toContain('Flush');
});

test('the window in use becomes the leader', async () => {
  const { world, device } = await syncedDevice();
  const tab = await openTab(world, device);
  const frozen = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect([tab.status.isLeader, frozen.status.isLeader]).toEqual([false, true]);
  frozen.freeze();
  await world.add('Orlando');
  tab.device.refresh();
  await world.clock.advance(3_000);
  expect(tab.titres).toContain('Orlando');
});

test('a window frozen in view is missed by the others', async () => {
  const { world, device } = await syncedDevice();
  const others = [await openTab(world, device), await openTab(world, device)];
  const frozen = await openTab(world, device);
  await world.clock.advance(10 * MINUTE_MS);
  expect(frozen.status.isLeader).toBe(true);
  frozen.freeze();
  await world.add('Orlando');
  await world.clock.advance(3_000);
  for (const { titres } of others) expect(titres).toContain('Orlando');
});

test('two versions side by side have one leader', async () => {
  const { world, device } = await syncedDevice();
  const [tab, other] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  expect([tab.status.isLeader, other.status.isLeader]).toEqual([false, true]);
  // The other tab announces itself as leader by a message of another version.
  const word = unsafeCast<TabMessage>({ type: 'leads', reader: 'alice' });
  other.freeze();
  for (let i = 0; i < 12; i++) {
    tab.onMessage(word);
    await world.clock.advance(1_000);
  }
  expect(tab.status.isLeader).toBe(false);
  await world.clock.advance(3_000);
  expect(tab.status.isLeader).toBe(true);
});

test('a window that was busy does not replace the leader', async () => {
  const { world, device } = await syncedDevice();
  const [tab, other] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  expect([tab.status.isLeader, other.status.isLeader]).toEqual([false, true]);
  other.freeze();
  await world.clock.advance(3_000);
  other.isFrozen = false;
  const leads: boolean[] = [];
  for (let i = 0; i < 60; i++) {
    await world.clock.advance(1_000);
    leads.push(tab.status.isLeader && !other.status.isLeader);
  }
  expect(leads).not.toContain(false);
  await world.add('Orlando');
  await world.clock.advance(1_000);
  for (const { titres } of [tab, other]) expect(titres).toContain('Orlando');
});

test('a hidden tab is never the leader, and shows what others pull', async () => {
  const { world, device } = await syncedDevice();
  const [hidden, tab] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  hidden.device.refresh();
  await world.clock.advance(MINUTE_MS);
  expect(hidden.status.isLeader).toBe(true);
  hidden.device.setVisible(false);
  await world.add('Orlando');
  await world.clock.advance(1_000);
  expect([hidden.status.isLeader, tab.status.isLeader]).toEqual([false, true]);
  for (const { titres } of [hidden, tab]) expect(titres).toContain('Orlando');
});

test('a tab that crashed in view keeps no other awake', async () => {
  const { world, device } = await syncedDevice();
  const [crashed, tab] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  crashed.device.setVisible(true);
  await crashed.crash();
  tab.device.setVisible(false);
  tab.server.asked.length = crashed.server.asked.length = 0;
  await world.add('Orlando');
  await world.clock.advance(60 * MINUTE_MS);
  expect([...tab.server.asked, ...crashed.server.asked]).toEqual([]);
});

test('a line dead in silence is known within a minute', async () => {
  const { world, device } = await syncedDevice();
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.server.silenceStreams();
  await world.add('Orlando');
  await world.clock.advance(5_000);
  expect(tab.titres).not.toContain('Orlando');
  await world.clock.advance(MINUTE_MS + 5_000);
  expect(tab.titres).toContain('Orlando');
});

test('a clock set back an hour delays nothing', async () => {
  const { world, device } = await syncedDevice();
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.server.conditions.noStream = true;
  tab.server.breakStreams();
  await world.clock.advance(5 * MINUTE_MS);
  await world.add('Orlando');
  world.clock.begunOn -= 60 * MINUTE_MS;
  tab.device.refresh();
  await world.clock.advance(1_000);
  expect(tab.titres).toContain('Orlando');
  expect(shown(tab)).toEqual(world.truth('alice'));
});

test('RxDB’s files that fail once are loaded at a return', async () => {
  const { world, device } = await syncedDevice();
  device.conditions.loadsFail = 1;
  const tab = await openTab(world, device, 'offline');
  expect(tab.status.isOpen).toBe(false);
  tab.server.conditions.fails = null;
  tab.device.refresh();
  await world.clock.advance(1_000);
  expect(tab.titres).toHaveLength(5);
  expect(tab.isCurrent).toBe(true);
});

test('a first visit succeeds although RxDB’s files fail once', async () => {
  const world = await new World().open(5);
  const device = world.device();
  device.conditions.loadsFail = 1;
  const tab = world.tab(device).start();
  await world.clock.advance(500);
  expect(tab.status.isOpen).toBe(false);
  tab.device.refresh();
  await world.clock.advance(1_000);
  expect(shown(tab)).toEqual(world.truth('alice'));
  expect(tab.isCurrent).toBe(true);
});

test('a full disk takes nothing off the screen again', async () => {
  const { world, device } = await syncedDevice();
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  const fewest: number[] = [];
  device.conditions.room = 0;
  await world.add('Orlando');
  await world.ask('alice', 'DELETE', '/api/livres/1');
  await world.clock.advance(5_000);
  expect(tab.titres).toContain('Orlando');
  expect(tab.status.storage).toBe('storageFull');
  tab.records.subscribe('livres', () => {
    fewest.push(
      Number(tab.titres.includes('Orlando')),
      Number(!tab.titres.includes('Livre 00001')),
    );
  });
  await world.restart();
  tab.server.conditions.fails = 'offline';
  device.conditions.room = Infinity;
  await world.clock.advance(10 * MINUTE_MS);
  expect(tab.titres).toContain('Orlando');
  expect(tab.titres).not.toContain('Livre 00001');
  expect(fewest).not.toContain(0);
  tab.server.conditions.fails = null;
  await world.clock.advance(10 * MINUTE_MS);
  expect(shown(tab)).toEqual(world.truth('alice'));
});

test('an interrupted replica is continued', async () => {
  const { world, device } = await syncedDevice(900);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.device.replicas?.rebuild();
  await world.clock.advance(6_000);
  await tab.close();
  expect(device.replicas).toHaveLength(2);
  const later = world.tab(device);
  later.server.conditions.pageMs = (changes) => changes;
  later.start();
  await world.clock.advance(500);
  expect(later.status.rebuilding).not.toBeNull();
  await world.clock.advance(2 * MINUTE_MS);
  expect(later.status.rebuilding).toBeNull();
  expect(device.replicas).toHaveLength(1);
  expect(later.server.sent).toBeLessThan(1_500);
  expect(shown(later)).toEqual(world.truth('alice'));
});

test('a replica that is blocked by another is reported with the time', async () => {
  const { world, device } = await syncedDevice(900);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.device.replicas?.rebuild();
  await world.clock.advance(5_000);
  for (const kind of ['offline', 'sessionExpired', 'serverFailing'] as const) {
    const begun = world.clock.date();
    tab.server.conditions.fails = kind;
    await world.clock.advance(10 * MINUTE_MS);
    const { connection, rebuilding, troubleSince } = tab.status;
    expect([connection, rebuilding === null]).toEqual([kind, false]);
    expect(troubleSince).toBeGreaterThanOrEqual(begun);
    tab.server.conditions.fails = null;
    tab.device.refresh();
    await world.clock.advance(500);
    tab.server.conditions.fails = kind;
  }
  tab.server.conditions.fails = null;
  const begun = world.clock.date();
  device.conditions.room = 0;
  await world.clock.advance(5_000);
  const { storage, rebuilding, troubleSince } = tab.status;
  expect([storage, rebuilding === null]).toEqual(['storageFull', false]);
  expect(troubleSince).toBeGreaterThanOrEqual(begun);
  device.conditions.room = Infinity;
  await world.clock.advance(10 * MINUTE_MS);
  expect(tab.isCurrent).toBe(true);
  expect(shown(tab)).toEqual(world.truth('alice'));
});

test('a reader who is forgotten stays so in every tab', async () => {
  const { world, device } = await syncedDevice();
  const [tab, other] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  for (const { server } of [tab, other]) server.conditions.fails = 'sessionExpired';
  tab.device.noteReader({ utilisateur: null, email: null, nomComplet: null });
  await tab.device.forget('alice');
  await world.clock.advance(10 * MINUTE_MS);
  expect(device.replicas.filter((name) => name.includes('alice'))).toEqual([]);
  expect(other.titres).toEqual([]);
});

test('a page put aside shows nothing of a forgotten reader', async () => {
  const { world, device } = await syncedDevice();
  const [tab, aside] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  aside.device.setVisible(false);
  // A page in the back/forward cache receives no messages, and gets none later.
  aside.isFrozen = true;
  tab.device.noteReader({ utilisateur: null, email: null, nomComplet: null });
  await tab.device.forget('alice');
  for (const { server } of [tab, aside]) server.conditions.fails = 'offline';
  aside.isFrozen = false;
  aside.device.setVisible(true);
  await world.clock.advance(10 * MINUTE_MS);
  expect(aside.titres).toEqual([]);
  expect(device.replicas.filter((name) => name.includes('alice'))).toEqual([]);
});
