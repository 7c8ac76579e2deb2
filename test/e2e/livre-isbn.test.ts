import type { Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, useBrowserWith } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';
import { deskScanner } from './support/recherche.ts';
import { blockChanges } from './support/souhaits.ts';
import { videoOf } from './support/video.ts';

const FILMED = '9782948012017';
const OWNED = '9782070408504';
const FREE = '9782948012024';
const REVUE = '9772917044002';

const video = videoOf([FILMED]);
afterAll(() => video.remove());
useBrowserWith({ args: video.args });

const open = (page: Page) =>
  page.getByRole('button', { name: 'Scanner son code', exact: true }).click();
const field = (page: Page) => page.getByLabel('ISBN', { exact: true });

async function isbnOf(house: Household, id: number): Promise<string | null> {
  const response = await fetch(`${house.url}/api/livres/${String(id)}`);
  return ((await response.json()) as Livre).isbn;
}

test('the camera gives a book its code, and undoing takes it back', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Les travailleurs de la mer' });
  const page = await (await device(house)).open(`/livres/${String(id)}`);
  await open(page);
  await page.getByRole('button', { name: 'Scanner', exact: true }).click();
  await page.getByText('978-2-948012-01-7', { exact: true }).waitFor();
  expect(await isbnOf(house, id)).toBe(FILMED);
  expect(await page.getByRole('button', { name: 'Scanner son code' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Annuler', exact: true }).click();
  await expectFeedback(page, /est annul/);
  expect(await isbnOf(house, id)).toBeNull();
  await page.getByRole('button', { name: 'Scanner son code' }).waitFor();
});

test('a hand scanner gives a book a code that no other has', async () => {
  const house = await household();
  const other = await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const { id } = await house.ajouter({ titre: 'Désert, de poche' });
  const page = await (await device(house, { size: 'desk' })).open(`/livres/${String(id)}`);
  const scan = await deskScanner(page);
  await open(page);
  await expect.poll(() => field(page).evaluate((e) => e === document.activeElement)).toBe(true);
  await scan(REVUE);
  await page
    .getByText(/C’est le code d’une revue/)
    .first()
    .waitFor();
  await scan(OWNED);
  const question = page.getByRole('alert').filter({ hasText: 'Un livre a déjà ce code.' });
  await question.getByRole('link', { name: 'Désert', exact: true }).waitFor();
  expect(await isbnOf(house, id)).toBeNull();
  expect(await accessibilityFaults(page, '/livres/[id]: the code of another book')).toEqual([]);
  // Another code replaces the question.
  await scan(FREE);
  await page.getByText('978-2-948012-02-4', { exact: true }).waitFor();
  expect(await isbnOf(house, id)).toBe(FREE);
  expect(await isbnOf(house, other.id)).toBe(OWNED);
});

test('a second copy takes the code of the first one', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const { id } = await house.ajouter({ titre: 'Désert, relié' });
  const page = await (await device(house, { size: 'desk' })).open(`/livres/${String(id)}`);
  await open(page);
  await field(page).fill('2-07-040850-8');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(/Le dernier chiffre ne correspond pas/).waitFor();
  await field(page).fill(OWNED);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('button', { name: 'Noter quand même' }).click();
  await page.getByText('978-2-07-040850-4', { exact: true }).waitFor();
  expect(await isbnOf(house, id)).toBe(OWNED);
});

test('a code that another device gave meanwhile stays', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open(`/livres/${String(id)}`);
  await open(page);
  await field(page).fill(FREE);
  const letNewsThrough = blockChanges(phone);
  const livre = (await (await fetch(`${house.url}/api/livres/${String(id)}`)).json()) as Livre;
  await fetch(`${house.url}/api/livres/${String(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ titre: livre.titre, format: livre.format, isbn: OWNED }),
  });
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  letNewsThrough();
  await page.getByText('978-2-07-040850-4', { exact: true }).waitFor();
  expect(await isbnOf(house, id)).toBe(OWNED);
});
