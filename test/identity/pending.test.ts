import { expect, test } from 'vitest';
import { PendingSecrets } from '#server/subjects/identity/secrets';
import { askToSign, openNamed, THERE } from './passkey-support.ts';
import { pass } from './support.ts';

const LIMITS = { lifeMs: 60_000, max: 4 };

test('a secret that waits serves once', () => {
  const pending = new PendingSecrets<number>(LIMITS);
  pending.keep('a', 'home', 1);
  expect([pending.find('a'), pending.take('a'), pending.take('a')]).toEqual([1, 1, undefined]);
});

test('a secret that waits is forgotten in time', () => {
  const pending = new PendingSecrets<number>(LIMITS);
  pending.keep('a', 'home', 1);
  pass(2);
  expect(pending.take('a')).toBeUndefined();
});

test('a network pushes out its own secrets first', () => {
  const pending = new PendingSecrets<number>(LIMITS);
  pending.keep('member', 'home', 0);
  for (let i = 0; i < 10; i++) pending.keep(`a${i}`, 'crowd', i);
  expect(pending.find('member')).toBe(0);
  expect(pending.find('a9')).toBe(9);
  expect(pending.find('a0')).toBeUndefined();
});

test('a network pushes out its own where others have more', () => {
  const pending = new PendingSecrets<number>(LIMITS);
  pending.keep('member', 'home', 0);
  for (let i = 0; i < 3; i++) pending.keep(`a${i}`, 'crowd', i);
  pending.keep('again', 'home', 1);
  expect(['member', 'again', 'a0'].map((one) => pending.find(one))).toEqual([undefined, 1, 0]);
});

test('a network without any pushes out the largest one’s', () => {
  const pending = new PendingSecrets<number>(LIMITS);
  pending.keep('member', 'home', 0);
  for (let i = 0; i < 3; i++) pending.keep(`a${i}`, 'crowd', i);
  pending.keep('b', 'elsewhere', 1);
  expect(['member', 'a0', 'a1', 'a2', 'b'].map((one) => pending.find(one))).toEqual([
    ...[0, undefined, 1, 2, 1],
  ]);
});

test('one network of IPv6 shares one limit of requests', async () => {
  const home = await openNamed();
  const ask = (address: string) => home.device(address).ask('POST', DEFI, undefined, THERE);
  const statuses: number[] = [];
  for (let i = 1; i <= 31; i++) statuses.push((await ask(`2001:db8:1:2::${i}`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await askToSign(home.device('2001:db8:1:3::1'))).toHaveProperty('challenge');
});

const DEFI = '/api/connexion/cle-acces/defi';
