import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { addField } from './support/add.ts';
import { faultsInEveryLook, resize } from './support/accessibility.ts';
import { chezNous, searchFor, filterBy, livreRow, livreTitles } from './support/catalogue.ts';
import { ajouterEmplacement, ajouterSerie, rangerLivre } from './support/collections.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import type { Livre } from '#shared/livres';

async function stockedHouse(): Promise<Household> {
  const house = await household();
  const desert = await house.ajouter({
    titre: 'Désert',
    auteurs: ['J. M. G. Le Clézio'],
    typeDocument: 'Roman',
  });
  await house.ajouter({ titre: 'L’Œuvre au noir', auteurs: ['Marguerite Yourcenar'] });
  const album = await house.ajouter({
    titre: 'Astérix le Gaulois',
    auteurs: ['René Goscinny', 'Albert Uderzo'],
    typeDocument: 'BandeDessinee',
  });
  await house.ajouter({ titre: 'Fondation', auteurs: ['Isaac Asimov'], format: 'Numerique' });
  await house.preter(desert, 'Luc');
  await house.rendre(await house.preter(album, 'Sophie'));
  await house.setStatut(album, 'alice', 2);
  await house.setStatut(desert, 'bruno', 2);
  return house;
}

const expectTitles = async (page: Page, ...titres: string[]) => {
  await expect.poll(() => livreTitles(page)).toEqual(titres);
};

/** How far a title's text extends below its visible box, in pixels. */
const cutOff = (page: Page, titre: string): Promise<number> =>
  livreRow(page, titre)
    .getByRole('link')
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
    });

test('a row names a series once, and no type', async () => {
  const house = await stockedHouse();
  const red = await house.ajouter({ titre: 'Blacksad : Âme rouge', typeDocument: 'BandeDessinee' });
  const one = await house.ajouter({ titre: 'Akira, tome 1' });
  const places = (livre: Livre, numero: string) => [
    { titre: livre.titre, numero, livreId: livre.id },
  ];
  await ajouterSerie(house, { titre: 'Blacksad', places: places(red, '3') });
  await ajouterSerie(house, { titre: 'Akira', places: places(one, '1') });
  await house.preter(red, 'Hugo');
  const page = await (await device(house)).open();
  const row = livreRow(page, 'Âme rouge');
  expect(await row.innerText()).toMatch(/^Âme rouge\s+Blacksad · 3 · prêté à Hugo$/);
  expect(await livreRow(page, 'Akira').innerText()).toMatch(/^Akira\s+tome\s1$/);
  expect(await livreRow(page, 'Désert').getByText('Roman').count()).toBe(0);
});

test('rows show their books’ locations on demand', async () => {
  const house = await household();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const shelf = await ajouterEmplacement(house, { nom: 'Étagère 1', parentId: salon.id });
  const dune = await house.ajouter({ titre: 'Dune' });
  await rangerLivre(house, dune.id, shelf.id);
  const page = await (await device(house)).open();
  const row = livreRow(page, 'Dune');
  await row.waitFor();
  expect(await row.getByText('Salon').count()).toBe(0);
  await page.getByRole('button', { name: /tri et affichage/ }).click();
  await page.getByRole('checkbox', { name: 'Emplacement de chaque livre' }).check();
  await page.getByRole('button', { name: 'Fermer' }).first().click();
  await row.getByText('Étagère 1 · Salon', { exact: true }).waitFor();
  await follow(page, '/souhaits');
  await follow(page, '/');
  await row.getByText('Étagère 1 · Salon', { exact: true }).waitFor();
});

