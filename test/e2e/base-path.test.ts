import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { atLeastOne } from '../support/at-least-one.ts';
import { unfold } from './support/add.ts';
import { livreRow } from './support/catalogue.ts';
import { device, type Device } from './support/device.ts';
import { view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

const BASE = '/biblio';

const SWAGGER_MS = 120_000;

const originOf = (house: Household) => new URL(house.url).origin;

/** A reverse proxy may keep the base path or strip it. */
const PROXIES = {
  'passed on': (house: Household) => (path: string) => originOf(house) + path,
  'taken away': (house: Household) => (path: string) =>
    originOf(house) + (path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : '/elsewhere'),
};

/** Addresses on our own host, linked or requested, that are outside of the base path. */
const strayAddresses = (page: Page, at = BASE) =>
  page.evaluate((base) => {
    const links = [...document.querySelectorAll('a')].map(({ href }) => href);
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    return [...links, ...loaded]
      .map((address) => new URL(address))
      .filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith(base))
      .map(({ pathname }) => pathname);
  }, `${at}/`);

/** The scopes of the host's service workers. */
const scopesOf = (page: Page) =>
  page.evaluate(async () => {
    const all = await navigator.serviceWorker.getRegistrations();
    return all.map(({ scope }) => new URL(scope).pathname).sort();
  });

/** Visits the application: opens and reloads a book, adds one, visits each screen, downloads a file. */
async function walk(page: Page, house: Household, { id, titre }: Livre): Promise<void> {
  await livreRow(page, titre).getByRole('link').click();
  await page.waitForURL(`**${BASE}/livres/${String(id)}`);
  await page.reload();
  await page.getByRole('heading', { name: titre }).waitFor();

  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await page.waitForURL(`**${BASE}/livres/ajouter`);
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Sido');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await view(page, 'Livre ajouté : Sido');
  await page.getByRole('heading', { name: 'Sido' }).waitFor();
  expect(await house.titres()).toEqual([titre, 'Sido']);

  for (const path of ['', 'auteurs', 'souhaits', 'revues', 'modifications', 'aide', 'reglages']) {
    await follow(page, `${BASE}/${path}`);
    expect(await strayAddresses(page), path).toEqual([]);
  }
  await page.getByRole('button', { name: 'Exporter' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).first().click();
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
}

/** The paths that a device requests. */
function pathsAsked({ context }: Device): string[] {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

const notBelowBase = (path: string): boolean => !path.startsWith(`${BASE}/`);

test('everything works below a base that the proxy strips', async () => {
  const house = await household({ BASE_PATH: BASE });
  const livre = await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  const phone = await device(house, {
    serviceWorker: true,
    upstream: PROXIES['taken away'](house),
  });
  const asked = pathsAsked(phone);
  const page = await phone.open(`${BASE}/`);
  const [address, text] = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const href = link?.href ?? '';
    return [href, await (await fetch(href)).text()] as const;
  });
  const { start_url, scope, id } = JSON.parse(text) as Record<string, string | undefined>;
  const at = (path = '/') => new URL(path, address).pathname;
  expect([at(start_url), at(scope), id]).toEqual([`${BASE}/`, `${BASE}/`, undefined]);

  await walk(page, house, livre);
  await phone.untilOfflineReady(page, BASE);
  expect(await scopesOf(page)).toEqual([`${BASE}/`]);
  await page.goto(`${phone.portal.url}${BASE}/api/documentation`);
  // Swagger resolves the whole OpenAPI 3.1 document at each unfolding, which takes seconds.
  await page.getByText('/api/sante', { exact: true }).click({ timeout: SWAGGER_MS });
  await page.getByRole('button', { name: 'Try it out' }).click();
  const tried = page.getByText(`${phone.portal.url}${BASE}/api/sante`, { exact: true });
  // A press during a redraw of Swagger's form is lost.
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Execute' }).click();
      return tried.count();
    })
    .toBe(1);

  await phone.cutNetwork();
  await page.goto(`${phone.portal.url}${BASE}/livres/${String(livre.id)}`);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.goto(`${phone.portal.url}${BASE}/`);
  await livreRow(page, 'Sido').waitFor();
  expect(asked.filter(notBelowBase)).toEqual([]);
});

test('everything works below a base that the proxy keeps', async () => {
  const house = await household({ BASE_PATH: BASE });
  const livre = await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  const phone = await device(house, { upstream: PROXIES['passed on'](house) });
  const page = await phone.open('/?recherche=desert');
  await page.waitForURL(`**${BASE}/?recherche=desert`);
  await livreRow(page, 'Désert').waitFor();
  const asked = pathsAsked(phone);
  await follow(page, `${BASE}/`);
  await walk(page, house, livre);
  expect(asked.filter(notBelowBase)).toEqual([]);
});

test('installations on one host share nothing', async () => {
  const houses = await Promise.all(
    [
      { base: '', titre: 'Désert' },
      { base: '/a', titre: 'Sido' },
      { base: '/b', titre: 'Chéri' },
    ].map(async (each) => ({ ...each, house: await household({ BASE_PATH: each.base }) })),
  );
  for (const { house, titre } of houses) await house.ajouter({ titre });
  const [root, ...others] = houses;
  if (root === undefined) throw new Error('no root');
  const at = (path: string) => others.find(({ base }) => path.startsWith(`${base}/`)) ?? root;
  const phone = await device(root.house, {
    serviceWorker: true,
    upstream: (path) => originOf(at(path).house) + path,
  });
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Un brouillon');
  for (const { base, titre } of houses) {
    await page.goto(`${phone.portal.url}${base}/`);
    await livreRow(page, titre).waitFor();
    await phone.untilOfflineReady(page, base);
  }

  expect(await scopesOf(page)).toEqual(houses.map(({ base }) => `${base}/`));
  const names = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return [...(await caches.keys()), ...databases.map(({ name = '' }) => name)];
  });
  for (const { base } of atLeastOne(others)) {
    await page.goto(`${phone.portal.url}${base}/livres/ajouter`);
    await unfold(page);
    expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('');
    const own = names.filter((name) => decodeURIComponent(name).includes(`|${base}`));
    expect(own.length).toBeGreaterThan(1);
    expect(houses.length * own.length).toBe(names.length);
  }

  await phone.cutNetwork();
  for (const { base, titre } of houses) {
    await page.goto(`${phone.portal.url}${base}/livres/1`);
    await page.getByRole('heading', { name: titre }).waitFor();
    expect(await strayAddresses(page, base), `${base}/livres/1, offline`).toEqual([]);
    await page.goto(`${phone.portal.url}${base}/`);
    await livreRow(page, titre).waitFor();
    expect(await page.getByRole('list', { name: 'Livres' }).getByRole('listitem').count()).toBe(1);
    expect(await strayAddresses(page, base), `${base}/, offline`).toEqual([]);
  }
});
