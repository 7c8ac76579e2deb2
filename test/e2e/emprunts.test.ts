import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { searchForBook, unfoldFields } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

const EMPRUNT = { nom: 'Lise', depuis: '2026-01-02', aRendre: null };

/** A code that no catalogue of the test knows. */
const UNKNOWN = '9782070612758';

const main = (page: Page) => page.getByRole('main');

test('a borrowed book names its owner, is found by that name, and can be returned or kept', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Ourika' });
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${livre.id}/modifier`);
  await unfoldFields(page);
  await page.getByLabel('À rendre le').fill('2099-03-03');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Indiquez à qui ce livre est emprunté.').waitFor();
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
  await expectFeedback(page, /^Rendu à Lise\s: /);
  expect(await house.titres()).toEqual(['Désert']);
  await undo(page);
  expect(await house.titres()).toEqual(['Désert', 'Ourika']);
});

test('a borrowed volume is shown in its series, but counts as missing', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Le Gué', emprunteA: EMPRUNT });
  const owned = await house.ajouter({ titre: 'La Source' });
  await ajouterSerie(house, {
    titre: 'Rives',
    places: [
      { titre: 'La Source', numero: '1', livreId: owned.id },
      { titre: 'Le Gué', numero: '2', livreId: livre.id },
    ],
  });
  const page = await (await device(house)).open('/series/1');
  await main(page).getByText('emprunté à Lise').waitFor();
  await page.getByRole('heading', { name: 'Il manque' }).waitFor();
  await page.getByText(/manque le tome\s2/).waitFor();
});

test('a borrowed book does not fulfil a wish', async () => {
  const house = await household();
  await house.souhaiter('Ana', { titre: 'Ourika' });
  await house.souhaiter('Ana', { titre: 'Désert' });
  await house.ajouter({ titre: 'Ourika', emprunteA: EMPRUNT });
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { user: 'Ana' })).open('/souhaits');
  await main(page).getByText('Arrivé à la maison').waitFor();
  expect(await main(page).getByText('Arrivé à la maison').count()).toBe(1);
});

test('« Prêts » lists borrowed books beside lent ones, and returns them, by code too', async () => {
  const house = await household();
  const borrow = (titre: string, isbn: string, aRendre: string | null) =>
    house.ajouter({ titre, isbn, emprunteA: { ...EMPRUNT, aRendre } });
  const lent = await house.ajouter({ titre: 'Désert' });
  await house.preter(lent, 'Zoé');
  await borrow('Ourika', '9782070360024', null);
  await borrow('Le Gué', '9782070408504', '2026-03-03');
  const page = await (await device(house)).open('/prets');
  const section = page.getByRole('region', { name: 'Empruntés' });
  await section.getByText('à Lise').first().waitFor();
  expect(await section.getByRole('link').allInnerTexts()).toEqual(['Le Gué', 'Ourika']);
  await section.getByText('à rendre depuis le 3 mars').waitFor();
  expect(await accessibilityFaults(page, '/prets: what is borrowed')).toEqual([]);
  await section.getByRole('button', { name: /^Rendu.: Le Gué/ }).click();
  await expectFeedback(page, /^Rendu à Lise\s: /);
  await expect.poll(() => section.getByRole('link').allInnerTexts()).toEqual(['Ourika']);

  await follow(page, '/prets?rendre');
  await page.getByLabel('ISBN ou titre').fill('9782070360024');
  await page.getByLabel('ISBN ou titre').press('Enter');
  await main(page).getByText('rendu à Lise').waitFor();
  expect(await house.titres()).toEqual(['Désert']);
});

test('checking a code shows that the book is here, and its owner', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Ourika', isbn: '9782070360024', emprunteA: EMPRUNT });
  const page = await (await device(house)).open('/souhaits/ajouter');
  await searchForBook(page, '9782070360024');
  await main(page).getByText('Ici, emprunté à Lise').waitFor();
});

test('a scan session can add borrowed books, and names the owner of one that is here', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Ourika', isbn: '9782070408504', emprunteA: EMPRUNT });
  const page = await (
    await device(house, { size: 'desk' })
  ).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  await scan('9782070408504');
  await main(page).getByText('Ici, emprunté à Lise', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Pour ce qui suit' }).click();
  const sheet = page.getByRole('dialog', { name: 'Pour ce qui suit' });
  const whose = sheet.getByRole('button', { name: /^À qui est le livre/ });
  await whose.click();
  await sheet.getByRole('button', { name: 'Emprunté', exact: true }).click();
  await sheet.getByLabel('Emprunté à', { exact: true }).fill('Paul');
  await sheet.getByLabel('À rendre le').fill('2099-03-03');
  expect(
    await accessibilityFaults(page, '/livres/ajouter: a scan session of borrowed books'),
  ).toEqual([]);
  await sheet.getByRole('button', { name: 'Fermer' }).click();
  await main(page).getByText('Empruntés à Paul', { exact: true }).waitFor();
  await scan(UNKNOWN);
  await page.getByText('1 livre cette fois', { exact: true }).waitFor();
  const borrowed = async () =>
    (
      (await (await fetch(`${house.url}/api/livres?appartenance=emprunte`)).json()) as {
        emprunteA: { nom: string; aRendre: string | null };
      }[]
    ).map(({ emprunteA }) => [emprunteA.nom, emprunteA.aRendre]);
  await expect
    .poll(borrowed)
    .toEqual(expect.arrayContaining([['Paul', '2099-03-03']]) as unknown[]);

  await page.getByRole('button', { name: 'Pour ce qui suit' }).click();
  await whose.click();
  await sheet.getByRole('button', { name: 'À nous', exact: true }).click();
  await sheet.getByRole('button', { name: 'Fermer' }).click();
  await main(page).getByText('Empruntés à Paul', { exact: true }).waitFor({ state: 'detached' });
  await main(page)
    .getByText('Ici, emprunté à Lise', { exact: true })
    .waitFor({ state: 'detached' });
});