test('a press on the stars of a row rates its book, with a finger and by keys', async () => {
  const house = await household();
  const dune = await house.ajouter({ titre: 'Dune' });
  await house.noter('alice', { livreId: dune.id, fin: '2026-05-02', note: 6 });
  const page = await (await device(house)).open();
  const row = livreRow(page, 'Dune');
  await row.getByRole('button', { name: 'Noter « Dune »' }).click();
  const sheet = page.getByRole('dialog', { name: 'Dune' });
  await sheet.getByRole('radio', { name: '4 étoiles et demie' }).click();
  await sheet.waitFor({ state: 'detached' });
  await row.getByRole('img', { name: '4 étoiles et demie' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');

  // Arrow keys step through the stars: the sheet stays open until the focus leaves it.
  await row.getByRole('button', { name: 'Noter « Dune »' }).focus();
  await page.keyboard.press('Enter');
  await sheet
    .getByRole('radio', { name: '4 étoiles et demie' })
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await row.getByRole('img', { name: '5 étoiles' }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Noter « Dune »' }).and(page.locator(':focus')).waitFor();
  expect((await house.lectures('alice')).map(({ note }) => note)).toEqual([10]);
});

test('the list is below the household’s news', async () => {
  const house = await household();
  for (let i = 10; i < 40; i++) await house.ajouter({ titre: `Livre ${String(i)}` });
  const page = await (await device(house)).open();
  await page.setViewportSize({ width: 390, height: 844 });
  const news = await chezNous(page);
  await news.getByRole('group', { name: 'Nouveau' }).waitFor();
  await livreRow(page, 'Livre 10').waitFor();
  // Beside an open book, a row of the list is still one line.
  await resize(page, SIZES.desk);
  await livreRow(page, 'Livre 10').getByRole('link').click();
  await page.getByRole('heading', { name: 'Livre 10' }).waitFor();
  const middles = await Promise.all(
    [
      page.getByText('30 livres', { exact: true }),
      page.getByRole('button', { name: /tri et affichage/ }),
      page.getByRole('group', { name: 'Affichage' }),
    ].map(async (part) => {
      const box = await part.boundingBox();
      return (box?.y ?? NaN) + (box?.height ?? NaN) / 2;
    }),
  );
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3);
});

test('books found by filters or search are found again', async () => {
  const page = await (await device(await stockedHouse())).open();
  await expectTitles(page, 'Astérix le Gaulois', 'Désert', 'Fondation', 'L’Œuvre au noir');
  await livreRow(page, 'Désert').getByText('prêté à Luc').waitFor();
  await livreRow(page, 'Astérix le Gaulois').getByText('Lu', { exact: true }).waitFor();
  await livreRow(page, 'Fondation').getByText('Numérique').waitFor();
  expect(await page.title()).toBe('Catalogue – Rayonnage');
  // Firefox makes a text box a fraction of a pixel higher than its line.
  expect(await cutOff(page, 'Désert')).toBeLessThan(0.5);

  // Filters narrow the list; each is a history entry.
  await filterBy(page, 'Disponibilité', 'Prêtés');
  await expectTitles(page, 'Désert');
  await page.getByRole('button', { name: 'Filtres, 1 actif', exact: true }).waitFor();
  await filterBy(page, 'Type', 'Bande dessinée');
  await page.getByRole('button', { name: 'Filtres, 2 actifs', exact: true }).waitFor();
  await page.getByText('Aucun résultat').waitFor();
  await page.goBack();
  await expectTitles(page, 'Désert');
  await page.goBack();
  await expectTitles(page, 'Astérix le Gaulois', 'Désert', 'Fondation', 'L’Œuvre au noir');
  await filterBy(page, 'Lecture', 'Lu');
  await expectTitles(page, 'Astérix le Gaulois');

  await page.goBack();
  await expectTitles(page, 'Astérix le Gaulois', 'Désert', 'Fondation', 'L’Œuvre au noir');
  // The search ignores accents and the order of words.
  await searchFor(page, 'NOIR oeuvre');
  await expectTitles(page, 'L’Œuvre au noir');
  await searchFor(page, 'clezio');
  await expectTitles(page, 'Désert');
  // A part of a title or a name matches, wherever it is.
  await searchFor(page, 'ondation');
  await expectTitles(page, 'Fondation');
  await searchFor(page, 'oscin derz');
  await expectTitles(page, 'Astérix le Gaulois');
  await searchFor(page, 'clezio');
  await expectTitles(page, 'Désert');
  await page.waitForURL(/recherche=clezio/); // written when the typing pauses
  await page.reload();
  await expectTitles(page, 'Désert');
  await searchFor(page, 'rien de tel');
  await page.getByText('Aucun résultat').waitFor();
  // A search that the address has not stored yet is restored too.
  await searchFor(page, 'aster');
  await searchFor(page, 'desert');
  await livreRow(page, 'Désert').getByRole('link').click();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.goBack();
  await expectTitles(page, 'Désert');
  await page.getByRole('link', { name: 'Désert' }).click();
  await page.getByRole('link', { name: 'Retour au catalogue' }).click();
  await expectTitles(page, 'Désert');
  expect(await page.getByRole('searchbox').inputValue()).toBe('desert');

  // Text that is typed as soon as the field reappears must stay.
  await page.getByRole('link', { name: 'Désert' }).click();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await typeOnceShown(page, 'noir');
  await page.getByRole('link', { name: 'Retour au catalogue' }).click();
  await expectTitles(page, 'L’Œuvre au noir');
  await page.waitForURL(/recherche=noir/);
  expect(await page.getByRole('searchbox').inputValue()).toBe('noir');
});

/** Types into the search field in the task that inserts it, faster than any hand. */
const typeOnceShown = (page: Page, text: string): Promise<void> =>
  page.evaluate((typed) => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector<HTMLInputElement>('input[type=search]');
      if (field === null) return;
      observer.disconnect();
      field.value = typed;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true });
  }, text);

