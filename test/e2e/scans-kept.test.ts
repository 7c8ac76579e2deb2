import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';
import type { PretEnCours } from '#shared/prets';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { random, runs, SEED } from '../support/random.ts';
import { addField, unfold } from './support/add.ts';
import { ajouterEmplacement } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { householdKnowingAllCodes, codesOf } from './support/scan-codes.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

const WAIT = { timeout: 60_000 };

/** The button is enabled once the reader is known; earlier scans are not stored. */
const untilOnline = async (page: Page) => {
  await expect
    .poll(() => page.getByRole('button', { name: "Rechercher l'ISBN" }).isEnabled())
    .toBe(true);
};

const lines = (page: Page) =>
  page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');

const isbns = async (house: Household): Promise<(string | null)[]> => {
  const response = await fetch(`${house.url}/api/livres`);
  return ((await response.json()) as { isbn: string | null }[]).map(({ isbn }) => isbn);
};

/** The codes of the household's books, and the one in the form. */
const known = async (house: Household, page: Page) => [
  ...(await isbns(house)),
  await addField(page).inputValue(),
];

test('two tabs of a reader lose no scan', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const phone = await device(house, { size: 'desk' });
  const codes = codesOf(6);
  const barrier = Promise.withResolvers<null>();
  phone.portal.delay = (path) =>
    path.includes('/recherche-isbn/') ? barrier.promise : Promise.resolve(null);
  const tabs = [await phone.open('/livres/ajouter'), await phone.open('/livres/ajouter')] as const;
  for (const [tab, some] of [
    [tabs[0], codes.slice(0, 4)],
    [tabs[1], codes.slice(4)],
  ] as const) {
    await tab.bringToFront();
    await untilOnline(tab);
    const scan = await deskScanner(tab);
    for (const code of some) await scan(code);
    // The count may include the other tab's codes.
    await tab.getByRole('link', { name: /en attente$/ }).waitFor();
  }
  await tabs[1].close({ runBeforeUnload: false });
  tabs[0].on('dialog', (dialog) => void dialog.accept());
  await tabs[0].reload();
  barrier.resolve(null);
  const all = async () => [...new Set(await known(house, tabs[0]))].sort();
  await expect.poll(all, WAIT).toEqual(codes);
});

test('two tabs putting books away lose no scan', async () => {
  const house = await household();
  await ajouterEmplacement(house, { nom: 'Salon' });
  const codes = codesOf(4);
  for (const isbn of codes) await house.ajouter({ titre: `Volume ${isbn}`, isbn });
  const phone = await device(house, { size: 'desk' });
  const tabs = [
    await phone.open('/rangement/ranger'),
    await phone.open('/rangement/ranger'),
  ] as const;
  for (const [index, tab] of tabs.entries()) {
    await tab.bringToFront();
    await tab.getByText('Choisissez un emplacement, puis', { exact: false }).waitFor();
    const scan = await deskScanner(tab);
    const mine = codes.slice(2 * index, 2 * index + 2);
    for (const code of mine) await scan(code);
    // The list may include the first tab's codes.
    for (const code of mine) await lines(tab).filter({ hasText: code }).waitFor();
  }
  await tabs[1].close();
  await tabs[0].reload();
  await expect.poll(() => lines(tabs[0]).count()).toBe(4);
});

test('two tabs checking a shelf lose no scan', async () => {
  const house = await household();
  const codes = codesOf(4);
  for (const isbn of codes) await house.ajouter({ titre: `Volume ${isbn}`, isbn });
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const phone = await device(house, { size: 'desk' });
  const path = `/rangement/recolement?emplacement=${salon.id}`;
  const first = await phone.open(path);
  await first.getByRole('button', { name: 'Commencer' }).click();
  await first.getByText('0 vu sur 0', { exact: true }).waitFor();
  const second = await phone.open(path);
  await second.getByText('0 vu sur 0', { exact: true }).waitFor();
  const strangers = (tab: Page) =>
    tab.getByRole('region', { name: 'Pas attendus ici', exact: true }).getByRole('listitem');
  for (const [index, tab] of [first, second].entries()) {
    await tab.bringToFront();
    const scan = await deskScanner(tab);
    const mine = codes.slice(2 * index, 2 * index + 2);
    for (const code of mine) await scan(code);
    for (const code of mine) await strangers(tab).filter({ hasText: code }).waitFor();
  }
  await second.close();
  await first.reload();
  await expect.poll(() => strangers(first).count()).toBe(4);
});

test('a scan session warns of a browser that stores nothing', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const [code = ''] = codesOf(1);
  await house.ajouter({ titre: 'Volume', isbn: code });
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/');
  await page.getByText('1 livre', { exact: true }).waitFor();
  await page.evaluate(() => {
    Storage.prototype.setItem = function (key, text) {
      if (key.includes('scan')) throw new DOMException('no room', 'QuotaExceededError');
      Reflect.set(this, key, text);
    };
  });
  for (const path of [
    '/prets?preter',
    '/rangement/ranger',
    `/rangement/recolement?emplacement=${salon.id}`,
    '/livres/ajouter?scanner=etagere',
  ]) {
    await follow(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'ce navigateur ne garde pas' });
    expect(await alert.count(), path).toBe(0);
    await (
      await deskScanner(page)
    )(code);
    await alert.waitFor();
  }
});

