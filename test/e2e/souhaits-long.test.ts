import { expect, test } from 'vitest';
import type { Souhait } from '#shared/souhaits';
import { device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';
import {
  closeSheet,
  expectList,
  moveByKeys,
  openSheet,
  pressIn,
  souhaitRow,
} from './support/souhaits.ts';

/** Two hundred wishes, and two of other authors. */
async function longList(): Promise<{ house: Household; second: Souhait }> {
  const house = await household();
  const souhaiter = (index: number) =>
    house.souhaiter('alice', {
      titre: `Souhait ${String(index + 100)}`,
      auteur: index === 150 ? 'Colette' : 'Georges Simenon',
    });
  await souhaiter(0);
  const second = await souhaiter(1);
  for (let index = 2; index < 200; index++) await souhaiter(index);
  return { house, second };
}

test('only wishes near the window are on the page', async () => {
  const { house, second } = await longList();
  const page = await (await device(house)).open('/souhaits');
  await souhaitRow(page, 'Souhait 100').waitFor();
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  expect(await nodes()).toBeLessThan(3_000);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('colette');
  await expectList(page, 'Livres', ['Souhait 250']);
  // The wish is the first of the filtered list, but can still move to the top.
  const sheet = await openSheet(page, 'Souhait 250');
  expect(await sheet.getByRole('button', { name: 'Monter' }).count()).toBe(0);
  await sheet.getByRole('button', { name: 'Mettre en tête' }).click();
  await expectFeedback(page, 'Souhaits réordonnés');
  await closeSheet(page);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await expect.poll(async () => (await house.souhaits('alice'))[0]).toBe('Souhait 250');
  await pressIn(page, 'Souhait 250', 'Descendre');
  await expect.poll(async () => (await house.souhaits('alice'))[1]).toBe('Souhait 250');
  await closeSheet(page);
  // A wish deleted above by another device: the focus stays on the same wish, one row higher.
  const unfold = souhaitRow(page, 'Souhait 102').getByRole('button', { name: 'Souhait 102' });
  await unfold.focus();
  await fetch(`${house.url}/api/souhaits/${String(second.id)}`, {
    method: 'DELETE',
    headers: { SSO_USER: 'alice' },
  });
  await expect.poll(() => souhaitRow(page, 'Souhait 101').count()).toBe(0);
  await expect.poll(() => unfold.evaluate((it) => it === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Réordonner' }).click();
  // Rows far below the window contain only their titles, for the browser's search.
  const last = souhaitRow(page, 'Souhait 299');
  expect(await last.innerText()).toBe('Souhait 299');
  expect(await last.locator('[data-handle]').count()).toBe(0);
  await last.scrollIntoViewIfNeeded();
  await last.locator('[data-handle]').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await moveByKeys(page, 'Souhait 100', 'ArrowDown');
  await expect.poll(async () => (await house.souhaits('alice'))[0]).toBe('Souhait 250');
});

test('wishes are sorted, exported and bought from where one looks', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Colline', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Le Blé en herbe', auteur: 'Colette' });
  const page = await (await device(house)).open('/souhaits');
  await expectList(page, 'Livres', ['Regain', 'Colline', 'Le Blé en herbe']);
  await page.getByRole('button', { name: 'Autres actions' }).click();
  const order = page.getByRole('group', { name: 'Trier' });
  await order.getByRole('radio', { name: 'Par titre' }).check();
  await expectList(page, 'Livres', ['Le Blé en herbe', 'Colline', 'Regain']);
  await order.getByRole('radio', { name: 'Les plus récents' }).check();
  await expectList(page, 'Livres', ['Le Blé en herbe', 'Colline', 'Regain']);
  await order.getByRole('radio', { name: 'Par auteur' }).check();
  await expectList(page, 'Livres', ['Le Blé en herbe', 'Regain', 'Colline']);
  const isAbove = await page
    .getByRole('button', { name: 'Exporter en texte' })
    .evaluate((button, list) => button.getBoundingClientRect().bottom <= list, 740);
  expect(isAbove).toBe(true);
  await closeSheet(page);
  // In another order wishes have no rank, and cannot be dragged.
  expect(await page.locator('[data-handle]').count()).toBe(0);
  await pressIn(page, 'Regain', 'Je l’ai acheté');
  await expectFeedback(page, 'Livre ajouté : Regain');
  await expectList(page, 'Livres', ['Le Blé en herbe', 'Colline']);
});

test('keys in a long list’s form stay there', async () => {
  const { house } = await longList();
  await house.ajouter({ titre: 'Sido', auteurs: ['Colette'] });
  const page = await (await device(house)).open('/souhaits');
  await pressIn(page, 'Souhait 101', 'Modifier');
  const form = page.getByRole('form', { name: 'Modifier « Souhait 101 »' });
  const titre = form.getByLabel('Titre');
  await titre.press('Home');
  await page.keyboard.type('Le ');
  expect(await titre.inputValue()).toBe('Le Souhait 101');
  await titre.press('End');
  await page.keyboard.type(' !');
  expect(await titre.inputValue()).toBe('Le Souhait 101 !');
  const auteurs = form.getByLabel('Auteurs');
  await auteurs.fill('Col');
  await form.getByRole('option', { name: 'Colette' }).waitFor();
  await auteurs.press('ArrowDown');
  expect(await auteurs.evaluate((field) => field === document.activeElement)).toBe(true);
});
