import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const house = (page: Page) => page.getByRole('region', { name: 'L’année de la maison' });
const accord = (page: Page) => page.getByRole('checkbox', { name: /^Compter mes lectures/ });

test('the household’s year counts only who agrees', async () => {
  const home = await household();
  const livre = await home.ajouter({ titre: 'Dune', nombrePages: 412 });
  for (const who of ['alice', 'bruno']) await home.setStatut(livre, who, 2);
  const phone = await device(home, { serviceWorker: true });
  const alice = await phone.open('/lectures/annee');
  await expect.poll(() => accord(alice).isEnabled()).toBe(true);
  expect(await accord(alice).isChecked()).toBe(false);
  await accord(alice).check();
  await house(alice).getByText('tant que vous êtes seul').waitFor();

  const bruno = await (await device(home, { user: 'bruno', size: 'desk' })).open('/lectures/annee');
  await accord(bruno).check();
  await house(bruno).getByText('824 pages').waitFor();
  expect(await accessibilityFaults(bruno)).toEqual([]);
  await accord(bruno).uncheck();
  await house(bruno).getByText('824 pages').waitFor({ state: 'hidden' });
  await accord(bruno).check();

  await follow(alice, '/lectures');
  await follow(alice, '/lectures/annee');
  await house(alice).getByText('824 pages').waitFor();
  await phone.untilOfflineReady(alice);
  await phone.cutNetwork();
  await alice.reload();
  await house(alice).getByText('se fait sur le serveur').waitFor();
  expect(await accord(alice).isDisabled()).toBe(true);
  await alice.getByText('412', { exact: true }).waitFor();
});

test('readings of a deleted book come back with it', async () => {
  const home = await household();
  const livre = await home.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  const phone = await device(home);
  const page = await phone.open(`/livres/${String(livre.id)}`);
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  await mine.getByRole('button', { name: 'Relire' }).click();
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await mine.getByText(/^Déjà lu le /).waitFor();

  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await page.getByText('Livre supprimé : Dune').first().waitFor();
  await follow(page, '/lectures');
  const wall = page.getByRole('link', { name: 'Dune' });
  await expect.poll(() => wall.count()).toBe(2);
  expect(await wall.first().getAttribute('href')).toMatch(/\/lectures\/\d+$/);
  await follow(page, '/modifications');
  await page
    .getByRole('button', { name: /Annuler/ })
    .first()
    .click();
  await follow(page, '/lectures');
  await expect.poll(() => wall.first().getAttribute('href')).toMatch(/\/livres\/1$/);
  await wall.first().click();
  await mine.getByText(/^Déjà lu le /).waitFor();
});