test('an empty library shows three doors and nothing to arrange', async () => {
  const house = await household();
  const page = await (await device(house)).open();
  await page.getByText('Les rayons sont vides').waitFor();
  await page.getByRole('button', { name: 'Importer une liste', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Restaurer une sauvegarde' }).waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  expect(await faultsInEveryLook(page, '/: an empty house')).toEqual([]);
  expect(await page.getByRole('group', { name: 'Affichage' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /tri et affichage/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Taper un titre', exact: true }).click();
  // The field that looks titles up, as the door says.
  const isFocused = () => addField(page).evaluate((each) => each === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  await page.goBack();
  await page.getByRole('button', { name: 'Scanner', exact: true }).click();
  await page.getByRole('heading', { name: 'Scanner' }).waitFor();
  await follow(page, '/');

  await house.ajouter({ titre: 'Désert' });
  await page.getByRole('button', { name: 'Filtres' }).click();
  await page.getByRole('group', { name: 'Lecture' }).waitFor();
  for (const group of ['Format', 'Type', 'Disponibilité'])
    expect(await page.getByRole('group', { name: group }).count()).toBe(0);
});

/** By how many pixels the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('a book pressed during a search opens beside its results', async () => {
  const page = await (
    await device(await stockedHouse(), { size: 'desk' })
  ).open('/?recherche=noir');
  await expectTitles(page, 'L’Œuvre au noir');
  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  const link = await livreRow(page, 'L’Œuvre au noir').getByRole('link').elementHandle();
  await search.evaluate((field, pressed) => {
    if (!(field instanceof HTMLInputElement) || !(pressed instanceof HTMLElement)) return;
    field.value = '';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    pressed.click();
  }, link);
  await page.getByRole('heading', { name: 'L’Œuvre au noir' }).waitFor();
  await page.waitForURL((url) => !url.searchParams.has('recherche'));
  await expectTitles(page, 'Astérix le Gaulois', 'Désert', 'Fondation', 'L’Œuvre au noir');
  expect(await search.inputValue()).toBe('');

  await resize(page, SIZES.phone);
  await follow(page, '/livres/999');
  await page.getByRole('heading', { name: 'Ce livre n’est pas dans la bibliothèque' }).waitFor();
  await follow(page, '/auteurs/999');
  await page.getByRole('heading', { name: 'Cet auteur n’est pas dans la bibliothèque' }).waitFor();
  await follow(page, '/nulle-part');
  await page.getByRole('heading', { name: 'Cette page n’existe pas' }).waitFor();
});

test('unbreakable titles and large text stay within the window', async () => {
  const house = await household();
  const titre = 'Anticonstitutionnellement'.repeat(12);
  const { id } = await house.ajouter({ titre, auteurs: ['N'.repeat(150)] });
  const page = await (await device(house)).open(`/livres/${String(id)}`);
  await page.getByRole('heading', { name: titre }).waitFor();
  expect(await overflow(page)).toBe(0);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await overflow(page)).toBe(0);
  await follow(page, '/');
  await livreRow(page, titre).waitFor();
  expect(await overflow(page)).toBe(0);
  await follow(page, `/livres/${String(id)}/modifier`);
  await page.getByLabel('Titre').waitFor();
  expect(await overflow(page)).toBe(0);
});
