import { test, expect } from 'vitest';
import { ajouterSerie, lireSerie } from './support/collections.ts';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

test('a book that fills a place offers to fill it, and says where it stands', async () => {
  const maison = await household();
  const { id } = await ajouterSerie(maison, {
    titre: 'Fondation',
    places: [
      { titre: 'Prélude à Fondation', numero: '1' },
      { titre: 'L’Aube de Fondation', numero: '2', auteur: 'Isaac Asimov' },
    ],
  });
  const page = await (await device(maison)).open('/livres/ajouter');
  await page.getByLabel('Titre').fill('L’aube de fondation : roman');
  await page.getByLabel('Auteurs').fill('Asimov, Isaac;');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Ce livre manque à la série « Fondation » (tome 2) : le placer ?').waitFor();
  await page.getByRole('button', { name: 'Le placer' }).click();
  await page.getByRole('button', { name: 'Le placer' }).waitFor({ state: 'hidden' });
  const { places } = await lireSerie(maison, id);
  expect(places.map(({ livreId }) => livreId !== null)).toEqual([false, true]);
  await page.goto(new URL(`/livres/${String(places[1]?.livreId)}`, page.url()).href);
  await page.getByRole('main').getByRole('link', { name: 'Fondation', exact: true }).click();
  await page.getByText('1 volume sur 2, 1 manque').waitFor();
});
