import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { told, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const EMPRUNT = { nom: 'Lise', depuis: '2026-01-02', aRendre: null };

const main = (page: Page) => page.getByRole('main');

test('a borrowed book says whose it is, is found by that, and is given back or kept', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Ourika' });
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${livre.id}/modifier`);
  await page.getByText('Emprunté à quelqu’un').click();
  await page.getByLabel('À rendre le').fill('2099-03-03');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('À qui le livre est-il emprunté ?').waitFor();
  await page.getByLabel('Emprunté à', { exact: true }).fill('Lise');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await main(page).getByText('Emprunté à Lise', { exact: true }).waitFor();
  await main(page)
    .getByText(/à rendre le 3 mars 2099/)
    .first()
    .waitFor();
  expect(await page.getByLabel('Emprunteur').count(), 'it is lent to nobody').toBe(0);
  expect(await accessibilityFaults(page, '/livres/[id]: a borrowed book')).toEqual([]);

  await follow(page, '/?appartenance=emprunte');
  await main(page)
    .getByText(/emprunté à Lise, à rendre le 3 mars 2099/)
    .waitFor();
  expect(await main(page).getByText('Désert').count()).toBe(0);

  await main(page).getByRole('link', { name: 'Ourika' }).click();
  await page.getByRole('button', { name: 'Il est à nous' }).click();
  await page.getByLabel('Emprunteur').waitFor();
  await undo(page);
  await page.getByRole('button', { name: /^Rendu.: Ourika/ }).click();
  await told(page, /^Rendu à qui l’a prêté/);
  expect(await house.titres()).toEqual(['Désert']);
  await undo(page);
  expect(await house.titres()).toEqual(['Désert', 'Ourika']);
});

test('a borrowed volume stands in its series, which lacks it all the same', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Le Gué', emprunteA: EMPRUNT });
  const own = await house.ajouter({ titre: 'La Source' });
  await ajouterSerie(house, {
    titre: 'Rives',
    places: [
      { titre: 'La Source', numero: '1', livreId: own.id },
      { titre: 'Le Gué', numero: '2', livreId: livre.id },
    ],
  });
  const page = await (await device(house)).open('/series/1');
  await main(page).getByText('emprunté à Lise').waitFor();
  await page.getByRole('heading', { name: 'Il manque' }).waitFor();
  await page.getByText(/manque le tome\s2/).waitFor();
});

test('a borrowed book does not bring home what is wished for', async () => {
  const house = await household();
  await house.souhaiter('Ana', { titre: 'Ourika' });
  await house.souhaiter('Ana', { titre: 'Désert' });
  await house.ajouter({ titre: 'Ourika', emprunteA: EMPRUNT });
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { user: 'Ana' })).open('/souhaits');
  await main(page).getByText('Arrivé à la maison').waitFor();
  expect(await main(page).getByText('Arrivé à la maison').count()).toBe(1);
});
