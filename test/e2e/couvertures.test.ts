import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow } from './support/catalogue.ts';
import {
  coversState,
  insertPicture,
  hasCover,
  photo,
  photograph,
  coverSheet,
  openCover,
} from './support/covers.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { pressIn } from './support/souhaits.ts';

const RED = '#aa3322';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/**
 * A book, an issue and a wish of Alice's with covers, fetched by a device that still has an earlier version's cover
 * cache.
 */
async function filledDevice(): Promise<{
  house: Household;
  phone: Device;
  page: Page;
}> {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  await house.photograph(`livres/${id}`, await photo(RED));
  const souhait = await house.souhaiter('alice', { titre: 'Regain' });
  await house.photograph(`souhaits/${souhait.id}`, await photo('#226644'), 'alice');
  const numero = await house.ajouterNumero('Géo', '500');
  await house.illustrate(numero, await photo('#775533'));
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open('/api/moi');
  await page.evaluate(async () => {
    const cache = await caches.open('rayonnage-couvertures');
    await cache.put('/api/couvertures?url=a', new Response('a'));
  });
  await page.goto(`${phone.portal.url}/a-propos`);
  await coversState(page).getByText('3 couvertures sur 3').waitFor();
  await phone.untilOfflineReady(page);
  return { house, phone, page };
}

test('every cover the reader may see is on the device', async () => {
  const { house, phone, page } = await filledDevice();
  await expect.poll(() => page.evaluate(() => caches.has('rayonnage-couvertures'))).toBe(false);
  const cle = await house.photograph(
    `souhaits/${(await house.souhaiter('alice', { titre: 'Colline' })).id}`,
    await photo('#334488'),
    'alice',
  );
  await coversState(page).getByText('4 couvertures sur 4').waitFor();
  const status = () =>
    page.evaluate(async (path) => (await fetch(path)).status, `/api/couvertures/${cle}/ligne`);
  expect(await status()).toBe(200);
  phone.portal.user = 'bob';
  await page.reload();
  await coversState(page).getByText('2 couvertures sur 2').waitFor();
  expect(await status()).toBe(404);
  phone.portal.user = 'alice';
  await page.reload();
  await coversState(page).getByText('4 couvertures sur 4').waitFor();
  expect(await status()).toBe(200);

  await phone.cutNetwork();
  await page.goto(phone.portal.url);
  const row = livreRow(page, 'Désert');
  const ground = (picture: Element) => getComputedStyle(picture).backgroundColor;
  const color = await row.locator('.cover').evaluate(ground);
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  expect(red).toBeGreaterThan(2 * green);
  expect(red).toBeGreaterThan(2 * blue);
  await expect.poll(() => hasCover(row)).toBe(true);
  // Covers that were never shown are there too.
  for (const [path, titre] of [
    ['/souhaits', 'Regain'],
    ['/revues', 'Géo'],
  ] as const) {
    await follow(page, path);
    const other = page.getByRole('listitem').filter({ hasText: titre });
    await expect.poll(() => hasCover(other), { message: titre }).toBe(true);
  }
  await follow(page, '/a-propos');
  await coversState(page).getByText('4 couvertures sur 4').waitFor();
  await follow(page, '/');
  await row.getByRole('link').click();
  await openCover(page);
  for (const name of [
    'Photographier la couverture',
    'Choisir une image',
    'Autres couvertures',
    'Remettre celle du catalogue : reprendre la couverture d’origine',
  ]) {
    await expect.poll(() => button(page, name).isDisabled(), { message: name }).toBe(true);
    const reason = await button(page, name).getAttribute('aria-describedby');
    expect(await page.locator(`#${reason ?? ''}`).innerText(), name).toMatch(/hors ligne/i);
  }
});

