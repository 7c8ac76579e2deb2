import { expect, test } from 'vitest';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { shown, World } from './support/world.ts';
import type { Device, Tab } from './support/device.ts';

const KEPT = { connection: 'otherHousehold', rebuilding: null } as const;

/** A tab whose device has a replica, but whose server has become another household. */
async function inAnotherHouse(books: number): Promise<{ world: World; device: Device; tab: Tab }> {
  const { world, device } = await syncedDevice(40);
  await world.open(books, { another: true });
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  return { world, device, tab };
}

test.each([0, 3, 60])('a copy stays where a household of %i books answers', async (books) => {
  const { world, device, tab } = await inAnotherHouse(books);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: books, isAsked: true } });
  await world.clock.advance(60 * MINUTE_MS);
  expect(tab.titres).toHaveLength(40);
  expect(device.replicas).toHaveLength(1);
  await tab.close();
  const offline = await openTab(world, device, 'offline');
  expect(offline.titres).toHaveLength(40);
});

test('a house that is replaced under an open page leaves its copy there', async () => {
  const { world, device } = await syncedDevice(40);
  const [tab, beside] = [await openTab(world, device), await openTab(world, device)];
  await world.clock.advance(MINUTE_MS);
  await world.open(0, { another: true });
  tab.server.breakStreams();
  beside.server.breakStreams();
  await world.clock.advance(2 * MINUTE_MS);
  for (const one of [tab, beside]) {
    expect(one.titres).toHaveLength(40);
    expect(one.status).toMatchObject({ ...KEPT, other: { livres: 0, answer: null } });
  }
  expect(device.replicas).toHaveLength(1);
});

test('an older backup that has lost more than a tenth is asked about', async () => {
  const { world, device } = await syncedDevice(40);
  await world.backUp();
  for (let i = 1; i <= 6; i++) await world.add(`Ajouté ${String(i)}`);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(tab.titres).toHaveLength(46);
  await tab.close();
  await world.restore();
  const again = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(again.titres).toHaveLength(46);
  const { bibliotheque } = again.status;
  expect(again.status).toMatchObject({ ...KEPT, other: { bibliotheque, livres: 40 } });
});

test('an older backup that lacks a single book is asked about', async () => {
  const { world, device } = await syncedDevice(40);
  await world.backUp();
  await world.add('Orlando');
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(tab.titres).toHaveLength(41);
  await world.restore();
  tab.server.breakStreams();
  await world.clock.advance(2 * MINUTE_MS);
  expect(tab.titres).toHaveLength(41);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: 40, isAsked: true } });
});

test.each([
  ['a loan', 'POST', '/api/livres/1/prets', { emprunteur: 'Noémie' }],
  ['a reading', 'POST', '/api/lectures', { titre: 'Ailleurs' }],
  ['a wish', 'POST', '/api/souhaits', { titre: 'Ubik' }],
  ['another title', 'PUT', '/api/livres/1', { titre: 'Autrement', format: 'Physique' }],
] as const)('an older backup that lacks %s alone is asked about', async (_, method, path, body) => {
  const { world, device } = await syncedDevice(40);
  await world.backUp();
  await world.ask('alice', method, path, body);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  await world.restore();
  tab.server.breakStreams();
  await world.clock.advance(2 * MINUTE_MS);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: 40, isAsked: true } });
});

test('an older backup that has as many books, and others, is asked about', async () => {
  const { world, device } = await syncedDevice(40);
  await world.backUp();
  await world.add('Orlando');
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(tab.titres).toHaveLength(41);
  await tab.close();
  await world.restore();
  await world.add('Flush');
  const again = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(again.titres).toContain('Orlando');
  expect(again.status).toMatchObject({ ...KEPT, other: { livres: 41, isAsked: true } });
});

test('a restored household with all of the replica’s records is accepted without a question', async () => {
  const { world, device } = await syncedDevice(40);
  await world.backUp();
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  await world.restore();
  tab.server.breakStreams();
  await world.clock.advance(2 * MINUTE_MS);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status).toMatchObject({ connection: 'online', other: null });
  expect(device.replicas).toHaveLength(1);
});

