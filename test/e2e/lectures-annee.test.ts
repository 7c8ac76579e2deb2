import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

test('readings of a deleted book come back with it', async () => {
  const home = await household();
  const livre = await home.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  await home.setStatut(livre, 'alice', 2, '2019-09-30');
  const phone = await device(home);
  const page = await phone.open(`/livres/${String(livre.id)}`);
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
