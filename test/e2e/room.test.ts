import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { chezNous, livreRow, searchFor } from './support/catalogue.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { everyScreen } from './support/every-screen.ts';
import { feedback, expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { deskScanner } from './support/recherche.ts';
import { householdKnowingAllCodes, codesOf } from './support/scan-codes.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a sheet of a phone reaches from edge to edge', async () => {
  const house = await householdKnowingAllCodes(0);
  const [code = ''] = codesOf(1);
  const page = await (await device(house.house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  await scan(code);
  await page.getByRole('heading', { name: `Volume ${code}` }).waitFor();
  await page.getByText('1 livre cette fois', { exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.waitFor();
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, width: 360 });
});

test('the bar of a phone names the action, however long the title', async () => {
  const house = await household();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  const titres = ['Une chambre', 'À l’ombre des jeunes filles en fleurs'];
  for (const titre of titres) {
    await page.getByLabel('Titre', { exact: true }).fill(titre);
    await button(page, 'Ajouter').click();
    await expectFeedback(page, `Livre ajouté : ${titre}`);
    await follow(page, '/prets');
    const isWhole = (part: Locator) =>
      part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    const parts = feedback(page).locator('p > span');
    expect(await isWhole(parts.first()), titre).toBe(titre === titres[0]);
    expect(await feedback(page).locator('p').getAttribute('title'), titre).toContain(titre);
    await feedback(page).getByRole('button', { name: 'Annuler' }).click();
    await expectFeedback(page, new RegExp(`${titre}.* annulé`));
    expect(await isWhole(parts.last()), `undone: ${titre}`).toBe(true);
    await follow(page, '/livres/ajouter');
    await unfold(page);
  }
});

test('no hint in a field is cut on a phone', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'], themes: ['Provence'] });
  await house.setStatut(await house.ajouter({ titre: 'Sido' }), 'bob', 2);
  const { routes } = await everyScreen(house, {
    titre: 'Colline',
    numero: '12',
    auteur: 'Jean Giono',
    emprunteur: 'Luc',
    emplacement: 'Salon',
    theme: 'Campagne',
  });
  const page = await (await device(house)).open();
  const cut: string[] = [];
  for (const route of routes) {
    await follow(page, route);
    const found = await page.evaluate(() => {
      const pen = document.createElement('canvas').getContext('2d');
      return [...document.querySelectorAll<HTMLInputElement>('main input[placeholder]')].flatMap(
        (input) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(input);
          if (pen === null || input.clientWidth < 2) return [];
          pen.font = font;
          const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          const { placeholder } = input;
          return pen.measureText(placeholder).width > room ? [placeholder] : [];
        },
      );
    });
    cut.push(...found.map((hint) => `${route}: ${hint}`));
  }
  expect(cut).toEqual([]);
});

test('the rail of letters ends inside the window, whatever is above the list', async () => {
  const house = await household();
  const shelf = await ajouterEmplacement(house, { nom: 'Salon' });
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    for (let i = 0; i < 3; i++) {
      const livre = await house.ajouter({ titre: `${letter}ube ${i}` });
      if (i === 0) await rangerLivre(house, livre.id, shelf.id);
    }
  }
  const page = await (await device(house, { size: 'desk' })).open();
  await (await chezNous(page)).waitFor();
  const rail = page.getByRole('slider');
  const end = async () => {
    const { y = 0, height = 0 } = (await rail.boundingBox()) ?? {};
    return y + height;
  };
  await expect.poll(end).toBeLessThanOrEqual(800);
  expect(await end()).toBeGreaterThan(700);
  expect(await rail.getByText('#').or(rail.getByText('A')).count()).toBe(1);
  const before = (await rail.boundingBox())?.height ?? 0;
  await page.mouse.move(640, 700);
  await page.mouse.wheel(0, 900);
  await expect.poll(async () => (await rail.boundingBox())?.height).toBeGreaterThan(before);
  expect(await end()).toBeLessThanOrEqual(800);
});

test('« Terminer » of a stocktaking stays in sight', async () => {
  const house = await household();
  const shelf = await ajouterEmplacement(house, { nom: 'Salon' });
  for (let i = 0; i < 20; i++) {
    const livre = await house.ajouter({ titre: `Livre ${i}` });
    await rangerLivre(house, livre.id, shelf.id);
  }
  const page = await (
    await device(house)
  ).open(`/rangement/recolement?emplacement=${String(shelf.id)}`);
  await button(page, 'Commencer').click();
  await page
    .getByRole('button', { name: /^Il est là/ })
    .first()
    .click();
  const { y = 0, height = 0 } = (await button(page, 'Terminer').boundingBox()) ?? {};
  expect(y + height).toBeLessThan(740);
  expect(y).toBeGreaterThan(0);
});

test('a wish that a search finds is led to', async () => {
  const house = await household();
  for (let i = 0; i < 40; i++) await house.souhaiter('alice', { titre: `Souhait ${i}` });
  await house.souhaiter('alice', { titre: 'Triste tigre', auteur: 'Neige Sinno' });
  await house.ajouter({ titre: 'Colline' });
  const page = await (await device(house)).open();
  await livreRow(page, 'Colline').waitFor();
  await searchFor(page, 'tigre');
  await page
    .getByRole('region', { name: 'Sur ma liste' })
    .getByRole('link', { name: 'Triste tigre' })
    .click();
  const sheet = page.getByRole('dialog', { name: 'Triste tigre', exact: true });
  await sheet.waitFor();
  await button(page, 'Fermer').click();
  await sheet.waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.pathname === '/souhaits' && url.search === '');
  const row = page.getByRole('button', { name: 'Triste tigre', exact: true });
  await expect.poll(() => row.evaluate((one) => one === document.activeElement)).toBe(true);
  const { y = 0 } = (await row.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(740);
});

test('after a typed title the focus stays in the field of the title', async () => {
  const house = await household();
  const page = await (await device(house)).open('/livres/ajouter?champ=titre');
  const titre = page.getByLabel('Titre', { exact: true });
  const hasFocus = () => titre.evaluate((field) => field === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  await titre.fill('Colline');
  await page.keyboard.press('Enter');
  await expectFeedback(page, 'Livre ajouté : Colline');
  await expect.poll(hasFocus).toBe(true);
  await titre.fill('Regain');
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Regain');
  await expect.poll(hasFocus).toBe(true);
});

test('changes to all books of a scan session are still there on the way back', async () => {
  const { house } = await householdKnowingAllCodes(0);
  await ajouterEmplacement(house, { nom: 'Salon' });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const code of codesOf(2)) await scan(code);
  await page.getByText('2 livres cette fois', { exact: true }).waitFor();
  await button(page, 'Terminer').click();
  await page.getByRole('combobox', { name: 'Où ?' }).fill('Salon');
  await button(page, 'Tout ranger ici').click();
  await page.getByText('Rangés, Salon', { exact: true }).waitFor();
  await button(page, 'Retour au scanner').click();
  await page.getByText('2 livres cette fois', { exact: true }).waitFor();
  await button(page, 'Terminer').click();
  await page.getByText('Rangés, Salon', { exact: true }).waitFor();
  expect(await button(page, 'Tout ranger ici').count()).toBe(0);
  await page.getByRole('main').getByRole('button', { name: 'Annuler' }).click();
  await button(page, 'Tout ranger ici').waitFor();
  await page.reload();
  await button(page, 'Tout ranger ici').waitFor();
});