test('books being put away go on after a reload', async () => {
  const house = await household();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const codes = codesOf(5);
  for (const isbn of codes) await house.ajouter({ titre: `Volume ${isbn}`, isbn });
  const phone = await device(house, { size: 'desk' });
  phone.portal.delay = (path) => (path.endsWith('/emplacement') ? pause(900) : Promise.resolve());
  const page = await phone.open(`/rangement/ranger?emplacement=${salon.id}`);
  await expect
    .poll(() => page.getByRole('button', { name: 'Scanner', exact: true }).isEnabled())
    .toBe(true);
  const scan = await deskScanner(page);
  for (const code of codes) await scan(code);
  await expect.poll(() => lines(page).count()).toBe(5);
  await page.reload();
  const standing = async () => {
    const response = await fetch(`${house.url}/api/livres?emplacement=${salon.id}`);
    return ((await response.json()) as unknown[]).length;
  };
  await expect.poll(standing, WAIT).toBe(5);
});

test('books being lent go on after a reload', async () => {
  const house = await household();
  const codes = codesOf(3);
  for (const isbn of codes) await house.ajouter({ titre: `Volume ${isbn}`, isbn });
  const phone = await device(house, { size: 'desk' });
  const barrier = Promise.withResolvers<null>();
  phone.portal.delay = (path) =>
    path.endsWith('/prets') ? barrier.promise : Promise.resolve(null);
  const page = await phone.open('/');
  await page.getByText('3 livres', { exact: true }).waitFor();
  await follow(page, '/prets?preter');
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByLabel('ISBN ou titre').focus();
  const scan = await deskScanner(page);
  const lent = page.getByRole('list', { name: 'Livres prêtés' }).getByRole('listitem');
  for (const code of codes) await scan(code);
  await expect.poll(() => lent.count()).toBe(3);
  await page.reload();
  barrier.resolve(null);
  await expect.poll(async () => (await house.lentTitres()).length, WAIT).toBe(3);
  await expect.poll(() => lent.filter({ hasText: /en cours|en attente/ }).count()).toBe(0);
  const prets = (await (await fetch(`${house.url}/api/prets/en-cours`)).json()) as PretEnCours[];
  expect(prets.map(({ emprunteur }) => emprunteur)).toEqual(['Luc', 'Luc', 'Luc']);
});

test('a code scanned before a reload is asked again', async () => {
  const { house } = await householdWithCatalogues();
  const [first = '', second = ''] = codesOf(2);
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  await (
    await deskScanner(page)
  )(first);
  await page.getByText('Aucun catalogue ne connaît ce code.').first().waitFor();
  await page.reload();
  await page.getByText(/Brouillon repris/).waitFor();
  await untilOnline(page);
  await (
    await deskScanner(page)
  )(second);
  await page
    .getByRole('link', { name: '1 livre cette fois, 1 attend son titre', exact: true })
    .waitFor(WAIT);
  await page.getByText('Aucun catalogue ne connaît ce code.').first().waitFor();
  expect(await page.getByText(/ne répondent pas/).count()).toBe(0);
});

test('no order of answers, presses and scans loses a code', { tags: 'random' }, async () => {
  const { house } = await householdKnowingAllCodes(0);
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const scan = await deskScanner(page);
  const scans = codesOf(6 * runs(5));
  for (let round = 0; round < runs(5); round++) {
    const seed = SEED + round;
    const { integer } = random(seed);
    const codes = scans.slice(6 * round, 6 * round + 6);
    phone.portal.delay = (path) =>
      /recherche-isbn|livres(\?|$)/.test(path)
        ? pause(integer(4) * integer(400))
        : Promise.resolve();
    for (const code of codes) {
      await scan(code);
      if (integer(3) === 0) await page.keyboard.press('Enter');
      const add = page.getByRole('button', { name: 'Ajouter', exact: true });
      // For an owned book the button has another name.
      if (integer(4) === 0 && (await add.isVisible()))
        await add.click({ timeout: 5_000 }).catch(() => null);
      await pause(integer(3) * integer(300));
    }
    const missing = async () => {
      const there = await known(house, page);
      return codes.filter((code) => !there.includes(code));
    };
    await expect.poll(missing, { message: `seed ${seed}`, ...WAIT }).toEqual([]);
  }
  // In the end each code is on the shelf once, except the one in the form.
  await expect
    .poll(async () => (await isbns(house)).length, WAIT)
    .toBeGreaterThan(scans.length - 2);
  const added = await isbns(house);
  expect(new Set(added).size).toBe(added.length);
  for (const titre of atLeastOne(await house.titres())) expect(titre).toMatch(/^Volume \d{13}$/);
});
