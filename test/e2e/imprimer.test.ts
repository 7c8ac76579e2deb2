import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

test('the catalogue alone is printed, by author or location', async () => {
  const house = await household();
  const { id: emplacementId } = await ajouterEmplacement(house, { nom: 'Salon' });
  const maupassant = await house.ajouter({ titre: 'Bel-Ami', auteurs: ['Guy de Maupassant'] });
  const camus = await house.ajouter({ titre: 'La Peste', auteurs: ['Albert Camus'] });
  for (const { id } of [maupassant, camus]) await rangerLivre(house, id, emplacementId);
  const lent = await house.ajouter({ titre: 'Sido', auteurs: ['Colette'] });
  await house.preter(lent, 'Luc');
  const page = await (await device(house, { size: 'desk' })).open('/reglages');
  await page.getByRole('link', { name: 'Imprimer le catalogue' }).click();
  const lines = async () =>
    (await page.getByRole('main').locator('section').innerText())
      .split(/\n+/)
      .map((line) => line.trim());
  const byAuteur = ['Camus, Albert', 'La Peste', 'Salon', 'Colette', 'Sido', 'chez Luc'];
  const rest = ['Maupassant, Guy de', 'Bel-Ami', 'Salon'];
  await page.getByText('3 livres, par auteur').waitFor();
  expect((await lines()).slice(-9)).toEqual([...byAuteur, ...rest]);
  expect(await accessibilityFaults(page, '/imprimer: as it is')).toEqual([]);
  await page.getByRole('radio', { name: 'Par emplacement' }).check();
  await page.getByText('3 livres, par emplacement').waitFor();
  expect((await lines()).slice(-8)).toEqual([
    'Salon',
    'Bel-Ami',
    'Maupassant, Guy de',
    'La Peste',
    'Camus, Albert',
    'Sans emplacement',
    'Sido',
    'chez Luc',
  ]);

  // A filtered list is printed as a catalogue, too.
  await follow(page, '/?recherche=camus');
  const heading = page.getByRole('heading', { name: 'Catalogue de la maison' });
  await expect
    .poll(async () => {
      await page.emulateMedia({ media: 'print' });
      const isThere = await heading.isVisible();
      if (!isThere) await page.emulateMedia({ media: 'screen' });
      return isThere;
    })
    .toBe(true);
  await page.getByText(/^1 livre, par auteur/).waitFor();
  for (const name of ['Ajouter', 'Filtres'])
    expect(
      await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count(),
      name,
    ).toBe(0);
  expect(await page.getByRole('navigation').count()).toBe(0);
});
