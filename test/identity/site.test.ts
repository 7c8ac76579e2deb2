import { expect, test } from 'vitest';
import { siteOf } from '#server/subjects/identity/passkeys';
import { isThisMachine, takesPasskeys } from '#shared/site';

test.each([
  ['https://bibliotheque.example.org', true],
  ['https://maison.local:8443', true],
  ['http://localhost:3000', true],
  ['http://rayonnage.localhost', true],
  ['http://bibliotheque.example.org', false],
  ['http://notlocalhost', false],
  ['http://localhost.example.org', false],
  ['https://1.example.org', true],
  ['https://maison1', true],
  ['https://192.168.1.20', false],
  ['https://[fd00::1]', false],
  ['http://127.0.0.1:3000', false],
])('passkeys want HTTPS, or this machine, and a name: %s', (address, takes) => {
  expect(takesPasskeys(new URL(address))).toBe(takes);
});

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['http://127.10.0.255', true],
  ['http://localhost.example.org', false],
  ['https://127.0.0.1.example.org', false],
  ['https://192.168.1.20:3000', false],
  ['https://bibliotheque.local', false],
])('only an address of this machine is recognised: %s', (address, isIt) => {
  expect(isThisMachine(new URL(address).hostname)).toBe(isIt);
});

test('the site is the page’s where its host was asked', () => {
  const origin = 'https://maison.example:8443';
  const site = { origin, hote: 'maison.example' };
  expect(siteOf({ origin, host: 'maison.example:8443' })).toEqual(site);
  expect(siteOf({ origin, ':authority': 'maison.example:8443' })).toEqual(site);
  for (const host of ['maison.example', '127.0.0.1:3000', 'evil.example:8443', undefined])
    expect(siteOf({ origin, host }), host).toBeNull();
  expect(siteOf({ host: 'maison.example' })).toBeNull();
  expect(siteOf({ origin: 'null', host: 'maison.example' })).toBeNull();
});
