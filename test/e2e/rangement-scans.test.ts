import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import type { Livre } from '#shared/livres';
import { readLivres } from '../../demo/livres.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { deskScanner } from './support/recherche.ts';

const COUNT = 40;
const WAIT = { timeout: 60_000 };

async function ask<T>(house: Household, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(house.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', SSO_USER: 'alice' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

/** Books of the demonstration, those with a code first, and two locations in a room. */
async function furnished(count: number) {
  const house = await household();
  for (const [nom, parentId] of [
    ['Salon', null],
    ['Étagère 3', 1],
    ['Cave', null],
  ] as const)
    await ask(house, 'POST', '/api/emplacements', { nom, parentId });
  const livres: Livre[] = [];
  const saisies = readLivres().sort((a, b) => Number(!a.isbn) - Number(!b.isbn));
  for (const saisie of saisies.slice(0, count)) livres.push(await house.ajouter(saisie));
  return { house, livres };
}

const standingIn = async (house: Household, id: number | 'aucun') =>
  (await ask<Livre[]>(house, 'GET', `/api/livres?emplacement=${id}`)).length;

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();

test('forty books are put away by their codes or names, and taken back as one', async () => {
  const { house, livres } = await furnished(COUNT);
  const page = await (await device(house, { size: 'desk' })).open('/rangement/ranger');
  await page.getByLabel('Emplacement', { exact: true }).selectOption('Salon › Étagère 3');
  await expect
    .poll(() => page.getByRole('button', { name: 'Scanner', exact: true }).isEnabled())
    .toBe(true);
  const scan = await deskScanner(page);
  const lines = page.getByRole('list', { name: 'Codes lus' }).getByRole('listitem');
  let count = 0;
  for (const { isbn, titre } of livres) {
    if (isbn !== null) await scan(isbn);
    else {
      await page.getByRole('searchbox').fill(titre);
      await press(page, `Ranger ${titre} dans Étagère 3`);
    }
    await expect.poll(() => lines.count()).toBe(++count);
  }
  await page.getByText('40 livres rangés ici', { exact: true }).waitFor(WAIT);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await standingIn(house, 2)).toBe(COUNT);
  await press(page, 'Terminer');
  await page.getByText('40 livres rangés dans Étagère 3', { exact: true }).waitFor();
  await press(page, 'Annuler');
  await expect.poll(() => standingIn(house, 2), WAIT).toBe(0);
});

test('a stocktaking goes on without a network and after a reload, and is set right by one press', async () => {
  const { house, livres } = await furnished(12);
  const [lent, away, stranger, ...here] = livres;
  if (lent === undefined || away === undefined || stranger === undefined) throw new Error('few');
  const ids = [lent, away, ...here].map(({ id }) => id);
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 2 });
  await ask(house, 'PUT', `/api/livres/${stranger.id}/emplacement`, { emplacementId: 3 });
  await ask(house, 'POST', `/api/livres/${lent.id}/prets`, { emprunteur: 'Zoé' });
  const phone = await device(house);
  const page = await phone.open('/rangement/recolement?emplacement=1');
  await press(page, 'Commencer');
  await page.getByText('0 sur 11', { exact: true }).waitFor();
  const scanLabel = async (id: number) => {
    await page.getByRole('searchbox').fill(`https://livres.maison/rangement/${id}`);
    await page.getByRole('searchbox').press('Enter');
  };
  await scanLabel(3);
  await page.getByText('0 sur 1', { exact: true }).waitFor();
  await scanLabel(1);
  await page.getByText('0 sur 11', { exact: true }).waitFor();
  await phone.cutNetwork();
  const scan = await deskScanner(page);
  for (const { isbn } of here) await scan(isbn ?? '');
  await page.getByText('9 sur 11', { exact: true }).waitFor();
  for (const code of [stranger.isbn ?? '', '9782948012253', here[0]?.isbn ?? '']) await scan(code);
  await page.getByText('Ce code est déjà lu.', { exact: true }).waitFor();
  await scanLabel(3);
  await page.getByText(/^Finissez d’abord le récolement de «.Salon.»\.$/).waitFor();
  await page.getByText('9 sur 11', { exact: true }).waitFor();

  await phone.restoreNetwork();
  await page.reload();
  await page.getByText('9 sur 11', { exact: true }).waitFor();
  await section(page, 'Pas attendus ici').getByText(stranger.titre).waitFor();
  await section(page, 'Manquent ici').getByText(away.titre).waitFor();
  await section(page, 'Prêtés, donc absents').getByText('prêté à Zoé').waitFor();
  await section(page, 'Pas dans la bibliothèque').getByText('9782948012253').waitFor();
  expect(await section(page, 'Pas dans la bibliothèque').getByRole('listitem').count()).toBe(1);
  expect(await accessibilityFaults(page)).toEqual([]);
  const right = page.getByRole('button', { name: 'Corriger 2 livres', exact: true });
  await expect.poll(() => right.isEnabled()).toBe(true);
  await right.click();
  await page.getByText('Récolement de Salon : 2 livres corrigés').waitFor();
  await page.getByText('10 sur 11', { exact: true }).waitFor();
  expect([await standingIn(house, 1), await standingIn(house, 'aucun')]).toEqual([11, 1]);
  await press(page, 'Annuler');
  await expect.poll(() => standingIn(house, 3), WAIT).toBe(1);
  await press(page, 'Finir le récolement');
  await page.getByRole('button', { name: 'Commencer' }).waitFor();
});

test('a book whose code cannot be read is ticked by one press, offline too', async () => {
  const { house, livres } = await furnished(3);
  const ids = livres.map(({ id }) => id);
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 2 });
  const phone = await device(house);
  const page = await phone.open('/rangement/recolement?emplacement=2');
  await press(page, 'Commencer');
  await page.getByText('0 sur 3', { exact: true }).waitFor();
  await phone.cutNetwork();
  const missing = section(page, 'Manquent ici');
  const here = missing.getByRole('button', { name: /^Il est là/ });
  const titre = await missing.getByRole('listitem').first().locator('[dir=auto]').innerText();
  await here.first().press('Enter');
  await page.getByText('1 sur 3', { exact: true }).waitFor();
  await section(page, 'À leur place').getByText(titre).waitFor();
  const isNext = () => here.first().evaluate((each) => each === document.activeElement);
  await expect.poll(isNext).toBe(true);
  await here.first().press('Enter');
  await here.first().press('Enter');
  await page.getByText('3 sur 3', { exact: true }).waitFor();
  await missing.waitFor({ state: 'detached' });
});
