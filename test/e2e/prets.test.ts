import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';
import { scanByKeyboard } from './support/recherche.ts';

const DESERT = '9782070408504';
const OTHER = '9782948012017';
const DAY_MS = 86_400_000;

/** The page's clock, so many days ahead of the server's. */
const inDays = (page: Page, days: number) => page.clock.setFixedTime(Date.now() + days * DAY_MS);

test('earlier borrowers are proposed, and « sophie » is Sophie', async () => {
  const house = await household();
  const lent = await house.ajouter({ titre: 'Désert' });
  await house.rendre(await house.preter(lent, 'Sophie'));
  const other = await house.ajouter({ titre: 'Ulysse' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(lent.id)}`);
  await page.getByLabel('Emprunteur').fill('so');
  await page.getByRole('option', { name: 'Sophie' }).click();
  expect(await page.getByLabel('Emprunteur').inputValue()).toBe('Sophie');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByText(/^Prêté à Sophie/).waitFor();
  await page.goto(`${phone.portal.url}/livres/${String(other.id)}`);
  await page.getByLabel('Emprunteur').fill('sophie');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByText(/^Prêté à Sophie/).waitFor();
});

test('loans are grouped by person on wish, which the device remembers', async () => {
  const house = await household();
  await house.preter(await house.ajouter({ titre: 'Désert' }), 'Sophie');
  await house.preter(await house.ajouter({ titre: 'Ulysse' }), 'Luc');
  await house.preter(await house.ajouter({ titre: 'Regain' }), 'Sophie');
  const page = await (await device(house)).open('/prets');
  await page
    .getByText(/depuis aujourd’hui/)
    .first()
    .waitFor();
  await page.getByRole('radio', { name: 'Par personne' }).check();
  const sophie = page.getByRole('list', { name: 'Sophie' });
  await expect.poll(() => sophie.getByRole('listitem').count()).toBe(2);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.reload();
  await page.getByRole('list', { name: 'Luc' }).getByRole('link', { name: 'Ulysse' }).waitFor();
});

test('one book after another is lent to one person', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert', isbn: DESERT });
  const page = await (await device(house)).open('/prets');
  await page.getByRole('button', { name: 'Prêter des livres' }).click();
  await page.getByRole('heading', { name: 'Prêter des livres' }).waitFor();
  await page.getByLabel('ISBN').fill(DESERT);
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page.getByText('À qui le livre est-il prêté ?').waitFor();
  await page.getByLabel('Emprunteur').fill('Sophie');
  await page.getByLabel('ISBN').fill('');
  await page.getByLabel('ISBN').focus();
  await scanByKeyboard(page, DESERT);
  const lent = page.getByRole('list', { name: 'Livres prêtés' });
  await lent
    .getByRole('listitem')
    .filter({ hasText: 'Désert' })
    .getByText('prêté à Sophie')
    .waitFor();
  await scanByKeyboard(page, OTHER);
  await lent.getByText('Pas dans la bibliothèque').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Retour aux prêts' }).click();
  await page.getByRole('link', { name: 'Désert' }).waitFor();
});

test('what is lent for more than three months is claimed, as a list to be sent', async () => {
  const house = await household();
  await house.preter(
    await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] }),
    'Sophie',
  );
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: (data: ShareData) => {
        document.title = data.text ?? '';
        return Promise.resolve();
      },
    });
  });
  const page = await phone.open('/prets');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  expect(await page.getByText(/À réclamer/).count()).toBe(0);
  await inDays(page, 125);
  await page.reload();
  await page.getByText('À réclamer : un livre').click();
  await page.getByText('depuis quatre mois').first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Partager la liste pour Sophie' }).click();
  await expect
    .poll(() => page.title())
    .toMatch(/^Livre prêté à Sophie\s: – Désert, J\. M\. G\. Le Clézio, prêté le \d/);
});

test('a book that was opened from the loans leads back to them on a phone', async () => {
  const house = await household();
  await house.preter(await house.ajouter({ titre: 'Désert' }), 'Luc');
  const page = await (await device(house)).open('/prets');
  await page.getByRole('link', { name: 'Désert' }).click();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.getByRole('link', { name: 'Retour', exact: true }).click();
  await page.getByRole('heading', { name: 'Prêts' }).waitFor();
});
