import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device, useBrowser } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { montre, poignee, sansNouvelles, souhait } from './support/souhaits.ts';

useBrowser();

async function maisonDeTrois(): Promise<Household> {
  const maison = await household();
  for (const titre of ['Regain', 'Fondation', 'Désert']) await maison.souhaiter('alice', { titre });
  for (const numero of ['113', '114'])
    await maison.souhaiterRevue('alice', { titre: `La Hulotte ${numero}`, numero });
  return maison;
}

const range = (maison: Household, titres: readonly string[]) =>
  expect.poll(() => maison.souhaits('alice'), { timeout: 15_000 }).toEqual(titres);

test('arrows move a wish one step, keep the focus, and both lists count apart', async () => {
  const maison = await maisonDeTrois();
  const page = await (await device(maison)).open('/souhaits');
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  const monter = souhait(page, 'Désert').getByRole('button', { name: 'Monter' });
  await monter.click();
  await montre(page, 'Livres', ['Regain', 'Désert', 'Fondation']);
  expect(await monter.evaluate((bouton) => bouton === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await montre(page, 'Livres', ['Désert', 'Regain', 'Fondation']);
  await range(maison, ['Désert', 'Regain', 'Fondation']);
  const descendre = souhait(page, 'Désert').getByRole('button', { name: 'Descendre' });
  await expect
    .poll(() => descendre.evaluate((bouton) => bouton === document.activeElement))
    .toBe(true);
  expect(await monter.isDisabled()).toBe(true);
  await montre(page, 'Revues', ['La Hulotte 113', 'La Hulotte 114']);
  await souhait(page, 'La Hulotte 113').getByRole('button', { name: 'Descendre' }).click();
  await montre(page, 'Revues', ['La Hulotte 114', 'La Hulotte 113']);
  await range(maison, ['Désert', 'Regain', 'Fondation']);
});

test('presses faster than the server end in the order that was asked for last', async () => {
  const maison = await maisonDeTrois();
  const page = await (await device(maison)).open('/souhaits');
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  await page.route('**/api/souhaits/ordre', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const ligne = souhait(page, 'Regain');
  await ligne.getByRole('button', { name: 'Descendre' }).click();
  await ligne.getByRole('button', { name: 'Descendre' }).click();
  await ligne.getByRole('button', { name: 'Monter' }).click();
  await range(maison, ['Fondation', 'Regain', 'Désert']);
  await montre(page, 'Livres', ['Fondation', 'Regain', 'Désert']);
});

test('the keyboard takes a wish up, moves it and puts it down; Escape puts it back', async () => {
  const maison = await maisonDeTrois();
  const page = await (await device(maison, { taille: 'bureau' })).open('/souhaits');
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  await poignee(page, 'Regain').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.getByText('« Regain » : 3 sur 3.').waitFor({ state: 'attached' });
  await montre(page, 'Livres', ['Fondation', 'Désert', 'Regain']);
  expect(await maison.souhaits('alice')).toEqual(['Regain', 'Fondation', 'Désert']);
  await page.keyboard.press('Space');
  await range(maison, ['Fondation', 'Désert', 'Regain']);
  await expect
    .poll(() => poignee(page, 'Regain').evaluate((element) => element === document.activeElement))
    .toBe(true);

  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await montre(page, 'Livres', ['Fondation', 'Regain', 'Désert']);
  await page.keyboard.press('Escape');
  await montre(page, 'Livres', ['Fondation', 'Désert', 'Regain']);
  expect(await maison.souhaits('alice')).toEqual(['Fondation', 'Désert', 'Regain']);
});

/** From the handle of a wish to below another one. */
async function trajet(page: Page, de: string, sous: string) {
  const depart = await poignee(page, de).boundingBox();
  const but = await souhait(page, sous).boundingBox();
  if (depart === null || but === null) throw new Error('Not in sight');
  const x = depart.x + depart.width / 2;
  const y = depart.y + depart.height / 2;
  return { x, y, fin: but.y + but.height * 0.75 };
}

const PAS = 12;

/** Waits until the place that is kept for the wish in the air, which nobody reads, is the last. */
const enLAir = (page: Page) =>
  page.locator('li:nth-child(3)[aria-label="Regain"]').waitFor({ state: 'attached' });

test('the mouse drags a wish by its handle', async () => {
  const maison = await maisonDeTrois();
  const page = await (await device(maison, { taille: 'bureau' })).open('/souhaits');
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  const { x, y, fin } = await trajet(page, 'Regain', 'Désert');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, fin, { steps: PAS });
  await enLAir(page);
  await page.mouse.up();
  await range(maison, ['Fondation', 'Désert', 'Regain']);
  await montre(page, 'Livres', ['Fondation', 'Désert', 'Regain']);
});

test('a finger drags a wish by its handle', async () => {
  const maison = await maisonDeTrois();
  const appareil = await device(maison);
  const page = await appareil.open('/souhaits');
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  const { x, y, fin } = await trajet(page, 'Regain', 'Désert');
  const doigt = await appareil.context.newCDPSession(page);
  const toucher = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: number[]) =>
    doigt.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((hauteur) => ({ x, y: hauteur })),
    });
  await toucher('touchStart', [y]);
  for (let pas = 1; pas <= PAS; pas++) await toucher('touchMove', [y + ((fin - y) * pas) / PAS]);
  await enLAir(page);
  await toucher('touchEnd', []);
  await range(maison, ['Fondation', 'Désert', 'Regain']);
});

test('a list that another device has changed is shown anew, not overwritten', async () => {
  const maison = await maisonDeTrois();
  const appareil = await device(maison);
  const page = await appareil.open('/souhaits');
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  // This device does not hear of the fourth wish before it sends an order of three.
  const donnerDesNouvelles = sansNouvelles(appareil);
  await maison.souhaiter('alice', { titre: 'Malpertuis' });
  await souhait(page, 'Désert').getByRole('button', { name: 'Monter' }).click();
  await montre(page, 'Livres', ['Regain', 'Désert', 'Fondation']);
  donnerDesNouvelles();
  await page.getByText('Cette liste a changé entre-temps').waitFor();
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert', 'Malpertuis']);
  expect(await maison.souhaits('alice')).toEqual(['Regain', 'Fondation', 'Désert', 'Malpertuis']);
});
