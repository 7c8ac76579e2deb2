import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { bar, select } from './support/selection.ts';

const LONG = Array.from({ length: 12 }, (_, i) => `Ligne ${i + 1} du résumé.`).join('\n');

test('a detail without a field is noted, shown and found again', async () => {
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
  // The household's own names are suggested first, and for the value its own values.
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
  await page.getByText(/langue\s» est déjà sur ce livre/).waitFor();
  await expect
    .poll(() => noms.nth(2).evaluate((element) => element === document.activeElement))
    .toBe(true);
  expect(await accessibilityFaults(page, '/livres/[id]/modifier: details')).toEqual([]);
  await noms.nth(2).fill('Résumé');
  await group.getByLabel('Résumé', { exact: true }).fill(LONG);
  await group.getByRole('button', { name: 'Monter le détail « Prix »' }).click();
  await page.reload();
  // A draft keeps the rows and their order.
  await expect
    .poll(() =>
      noms.evaluateAll((fields) => fields.map((each) => (each as HTMLInputElement).value)),
    )
    .toEqual(['Prix', 'Langue', 'Résumé']);
  await page.getByRole('button', { name: 'Enregistrer' }).click();

  await main.getByRole('heading', { name: 'Détails' }).waitFor();
  expect(await main.locator('dl.details').innerText()).toMatch(/Prix\s+8,50 €\s+Langue\s+français/);
  // The book's description comes before its details; both are text.
  const headings = await main.getByRole('heading', { level: 2 }).allInnerTexts();
  expect(headings.indexOf('Résumé')).toBeGreaterThan(-1);
  expect(headings.indexOf('Résumé')).toBeLessThan(headings.indexOf('Détails'));
  const more = main.getByRole('button', { name: 'Lire la suite de « Résumé »' });
  const paragraph = main.getByText('Ligne 12 du résumé.');
  const height = async () => (await paragraph.boundingBox())?.height ?? 0;
  const folded = await height();
  await more.click();
  expect(await height()).toBeGreaterThan(1.5 * folded);
  expect(await accessibilityFaults(page, '/livres/[id]: details')).toEqual([]);
  // A price is no link; a language links to all books with it.
  expect(await main.getByRole('link', { name: '8,50 €' }).count()).toBe(0);
  await main.getByRole('link', { name: 'français' }).click();
  await page.waitForURL(/[?&]detail=Langue/);
  await expect
    .poll(() => page.getByRole('link', { name: /Orlando|Le Petit Quai/ }).count())
    .toBeGreaterThanOrEqual(2);

  // Emptying a row deletes the detail.
  await follow(page, `/livres/${other.id}/modifier`);
  await group.getByRole('button', { name: 'Retirer le détail « Préface »' }).click();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/modifier'));
  await follow(page, `/livres/${other.id}`);
  await main.getByText('français').waitFor();
  expect(await main.getByText('Lise Marchand').count()).toBe(0);
});

test('the names of details are renamed, merged and deleted', async () => {
  const house = await household();
  const page = await (await device(house)).open('/reglages/details');
  await page.getByText('Aucun détail').waitFor();
  expect(await accessibilityFaults(page, '/reglages/details: none')).toEqual([]);
  await house.ajouter({
    titre: 'Dune',
    details: [
      { nom: 'Prix', valeur: '12 €' },
      { nom: 'Achat', valeur: 'chez Luc' },
    ],
  });
  await house.ajouter({ titre: 'Nadja', details: [{ nom: 'Prix', valeur: '8 €' }] });
  await page.getByRole('button', { name: /Renommer «\sPrix\s»/ }).click();
  await page.getByLabel('Nom du détail').fill('achat');
  await page.getByText(/existe déjà/).waitFor();
  expect(await accessibilityFaults(page, '/reglages/details: a name that is taken')).toEqual([]);
  await page.getByRole('button', { name: 'Fusionner' }).click();
  await expectFeedback(page, 'Détail renommé : Prix → Achat');
  await expect
    .poll(() => page.getByRole('main').getByRole('link').allInnerTexts())
    .toContain('Achat');
  await page.getByRole('button', { name: /Supprimer «\sAchat\s»/ }).click();
  await expectFeedback(page, 'Détail Achat retiré : 2 livres');
  await undo(page);
  await page.getByRole('main').getByRole('link', { name: 'Achat' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?detail=Achat');
  await page.getByRole('main').getByText('2 livres').first().waitFor();
});

test('many books get a detail at once, which the filters then offer', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune' });
  await house.ajouter({ titre: 'Désert' });
  await house.ajouter({ titre: 'Nadja' });
  const page = await (await device(house)).open();
  await select(page, 'Désert', 'Dune');
  await bar(page).getByRole('button', { name: 'Détail' }).click();
  await page.getByRole('combobox', { name: 'Nom du détail' }).fill('Langue');
  await page.getByRole('combobox', { name: 'Valeur' }).fill('français');
  expect(await accessibilityFaults(page, '/: a selection, a detail')).toEqual([]);
  await bar(page).getByRole('button', { name: 'Ajouter le détail' }).click();
  await expectFeedback(page, 'Détail Langue noté : 2 livres');
  await follow(page, '/?recherche=francais');
  await page
    .getByText(/Langue\s: français/)
    .first()
    .waitFor();
});