test('records deleted in the household raise no question', async () => {
  const { world, device } = await syncedDevice(40);
  for (let id = 1; id <= 30; id++) await world.ask('alice', 'DELETE', `/api/livres/${String(id)}`);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(tab.titres).toHaveLength(10);
  expect(tab.status).toMatchObject({ connection: 'online', other: null });
});

test('deletions that the household has forgotten since are not asked about', async () => {
  const { world, device } = await syncedDevice(40);
  for (let id = 1; id <= 30; id++) await world.ask('alice', 'DELETE', `/api/livres/${String(id)}`);
  const { database } = world.context;
  database.write((tx) => {
    tx.run('UPDATE Installation SET revisionMin = (SELECT max(revision) FROM Journal)');
    tx.run('DELETE FROM Journal WHERE supprime = 1');
  });
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(tab.titres).toHaveLength(10);
  expect(tab.status).toMatchObject({ connection: 'online', other: null });
});

test.each([null, 'keep'] as const)(
  'the house that comes back is simply gone on with (%s)',
  async (answer) => {
    const { world, device, tab } = await inAnotherHouse(3);
    if (answer !== null) tab.device.replicas?.answer(answer);
    await world.clock.advance(MINUTE_MS);
    await world.comeBack();
    await world.add('Orlando');
    tab.server.sent = 0;
    await world.clock.advance(2 * MINUTE_MS);
    expect(tab.titres).toHaveLength(41);
    expect(tab.status).toMatchObject({ connection: 'online', other: null });
    // Only the new records: one book and its history entry.
    expect(tab.server.sent).toBe(2);
    expect(device.replicas).toHaveLength(1);
    expect(shown(tab)).toEqual(world.truth('alice'));
  },
);

test('a decision to keep lasts after a reload, in all tabs', async () => {
  const { world, device, tab } = await inAnotherHouse(0);
  const beside = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(beside.status).toMatchObject({ ...KEPT, other: { answer: null } });
  beside.device.replicas?.answer('keep');
  await world.clock.advance(1_000);
  for (const one of [tab, beside])
    expect(one.status).toMatchObject({ ...KEPT, other: { answer: 'keep' } });
  await Promise.all([tab.close(), beside.close()]);
  const again = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(again.titres).toHaveLength(40);
  expect(again.status).toMatchObject({ ...KEPT, other: { answer: 'keep' } });
});

test('a third household asks its own question', async () => {
  const { world, tab } = await inAnotherHouse(0);
  tab.device.replicas?.answer('keep');
  await world.open(7, { another: true });
  await world.clock.advance(2 * MINUTE_MS);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: 7, answer: null } });
});

test('going over to the other household takes all tabs there, and keeps nothing else', async () => {
  const { world, device, tab } = await inAnotherHouse(3);
  const beside = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.device.replicas?.answer('take');
  await world.clock.advance(3 * MINUTE_MS);
  for (const one of [tab, beside]) {
    expect(shown(one)).toEqual(world.truth('alice'));
    expect(one.status).toMatchObject({ connection: 'online', other: null, rebuilding: null });
  }
  expect(device.replicas).toHaveLength(1);
  await Promise.all([tab.close(), beside.close()]);
  expect((await openTab(world, device, 'offline')).titres).toHaveLength(3);
});

test('an accepted household is continued after a reload without a question, and shown once complete', async () => {
  const { world, device, tab } = await inAnotherHouse(900);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.device.replicas?.answer('take');
  await world.clock.advance(3_000);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status.connection).toBe('otherHousehold');
  await tab.close();
  const again = world.tab(device);
  again.server.conditions.pageMs = (changes) => changes * 10;
  again.start();
  await world.clock.settle();
  expect(again.titres).toHaveLength(40);
  await world.clock.advance(3 * MINUTE_MS);
  expect(shown(again)).toEqual(world.truth('alice'));
  expect(device.replicas).toHaveLength(1);
});

