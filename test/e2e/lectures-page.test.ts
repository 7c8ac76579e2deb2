import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

test('a press and a number set the page reached, on the pages of the book and of a reading', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune', nombrePages: 340 });
  const phone = await device(house);
  const page = await phone.open(`/livres/${livre.id}`);
  await page.getByRole('radio', { name: 'En cours', exact: true }).check();
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  const press = mine.getByRole('button', { name: 'Où j’en suis' });
  await press.click();
  const field = mine.getByLabel('Page', { exact: true });
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await field.fill('341');
  await field.press('Enter');
  await mine.getByText('Ce livre a 340 pages.').first().waitFor();
  await field.fill('120');
  await field.press('Enter');
  await mine.getByText('p. 120 sur 340', { exact: true }).waitFor();
  await expect.poll(() => field.count()).toBe(0);
  await mine.getByRole('button', { name: 'Abandonné' }).click();
  await mine.getByText(/^Abandonné le .* · p\.\s120 sur 340$/).waitFor();
  await page.getByRole('button', { name: 'Annuler', exact: true }).first().click();
  await mine.getByText('p. 120 sur 340', { exact: true }).waitFor();

  const other = await phone.open('/lectures/ajouter');
  await unfold(other);
  await other.getByLabel('Titre', { exact: true }).fill('Les Vagues');
  await other.getByLabel('Début', { exact: true }).fill('hier');
  await other.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await other.getByRole('link', { name: 'Voir' }).click();
  await other.getByRole('heading', { level: 1, name: 'Les Vagues' }).waitFor();
  await other.getByRole('button', { name: 'Où j’en suis' }).click();
  await other.getByRole('radio', { name: '%' }).check();
  await other.getByLabel('Pourcentage', { exact: true }).fill('35');
  await other.getByRole('button', { name: 'Noter', exact: true }).click();
  await other.getByText(/^35\s%$/).waitFor();

  await phone.cutNetwork();
  await page
    .getByText(/^Hors ligne/)
    .first()
    .waitFor();
  const button = other.getByRole('button', { name: 'Où j’en suis' });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  expect(await button.getAttribute('aria-describedby')).not.toBeNull();
  await other.getByText(/^35\s%$/).waitFor();
});
