import { afterEach, beforeEach, expect, test } from 'vitest';
import { identity, perIdentity, perReader } from '$lib/sync/identity.svelte';
import { device, notes } from '$lib/sync/this-device';

const { status } = device;

/** Makes the device show a replica, as it does once the server has named the reader. */
function show(reader: string | null | undefined, bibliotheque = ''): void {
  device.status = { ...device.status, reader, bibliotheque };
  identity.follow();
}

// No reader is known.
beforeEach(() => {
  localStorage.clear();
  show('somebody');
  show(undefined);
});

afterEach(() => {
  device.status = status;
  identity.follow();
});

test('a reader and a household that are only learnt are no others', () => {
  const { current } = identity;
  show(null);
  show('alice');
  show('alice', 'one');
  show('alice', '');
  show('alice', 'one');
  expect(identity.current).toBe(current);
});

test.each([
  ['another reader', 'bruno', 'one'],
  ['another reader before their household is known', 'bruno', ''],
  ['another household', 'alice', 'two'],
  ['both', 'bruno', 'two'],
  ['nobody, after a sign-out', undefined, ''],
])('%s is another identity', (_who, reader, household) => {
  show('alice', 'one');
  const { current } = identity;
  show(reader, household);
  expect(identity.current).not.toBe(current);
});

test('a device without a reader is known to have none, once the server has said so', () => {
  notes.set('reader', { utilisateur: null, email: null, nomComplet: null });
  show(null, 'one');
  const { current } = identity;
  show('alice', 'one');
  expect(identity.current).not.toBe(current);
});

test('a new identity gets new module state, and late results for the former one are dropped', () => {
  show('alice', 'one');
  const words = perIdentity((): string[] => []);
  const ofReader = perReader((): string[] => []);
  const before = words();
  before.push('alice’s');
  ofReader().push('alice’s');
  expect(words()).toEqual(['alice’s']);
  show('alice', 'two');
  before.push('late');
  expect(words()).toEqual([]);
  expect(ofReader()).toEqual(['alice’s']);
  show('bruno', 'two');
  expect(ofReader()).toEqual([]);
  show('alice', 'one');
  expect([words(), ofReader()]).toEqual([[], []]);
});