test('a household that returns before the other one is replicated keeps its replica', async () => {
  const { world, device, tab } = await inAnotherHouse(900);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.device.replicas?.answer('take');
  await world.clock.advance(3_000);
  await world.comeBack();
  tab.server.conditions.pageMs = () => 0;
  await world.clock.advance(3 * MINUTE_MS);
  expect(shown(tab)).toEqual(world.truth('alice'));
  expect(tab.status).toMatchObject({ connection: 'online', other: null, rebuilding: null });
  expect(device.replicas).toHaveLength(1);
});

test('a household that was taken is asked about again if another one answers meanwhile', async () => {
  const { world, device, tab } = await inAnotherHouse(900);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.device.replicas?.answer('take');
  await world.clock.advance(3_000);
  await world.open(0, { another: true });
  tab.server.conditions.pageMs = () => 0;
  await world.clock.advance(3 * MINUTE_MS);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: 0, answer: null } });
  expect(device.replicas).toHaveLength(1);
});

test('a requested fresh replica is never of another household', async () => {
  const { world, device } = await syncedDevice(40);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  await world.open(3, { another: true });
  tab.device.replicas?.rebuild();
  await world.clock.advance(3 * MINUTE_MS);
  expect(tab.titres).toHaveLength(40);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: 3 } });
  tab.server.sent = 0;
  await world.clock.advance(30 * MINUTE_MS);
  expect(tab.server.sent).toBe(0);
  expect(device.replicas).toHaveLength(1);
});

test('a fresh copy that another household breaks off is not begun over and over', async () => {
  const { world, device } = await syncedDevice(900);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.device.replicas?.rebuild();
  await world.clock.advance(3_000);
  expect(tab.status.rebuilding).toBeGreaterThan(0);
  await world.open(3, { another: true });
  tab.server.conditions.pageMs = () => 0;
  await world.clock.advance(5 * MINUTE_MS);
  expect(tab.status).toMatchObject({ ...KEPT, other: { livres: 3, answer: null } });
  tab.server.sent = 0;
  await world.clock.advance(30 * MINUTE_MS);
  expect(tab.server.sent).toBe(0);
  expect(device.replicas).toHaveLength(1);
});

test('a first replica interrupted by another household starts over with that one', async () => {
  const world = await new World().open(900);
  const device = world.device();
  const tab = world.tab(device);
  tab.server.conditions.pageMs = (changes) => changes * 10;
  tab.start();
  await world.clock.advance(4_000);
  expect(tab.titres.length).toBeGreaterThan(0);
  await world.open(3, { another: true });
  tab.server.conditions.pageMs = () => 0;
  await world.clock.advance(2 * MINUTE_MS);
  expect(shown(tab)).toEqual(world.truth('alice'));
  expect(device.replicas).toHaveLength(1);
});

test('a copy in memory stays, too', async () => {
  const { world, device } = await syncedDevice(40);
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  device.conditions.room = 0;
  await world.add('Orlando');
  await world.clock.advance(5_000);
  expect(tab.status.storage).toBe('storageFull');
  await world.open(0, { another: true });
  tab.server.breakStreams();
  await world.clock.advance(5 * MINUTE_MS);
  expect(tab.titres).toHaveLength(41);
  expect(tab.status).toMatchObject({ connection: 'otherHousehold' });
});

test('another reader of the device has a copy and a question of their own', async () => {
  const { world, device, tab } = await inAnotherHouse(3);
  tab.device.replicas?.answer('keep');
  await world.clock.settle();
  await tab.close();
  const bob = world.tab(device, 'bob');
  // As the sign-in page stores it.
  device.notes.set('reader', { utilisateur: 'bob', email: null, nomComplet: null });
  bob.start();
  await world.clock.advance(MINUTE_MS);
  expect(bob.titres).toHaveLength(3);
  expect(bob.status).toMatchObject({ reader: 'bob', connection: 'online', other: null });
  await bob.close();
  const alice = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(alice.titres).toHaveLength(40);
  expect(alice.status).toMatchObject({ ...KEPT, other: { answer: 'keep' } });
});