describe('a picture of one’s own', () => {
  test('shows on another person’s device within seconds, and goes again', async () => {
    const house = await household();
    const livre = await house.ajouter({ titre: 'Désert' });
    const bob = await (await device(house, { user: 'bob', size: 'desk' })).open();
    await livreRow(bob, 'Désert').waitFor();
    const alice = await (await device(house)).open(`/livres/${livre.id}`);
    await photograph(alice, await photo(RED, 900, 700));
    await alice.getByText('Couverture changée : Désert').waitFor();
    await expect.poll(() => hasCover(livreRow(bob, 'Désert'))).toBe(true);
    await expect.poll(() => hasCover(alice.getByRole('article'))).toBe(true);
    await openCover(alice);
    await button(alice, 'Remettre celle du catalogue : reprendre la couverture d’origine').click();
    await expect.poll(() => hasCover(livreRow(bob, 'Désert'))).toBe(false);
  });

  test('is cropped and chosen by the keyboard alone', async () => {
    const house = await household();
    const livre = await house.ajouter({ titre: 'Désert' });
    await house.souhaiter('alice', { titre: 'Regain' });
    const page = await (await device(house, { size: 'desk' })).open(`/livres/${livre.id}`);
    await page.getByRole('button', { name: 'Changer la couverture' }).press('Enter');
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Choisir une image').press('Enter');
    // The left half is red, the right one blue: after a turn to the right, red is at the top.
    const blue = await photo('#2233aa', 300, 400);
    const red = await photo(RED, 300, 400);
    const { default: sharp } = await import('sharp');
    const buffer = await sharp(red)
      .extend({ right: 300 })
      .composite([{ input: blue, left: 300, top: 0 }])
      .png()
      .toBuffer();
    await (await chooser).setFiles({ name: 'deux.png', mimeType: 'image/png', buffer });
    expect(await accessibilityFaults(page, '/livres/[id]: a picture to cut')).toEqual([]);
    await button(page, 'Tourner à droite').press('Enter');
    await page.getByRole('button', { name: 'Enregistrer', disabled: false }).waitFor();
    const frame = page.getByRole('application', { name: 'Image à cadrer' });
    for (let i = 0; i < 15; i++) await frame.press('+');
    // Far beyond the picture's edge, where the frame stops.
    for (let i = 0; i < 60; i++) await frame.press('ArrowUp');
    await button(page, 'Enregistrer').press('Enter');
    await coverSheet(page).waitFor({ state: 'detached' });
    const response = await fetch(`${house.url}/api/livres/${livre.id}`);
    const { couverture } = (await response.json()) as typeof livre;
    expect(couverture).toMatchObject({ source: 'personne' });
    const [r = 0, , b = 0] = [1, 3, 5].map((at) =>
      Number.parseInt(couverture?.couleur.slice(at, at + 2) ?? '', 16),
    );
    expect(r).toBeGreaterThan(2 * b);
    expect((couverture?.largeur ?? 0) / (couverture?.hauteur ?? 1)).toBeCloseTo(2 / 3, 1);

    await follow(page, '/souhaits');
    const wish = page.getByRole('listitem').filter({ hasText: 'Regain' });
    await pressIn(page, 'Regain', 'Modifier');
    const another = page.waitForEvent('filechooser');
    await button(page, 'Photographier la couverture').click();
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: red };
    await (await another).setFiles(file);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(2);
    const crop = page.getByRole('dialog').last();
    await crop.getByRole('button', { name: 'Enregistrer' }).click();
    await expect.poll(() => hasCover(wish)).toBe(true);
  });

  test('is pasted or dropped, or refused in a sentence', async () => {
    const house = await household();
    const livre = await house.ajouter({ titre: 'Désert' });
    const phone = await device(house);
    const page = await phone.open(`/livres/${livre.id}`);
    await openCover(page);
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Choisir une image').click();
    const buffer = Buffer.from('no picture at all');
    await (await chooser).setFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await page
      .getByText('Cet appareil ne peut pas lire ce fichier : choisissez une autre image.')
      .waitFor();
    const image = await photo(RED);
    const group = page.getByRole('group', { name: 'Couverture' });
    for (const way of ['paste', 'drop'] as const) {
      if (way === 'drop') await openCover(page);
      await insertPicture(group, way, image);
      await button(page, 'Enregistrer').click();
      await coverSheet(page).waitFor({ state: 'detached' });
      await expect.poll(() => hasCover(page.getByRole('article')), { message: way }).toBe(true);
      await openCover(page);
      await button(page, 'Remettre celle du catalogue : reprendre la couverture d’origine').click();
      await expect.poll(() => hasCover(page.getByRole('article')), { message: way }).toBe(false);
    }

    // An address whose picture is not stored yet.
    phone.portal.cover = await photo(RED);
    const coverUrl = 'https://covers.example/a.jpg';
    const { id } = await house.ajouter({ titre: 'Antigone', coverUrl });
    await follow(page, `/livres/${id}`);
    const record = page.getByRole('article', { name: 'Antigone' });
    await expect.poll(() => hasCover(record), { message: 'by the relay' }).toBe(true);
  });
});

test('the about page shows how many covers are stored', async () => {
  const house = await household({ OPEN_LIBRARY_COVERS_URL: 'http://127.0.0.1:1' });
  for (const titre of ['Désert', 'Fondation', 'Antigone']) {
    const { id } = await house.ajouter({ titre });
    await house.photograph(`livres/${id}`, await photo(RED, 400, 600 + id));
  }
  await house.ajouter({ titre: 'Regain', coverUrl: 'https://127.0.0.1:1/a.jpg' });
  const phone = await device(house);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  phone.portal.delay = (path) =>
    path.startsWith('/api/couvertures/lignes') ? released : Promise.resolve();
  const page = await phone.open('/a-propos');
  const state = coversState(page);
  await state.getByText('0 couverture sur 3').waitFor();
  await state.getByRole('progressbar').waitFor();
  expect(await accessibilityFaults(page, '/a-propos: covers on their way')).toEqual([]);
  release();
  await state.getByText('3 couvertures sur 3').waitFor();
  await state.getByRole('progressbar').waitFor({ state: 'detached' });
  const retry = state.getByRole('button', { name: 'Réessayer' });
  await retry.waitFor();
  const answer = page.waitForResponse('**/api/couvertures/reessayer');
  await retry.click();
  expect((await answer).status()).toBe(200);
});
