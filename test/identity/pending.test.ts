import { expect, test } from 'vitest';
import { SealedSecrets } from '#server/subjects/identity/secrets';
import { askToSign, openNamed, THERE } from './passkey-support.ts';
import { pass } from './support.ts';

const begun = () => new SealedSecrets<number>({ lifeMs: 60_000 });

test('a secret that waits serves once', () => {
  const pending = begun();
  const secret = pending.seal(1);
  expect([pending.find(secret), pending.take(secret), pending.take(secret)]).toEqual([
    1,
    1,
    undefined,
  ]);
});

test('a secret that waits is forgotten in time', () => {
  const pending = begun();
  const secret = pending.seal(1);
  pass(2);
  expect(pending.take(secret)).toBeUndefined();
});

test('a secret that is altered, truncated or of another household is refused', () => {
  const pending = begun();
  const secret = pending.seal(1);
  const bytes = Buffer.from(secret, 'base64url');
  const altered = Array.from(bytes, (byte, at) =>
    Buffer.from(bytes.with(at, byte ^ 1)).toString('base64url'),
  );
  const cut = ['', 'AAAA', secret.slice(0, -4), `${secret}AAAA`];
  for (const one of [...altered, ...cut, begun().seal(1)])
    expect(pending.take(one), one).toBeUndefined();
  expect(pending.take(secret)).toBe(1);
});

test('a secret in another spelling serves no second time', () => {
  const pending = begun();
  const secret = pending.seal(1);
  expect(pending.take(`${secret}==`)).toBe(1);
  expect(pending.take(secret)).toBeUndefined();
});

test('any number of pending sign-ins displaces none', () => {
  const pending = begun();
  const member = pending.seal(0);
  for (let i = 1; i <= 20_000; i++) pending.seal(i);
  expect(pending.take(member)).toBe(0);
});

test('a /64 of IPv6 shares one rate limit', async () => {
  const home = await openNamed();
  const ask = (address: string) => home.device(address).ask('POST', DEFI, undefined, THERE);
  const statuses: number[] = [];
  for (let i = 1; i <= 31; i++) statuses.push((await ask(`2001:db8:1:2::${i}`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await askToSign(home.device('2001:db8:1:3::1'))).toHaveProperty('challenge');
});

const DEFI = '/api/connexion/cle-acces/defi';
