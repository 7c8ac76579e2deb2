import { describe, expect, test } from 'vitest';
import type { Change } from '#shared/replication';
import { Copy } from '../../src/lib/sync/copy.ts';
import { recordEnvelope, type Envelope } from '../../src/lib/sync/envelope.ts';
import { openInMemory } from '../../src/lib/sync/memory-storage.ts';
import { followsToday, openClient, VERSIONS } from '../released/clients.ts';
import { MINUTE_MS, openTab, settled } from './support/settled.ts';
import { known, shown } from './support/world.ts';

describe('an application of another version, where today’s has kept a location', () => {
  const located = async (version: string) => {
    const { world, device } = await settled();
    await world.ask('alice', 'POST', '/api/emplacements', { nom: 'Salon' });
    const today = await openTab(world, device);
    await world.clock.advance(MINUTE_MS);
    const client = await openClient(version);
    return { world, today, load: () => world.tab(device, 'alice', client).start() };
  };

  test.each(VERSIONS)('%s ends equal to the house, alone on the device', async (version) => {
    const { world, today, load } = await located(version);
    await today.close();
    const tab = load();
    await world.clock.advance(MINUTE_MS);
    expect(tab.engine.state.phase).toBe('current');
    expect(shown(tab)).toEqual(world.truth('alice', known(tab)));
  });

  test.each(VERSIONS.filter(followsToday))('%s follows a tab of today’s', async (version) => {
    const { world, load } = await located(version);
    const tab = load();
    await world.clock.advance(MINUTE_MS);
    expect(tab.engine.state.phase).toBe('following');
    expect(shown(tab)).toEqual(world.truth('alice', known(tab)));
  });
});

test('a copy of a later version is read, but for the kinds that today’s does not know', async () => {
  const storage = await openInMemory('of a later version');
  const changes = ['cartes', 'revues'].map((collection, index): unknown => {
    const document = { id: 1, titre: 'Rivages' };
    return { collection, id: 1, revision: index + 1, document };
  }) as Change[];
  const pack: Envelope = { key: 'pack/1-2', kind: 'pack', revision: 2, document: { changes } };
  const single = changes.map((change) => recordEnvelope({ ...change, id: 2 }));
  await storage.write([pack, ...single]);
  const copy = new Copy('of a later version', storage, { stale: true });
  const held: string[] = [];
  await copy.read(async (some) => {
    held.push(...some.map(({ collection, id }) => `${collection}/${String(id)}`));
  });
  expect(held).toEqual(['revues/1', 'revues/2']);
  await copy.close();
});
