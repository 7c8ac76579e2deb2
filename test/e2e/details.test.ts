import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const LONG = Array.from({ length: 12 }, (_, i) => `Ligne ${i + 1} du résumé.`).join('\n');

test('what a book has no field for is noted, shown and found again', async () => {
  const house = await household();
  const other = await house.ajouter({
    titre: 'Orlando',
    auteurs: ['Virginia Woolf'],
    details: [
      { nom: 'Langue', valeur: 'français' },
      { nom: 'Préface', valeur: 'Lise Marchand' },
    ],
  });
  const { id } = await house.ajouter({ titre: 'Le Petit Quai', auteurs: ['Hugo Ferrand'] });
  const page = await (await device(house)).open(`/livres/${id}`);
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'Le Petit Quai' }).waitFor();
  expect(await main.getByText('Détails').count()).toBe(0);

  await follow(page, `/livres/${id}/modifier`);
  const group = page.getByRole('group', { name: 'Détails' });
  const add = page.getByRole('button', { name: 'Ajouter un détail' });
  const noms = group.getByLabel('Nom du détail');
  await add.click();
  // The household's own names come first, and what it writes under them.
  await expect
    .poll(() => group.getByRole('option').allInnerTexts())
    .toEqual(['Langue', 'Préface', 'Sous-titre', 'Titre original', 'Traduction', 'Illustration']);
  await group.getByRole('option', { name: 'Langue' }).click();
  await group.getByLabel('Langue', { exact: true }).focus();
  await group.getByRole('option', { name: 'français' }).click();
  await add.click();
  await noms.nth(1).fill('Prix');
  await group.getByLabel('Prix', { exact: true }).fill('8,50 €');
  await add.click();
  await noms.nth(2).fill('langue');
  await group.getByLabel('langue', { exact: true }).fill('anglais');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(/langue\s» est déjà là/).waitFor();
  await expect
    .poll(() => noms.nth(2).evaluate((element) => element === document.activeElement))
    .toBe(true);
  expect(await accessibilityFaults(page, '/livres/[id]/modifier: details')).toEqual([]);
  await noms.nth(2).fill('Résumé');
  await group.getByLabel('Résumé', { exact: true }).fill(LONG);
  await group.getByRole('button', { name: 'Monter le détail « Prix »' }).click();
  await page.reload();
  // A draft keeps them, rows and order.
  await expect
    .poll(() =>
      noms.evaluateAll((fields) => fields.map((each) => (each as HTMLInputElement).value)),
    )
    .toEqual(['Prix', 'Langue', 'Résumé']);
  await page.getByRole('button', { name: 'Enregistrer' }).click();

  await main.getByRole('heading', { name: 'Détails' }).waitFor();
  expect(await main.locator('dl.details').innerText()).toMatch(/Prix\s+8,50 €\s+Langue\s+français/);
  await main.getByRole('heading', { name: 'Résumé' }).waitFor();
  const more = main.getByRole('button', { name: 'Lire la suite de « Résumé »' });
  const paragraph = main.getByText('Ligne 12 du résumé.');
  const height = async () => (await paragraph.boundingBox())?.height ?? 0;
  const folded = await height();
  await more.click();
  expect(await height()).toBeGreaterThan(1.5 * folded);
  expect(await accessibilityFaults(page, '/livres/[id]: details')).toEqual([]);
  // A price leads nowhere, a language to all books that have it.
  expect(await main.getByRole('link', { name: '8,50 €' }).count()).toBe(0);
  await main.getByRole('link', { name: 'français' }).click();
  await page.waitForURL(/[?&]detail=Langue/);
  await expect
    .poll(() => page.getByRole('link', { name: /Orlando|Le Petit Quai/ }).count())
    .toBeGreaterThanOrEqual(2);

  // A row that is emptied is no detail any more.
  await follow(page, `/livres/${other.id}/modifier`);
  await group.getByRole('button', { name: 'Retirer le détail « Préface »' }).click();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/modifier'));
  await follow(page, `/livres/${other.id}`);
  await main.getByText('français').waitFor();
  expect(await main.getByText('Lise Marchand').count()).toBe(0);
});