test.each([null, 'bob'])(
  'a copy stays where another household names another reader at a start (%s)',
  async (named) => {
    const { world, device } = await syncedDevice(40);
    await world.open(3, { another: true });
    const tab = world.tab(device, named).start();
    await world.clock.advance(MINUTE_MS);
    expect(tab.titres).toHaveLength(40);
    expect(tab.status).toMatchObject({ ...KEPT, reader: 'alice', other: { livres: 3 } });
    tab.device.replicas?.answer('keep');
    await world.clock.advance(MINUTE_MS);
    await tab.close();
    const again = world.tab(device, named).start();
    await world.clock.advance(MINUTE_MS);
    expect(again.titres).toHaveLength(40);
    expect(again.status).toMatchObject({ ...KEPT, reader: 'alice', other: { answer: 'keep' } });
    expect(device.replicas).toHaveLength(1);
    again.server.conditions.user = 'alice';
    await world.comeBack();
    await world.add('Orlando');
    await world.clock.advance(2 * MINUTE_MS);
    expect(shown(again)).toEqual(world.truth('alice'));
    expect(again.status).toMatchObject({ connection: 'online', other: null });
  },
);

test('going over to a household that names another reader leaves the former replica behind', async () => {
  const { world, device } = await syncedDevice(40);
  await world.open(3, { another: true });
  const tabs = [world.tab(device, 'bob').start(), world.tab(device, 'bob').start()];
  await world.clock.advance(MINUTE_MS);
  for (const tab of tabs) expect(tab.titres).toHaveLength(40);
  tabs[0]?.device.replicas?.answer('take');
  await world.clock.advance(3 * MINUTE_MS);
  for (const tab of tabs) {
    expect(tab.status).toMatchObject({ reader: 'bob', connection: 'online', other: null });
    expect(shown(tab)).toEqual(world.truth('bob'));
    await tab.close();
  }
  expect(device.replicas).toHaveLength(2);
  await world.comeBack();
  const alice = world.tab(device);
  await world.clock.settle();
  alice.start();
  await world.clock.advance(2 * MINUTE_MS);
  expect(alice.status).toMatchObject({ reader: 'alice', connection: 'online', other: null });
  expect(shown(alice)).toEqual(world.truth('alice'));
  expect(alice.server.sent).toBe(0);
});

test('another reader of the same household is accepted without a question', async () => {
  const { world, device } = await syncedDevice(40);
  const bob = world.tab(device, 'bob').start();
  await world.clock.advance(MINUTE_MS);
  expect(bob.status).toMatchObject({ reader: 'bob', connection: 'online', other: null });
  expect(shown(bob)).toEqual(world.truth('bob'));
});

test('a copy of a version that knew no households learns its own, and writes it once', async () => {
  const { world, device } = await syncedDevice(40);
  device.ageState();
  const tab = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(tab.status.bibliotheque).toBe(world.context.database.householdId);
  expect(device.writes).toEqual([1]);
});

test('another reader is not asked about a replica of their own household that was restored with a loss', async () => {
  const { world, device } = await syncedDevice(40);
  await world.backUp();
  for (let i = 1; i <= 6; i++) await world.add(`Ajouté ${String(i)}`);
  const alice = await openTab(world, device);
  await world.clock.advance(MINUTE_MS);
  expect(alice.titres).toHaveLength(46);
  await alice.close();
  await world.restore();
  const bob = world.tab(device, 'bob').start();
  await world.clock.advance(MINUTE_MS);
  expect(bob.status).toMatchObject({ reader: 'bob', connection: 'online', other: null });
  expect(shown(bob)).toEqual(world.truth('bob'));
  await bob.close();
  const again = world.tab(device).start();
  await world.clock.advance(MINUTE_MS);
  expect(again.status).toMatchObject({ ...KEPT, reader: 'alice', other: { livres: 40 } });
});
