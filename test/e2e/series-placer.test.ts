import { test, expect } from 'vitest';
import { unfold } from './support/add.ts';
import { ajouterSerie, lireSerie, modifierSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { blockChanges } from './support/souhaits.ts';

test('a book that fits a missing volume offers its place', async () => {
  const house = await household();
  const { id } = await ajouterSerie(house, {
    titre: 'Fondation',
    places: [
      { titre: 'Prélude à Fondation', numero: '1' },
      { titre: 'L’Aube de Fondation', numero: '2', auteur: 'Isaac Asimov' },
    ],
  });
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('L’aube de fondation : roman');
  await page.getByLabel('Auteurs').fill('Asimov, Isaac;');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page.getByText('Ce livre manque à la série « Fondation » (tome 2) : le placer ?').waitFor();
  await page.getByRole('button', { name: 'Le placer' }).click();
  await page.getByRole('button', { name: 'Le placer' }).waitFor({ state: 'hidden' });
  const { places } = await lireSerie(house, id);
  expect(places.map(({ livreId }) => livreId !== null)).toEqual([false, true]);
  await follow(page, `/livres/${String(places[1]?.livreId)}`);
  await page.getByRole('main').getByRole('link', { name: 'Fondation', exact: true }).click();
  await page.getByText('1 tome sur 2 : il manque le tome 1').waitFor();
});

/** A new book with its place in a series offered, on a device that receives no changes. */
async function offeredPlace() {
  const house = await household();
  const { id, places } = await ajouterSerie(house, {
    titre: 'Fondation',
    places: [{ titre: 'Prélude à Fondation', numero: '1' }],
  });
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Prélude à Fondation');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  const placeButton = page.getByRole('button', { name: 'Le placer' });
  await placeButton.waitFor();
  return { house, page, id, places, placeButton, letNewsThrough: blockChanges(phone) };
}

test('a book is placed in the series as changed elsewhere', async () => {
  const { house, id, places: before, placeButton, letNewsThrough } = await offeredPlace();
  await modifierSerie(house, id, {
    titre: 'Le cycle de Fondation',
    places: [...before, { titre: 'Fondation', numero: '2' }],
  });
  await placeButton.click();
  letNewsThrough();
  await placeButton.waitFor({ state: 'hidden' });
  const { titre, places } = await lireSerie(house, id);
  expect(titre).toBe('Le cycle de Fondation');
  expect(places.map((place) => [place.titre, place.livreId !== null])).toEqual([
    ['Prélude à Fondation', true],
    ['Fondation', false],
  ]);
});

test('an offered place that is taken meanwhile is reported and removed', async () => {
  const { house, page, id, places, placeButton, letNewsThrough } = await offeredPlace();
  const other = await house.ajouter({ titre: 'Un autre livre' });
  await modifierSerie(house, id, {
    titre: 'Fondation',
    places: places.map((place) => ({ ...place, livreId: other.id })),
  });
  await placeButton.click();
  const sentence = page.getByText('Cette fiche a été modifiée entre-temps');
  await sentence.waitFor();
  letNewsThrough();
  await placeButton.waitFor({ state: 'hidden' });
  expect(await sentence.isVisible()).toBe(true);
});
