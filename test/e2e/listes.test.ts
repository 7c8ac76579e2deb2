import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { chezNous, livreTitles } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { bar, select } from './support/selection.ts';

async function houseOfLivres(): Promise<Household> {
  const house = await household();
  // Enough books for « Chez nous ».
  for (let i = 0; i < 24; i++)
    await house.ajouter({ titre: `Livre ${String(i).padStart(2, '0')}` });
  return house;
}

const listes = (page: Page) => page.getByRole('list', { name: 'Listes', exact: true });

const rows = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Monter' }) });

test('a list is made from one book and from many, arranged by the keyboard, shown, shared and deleted', async () => {
  const house = await houseOfLivres();
  const reader = await device(house, { serviceWorker: true });
  const page = await reader.open();
  await page.getByRole('link', { name: 'Livre 03' }).click();
  await page.getByRole('button', { name: 'Mettre dans une liste' }).click();
  await page.getByRole('combobox', { name: 'Nom de la liste' }).fill('Pour Tom');
  expect(await accessibilityFaults(page, '/livres/[id]: into a list')).toEqual([]);
  await page.getByRole('button', { name: 'Mettre dans la liste' }).click();
  await listes(page).getByRole('link', { name: 'Pour Tom' }).waitFor();

  await follow(page, '/');
  await select(page, 'Livre 01', 'Livre 00');
  await bar(page).getByRole('button', { name: 'Liste', exact: true }).click();
  await page.getByRole('combobox', { name: 'Nom de la liste' }).focus();
  await page.getByRole('option', { name: 'Pour Tom' }).click();
  await expectFeedback(page, /2 livres ajoutés à la liste Pour Tom/);

  await follow(page, '/selections');
  await page.getByRole('link', { name: 'Pour Tom' }).click();
  await page.getByRole('heading', { level: 2, name: '3 livres' }).waitFor();
  expect(await livreTitles(page)).toEqual(['Livre 03', 'Livre 00', 'Livre 01']);
  await page.getByRole('button', { name: 'Arranger' }).click();
  const up = rows(page).nth(2).getByRole('button', { name: 'Monter' });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => rows(page).allInnerTexts())
    .toEqual(
      ['Livre 03', 'Livre 01', 'Livre 00'].map((titre) => expect.stringMatching(titre) as string),
    );
  expect(await accessibilityFaults(page, '/: a list while it is arranged')).toEqual([]);
  await rows(page).first().getByRole('button', { name: 'Retirer' }).click();
  await expectFeedback(page, /1 livre retiré de la liste Pour Tom/);
  await undo(page);
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Terminé' }).click();
  expect(await livreTitles(page)).toEqual(['Livre 03', 'Livre 01', 'Livre 00']);
  expect(await accessibilityFaults(page, '/: a list')).toEqual([]);
  await page.getByRole('button', { name: 'Montrer dans « Chez nous »' }).click();
  await page.getByRole('button', { name: 'Retirer de « Chez nous »' }).waitFor();
  await page.getByRole('button', { name: 'Partager avec la maison' }).click();
  await page.getByText('Partagée avec la maison.').waitFor();

  // Another reader sees the list; a deleted book leaves it.
  const theirs = await (await device(house, { user: 'bob' })).open('/selections');
  await theirs.getByRole('link', { name: 'Pour Tom' }).click();
  await expect.poll(() => livreTitles(theirs)).toEqual(['Livre 03', 'Livre 01', 'Livre 00']);

  await reader.untilOfflineReady(page);
  await reader.cutNetwork();
  await page.goto(reader.portal.url);
  const place = await chezNous(page);
  await place.getByRole('link', { name: 'Pour Tom' }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Livre 03', 'Livre 01', 'Livre 00']);
  const arrange = page.getByRole('button', { name: 'Arranger' });
  expect(await arrange.getAttribute('aria-disabled')).toBe('true');
});

test('an empty list is made by its name', async () => {
  const page = await (await device(await houseOfLivres())).open('/selections');
  await page.getByRole('button', { name: 'Nouvelle liste' }).click();
  await page.getByRole('textbox', { name: 'Nom' }).fill('À lire cet été');
  expect(await accessibilityFaults(page, '/selections/ajouter: a list')).toEqual([]);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { level: 1, name: 'À lire cet été' }).waitFor();
  await page.getByText('Cette liste est vide.').waitFor();
});
