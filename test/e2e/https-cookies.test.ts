import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { certificate } from '../support/certificate.ts';
import { acceptInvitation, householdWithAccounts } from './support/comptes.ts';
import type { Household } from './support/household.ts';
import { household } from './support/household.ts';
import { launch } from './support/launch.ts';

/**
 * Starts an HTTPS proxy in front of a household, which forwards a browser's headers unchanged; returns its address.
 */
async function behindHttps(house: Household): Promise<string> {
  const { certPath, keyPath } = certificate();
  const tls = { cert: readFileSync(certPath), key: readFileSync(keyPath) };
  const proxy = createServer(tls, (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const onward = request(house.url + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing.on('close', () => onward.destroy()));
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** A browser that trusts the certificate's authority. */
async function browse(): Promise<BrowserContext> {
  const browser = await launch();
  onTestFinished(() => browser.close());
  return browser.newContext({ ignoreHTTPSErrors: true, locale: 'fr-FR' });
}

/** The names under which a page sends its session cookie. */
async function sentNames(page: Page, url: string): Promise<string[]> {
  const asked = page.waitForRequest((one) => one.url().endsWith('/api/moi'));
  await page.goto(`${url}/reglages`);
  const { cookie = '' } = await (await asked).allHeaders();
  return cookie
    .split('; ')
    .map((pair) => pair.split('=')[0] ?? '')
    .filter((name) => name.endsWith('rayonnage'));
}

/** Sorted by name: browsers list cookies in the order of their creation. */
const cookiesOf = async (context: BrowserContext) =>
  (await context.cookies())
    .map(({ name, path, secure }) => ({ name, path, secure }))
    .sort((a, b) => a.name.localeCompare(b.name));

const OF_HOST = ['__Host-rayonnage', '__Host-rayonnage-appareil'];
const ALL_OF_HOST = OF_HOST.map((name) => ({ name, path: '/', secure: true }));

test.each([
  ['of the service', true],
  ['of a proxy that says nothing of it', false],
])('under HTTPS %s a browser keeps cookies of this host alone', async (_, isOwn) => {
  const { certPath, keyPath } = certificate();
  const house = await (isOwn
    ? household({ ACCOUNTS: 'oui', TLS_CERT: certPath, TLS_KEY: keyPath })
    : householdWithAccounts());
  const url = isOwn ? house.url : await behindHttps(house);
  const context = await browse();
  const page = await context.newPage();
  await page.goto(url + house.firstPath);
  await acceptInvitation(page, 'Claire');
  expect(await cookiesOf(context)).toEqual(ALL_OF_HOST);
  expect(await sentNames(page, url)).toEqual(['__Host-rayonnage']);
});

test('an earlier session continues, under HTTPS with the `__Host-` cookie', async () => {
  const house = await householdWithAccounts();
  const url = await behindHttps(house);
  const context = await browse();
  const page = await context.newPage();
  await page.goto(url + house.firstPath);
  await acceptInvitation(page, 'Claire');
  const [token] = (await context.cookies()).filter(({ name }) => name === '__Host-rayonnage');
  // No request of the open page may renew the cookie first.
  await page.goto('about:blank');
  await context.clearCookies();
  await context.addCookies([{ name: 'rayonnage', value: token?.value ?? '', url, secure: true }]);
  expect(await sentNames(page, url)).toEqual(['rayonnage']);
  await page.getByRole('link', { name: 'Mon compte' }).waitFor();
  await page.waitForFunction(() => fetch('/api/moi').then(({ ok }) => ok));
  expect(await cookiesOf(context)).toContainEqual({
    name: '__Host-rayonnage',
    path: '/',
    secure: true,
  });
  expect(await sentNames(page, url)).toContain('__Host-rayonnage');
});
