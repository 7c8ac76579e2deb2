import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { openPairs } from './support/auteurs.ts';
import { livreRow } from './support/catalogue.ts';
import { ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';

const RIGHT = 'Haruki Murakami';
const WRONG = 'Haruki Murakmi';

/** Two spellings of one name that only a person can match, and another author. */
async function houseWithTwoSpellings(): Promise<Household> {
  const house = await household();
  await house.ajouter({ titre: 'Kafka sur le rivage', auteurs: [RIGHT] });
  await house.ajouter({ titre: 'La Ballade de l’impossible', auteurs: [WRONG] });
  await house.ajouter({ titre: 'Les Vagues', auteurs: ['Virginia Woolf'] });
  await house.ajouter({ titre: 'Orlando', auteurs: ['Virginia Woolf'] });
  return house;
}

const auteurNames = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Auteurs' }).getByRole('link').allInnerTexts();

const pairs = (page: Page): Locator =>
  page.getByRole('list', { name: 'Noms qui se ressemblent' }).getByRole('listitem');

test('authors are searched and sorted on the device', async () => {
  const phone = await device(await houseWithTwoSpellings(), { serviceWorker: true });
  const page = await phone.open('/auteurs');
  await expect.poll(() => auteurNames(page)).toEqual([RIGHT, WRONG, 'Virginia Woolf']);
  await page.getByRole('combobox', { name: 'Tri' }).selectOption('Par nombre');
  await expect.poll(() => auteurNames(page)).toEqual(['Virginia Woolf', RIGHT, WRONG]);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('MURAKA');
  await expect.poll(() => auteurNames(page)).toEqual([RIGHT]);
  await page.waitForURL(/recherche=MURAKA/);
  await page.reload();
  await expect.poll(() => auteurNames(page)).toEqual([RIGHT]);
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await expect.poll(() => auteurNames(page)).toEqual([RIGHT, WRONG, 'Virginia Woolf']);

  await page.getByRole('button', { name: /^Noms qui se ressemblent/ }).waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  await openPairs(page);
  await page.getByText(/^Hors ligne\s: Liste du /).waitFor();
  for (const name of ['Fusionner', 'Ce sont deux personnes']) {
    const button = pairs(page).getByRole('button', { name });
    expect(await button.isDisabled()).toBe(true);
    const reason = (await button.getAttribute('aria-describedby')) ?? 'no-reason';
    await page
      .locator(`#${reason}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
});

test('a merge by the keyboard reaches another device', async () => {
  const house = await houseWithTwoSpellings();
  const other = await (await device(house, { user: 'bruno', size: 'desk' })).open('/auteurs');
  await expect.poll(() => auteurNames(other)).toContain(WRONG);
  const page = await (await device(house)).open('/auteurs');
  await openPairs(page);
  const pair = pairs(page).first();
  await pair.getByText('Une seule lettre distingue les deux noms.').waitFor();
  await pair.getByText('Kafka sur le rivage').waitFor();
  await pair.getByText('La Ballade de l’impossible').waitFor();
  expect(await pair.getByRole('radio', { name: RIGHT, exact: true }).isChecked()).toBe(true);

  await pair.getByRole('button', { name: 'Fusionner' }).focus();
  await page.keyboard.press('Enter');
  await expectFeedback(page, /Auteurs fusionnés/);
  await page.getByText('Toutes ces paires sont vérifiées.').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain('Toutes ces paires sont vérifiées.');
  for (const shown of [page, other])
    await expect.poll(() => auteurNames(shown)).toEqual([RIGHT, 'Virginia Woolf']);
  expect(await pairs(other).count()).toBe(0);
  await other.getByRole('link', { name: 'Catalogue' }).click();
  await livreRow(other, 'La Ballade de l’impossible').getByText(RIGHT, { exact: true }).waitFor();
});

test('any two authors can be merged under either name', async () => {
  const page = await (await device(await houseWithTwoSpellings())).open('/auteurs');
  await openPairs(page);
  await pairs(page).getByText(`Un livre passera de « ${WRONG} » à « ${RIGHT} ».`).waitFor();
  await pairs(page).getByRole('radio', { name: WRONG, exact: true }).check();
  await pairs(page).getByText(`Un livre passera de « ${RIGHT} » à « ${WRONG} ».`).waitFor();
  await pairs(page)
    .getByText(`${WRONG} aura alors 2 livres ; le nom « ${RIGHT} » disparaît.`)
    .waitFor();
  await pairs(page).getByRole('button', { name: 'Fusionner' }).click();
  await expectFeedback(page, new RegExp(`Auteurs fusionnés.*${WRONG}`));
  await expect.poll(() => auteurNames(page)).toEqual([WRONG, 'Virginia Woolf']);

  await page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: WRONG }).click();
  await page.getByRole('button', { name: 'Fusionner avec…' }).click();
  const field = page.getByRole('combobox');
  await field.fill('personne de ce nom');
  await page.getByText('Choisissez un auteur de la bibliothèque.').waitFor();
  await field.fill('wool');
  await page.getByRole('option', { name: /Virginia Woolf/ }).waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.getByRole('radio', { name: WRONG, exact: true }).check();
  await page.getByRole('button', { name: 'Fusionner', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: WRONG }).waitFor();
  await livreRow(page, 'Orlando').waitFor();
});

test('two people stay two on every device', async () => {
  const house = await houseWithTwoSpellings();
  const page = await (await device(house)).open('/auteurs');
  await openPairs(page);
  await pairs(page).getByRole('button', { name: 'Ce sont deux personnes' }).click();
  await expectFeedback(page, /Auteurs gardés à part/);
  await expect.poll(() => pairs(page).count()).toBe(0);
  await house.stop();
  await house.start();
  const other = await (await device(house, { user: 'bruno' })).open('/auteurs');
  const response = await fetch(`${house.url}/api/auteurs/suggestions`);
  expect(await response.json()).toEqual([]);
  await expect.poll(() => auteurNames(other)).toEqual([RIGHT, WRONG, 'Virginia Woolf']);
  expect(await other.getByText('Noms qui se ressemblent').count()).toBe(0);
});

test('an author renamed elsewhere meanwhile is settled first', async () => {
  const house = await houseWithTwoSpellings();
  const page = await (await device(house)).open('/auteurs');
  await page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: WRONG }).click();
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom', { exact: true }).fill('Ryū Murakami');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const response = await fetch(`${house.url}/api/auteurs/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nom: 'Murakami Ryu' }),
  });
  expect(response.ok).toBe(true);
  const alert = page.getByRole('alert').filter({ hasText: 'Entre-temps' });
  await alert.getByRole('button', { name: 'Garder ma saisie' }).click();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ryū Murakami' }).waitFor();

  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom', { exact: true }).fill('murakami haruki');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(`Cet auteur existe déjà sous le nom ${RIGHT}.`).waitFor();
  expect(await page.getByRole('radio', { name: RIGHT, exact: true }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Fusionner', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: RIGHT }).waitFor();
  await livreRow(page, 'Kafka sur le rivage').waitFor();
  await livreRow(page, 'La Ballade de l’impossible').waitFor();
  await page.goBack();
  await expect.poll(() => auteurNames(page)).toEqual([RIGHT, 'Virginia Woolf']);
});

test('suggestions that arrive late move nothing', async () => {
  const phone = await device(await houseWithTwoSpellings());
  const { promise, resolve } = Promise.withResolvers<null>();
  phone.portal.delay = (path) =>
    path.startsWith('/api/auteurs/suggestions') ? promise : Promise.resolve();
  const page = await phone.open('/auteurs');
  const row = page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: RIGHT });
  const before = await row.boundingBox();
  resolve(null);
  await page.getByRole('button', { name: /^Noms qui se ressemblent/ }).waitFor();
  expect((await row.boundingBox())?.y).toBe(before?.y);
});

test('an answer without pairs moves nothing on screen', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Les Vagues', auteurs: ['Virginia Woolf'] });
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  const phone = await device(house);
  const { promise, resolve } = Promise.withResolvers<null>();
  phone.portal.delay = (path) =>
    path.startsWith('/api/auteurs/suggestions') ? promise : Promise.resolve();
  const page = await phone.open('/auteurs');
  const row = page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: 'Jean Giono' });
  const before = await row.boundingBox();
  resolve(null);
  await page.getByText('Aucune ressemblance trouvée.').waitFor();
  expect((await row.boundingBox())?.y).toBe(before?.y);
});

test('an open form reports that its author was merged on another device', async () => {
  const house = await houseWithTwoSpellings();
  const page = await (await device(house)).open('/auteurs');
  await page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: WRONG }).click();
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom', { exact: true }).fill('Ryū Murakami');
  const suggestions = await fetch(`${house.url}/api/auteurs/suggestions`);
  const [pair] = (await suggestions.json()) as { auteurs: { id: number }[] }[];
  const response = await fetch(`${house.url}/api/auteurs/fusions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auteurs: pair?.auteurs.map(({ id }) => id) }),
  });
  expect(response.ok).toBe(true);
  const alert = page.getByRole('alert');
  await alert.getByText(`Entre-temps, « ${WRONG} » a été fusionné avec « ${RIGHT} »`).waitFor();
  await alert.getByRole('link', { name: `Voir ${RIGHT}` }).click();
  await livreRow(page, 'La Ballade de l’impossible').waitFor();
});

test('an author’s page shows series with their unread volumes', async () => {
  const house = await household();
  const titres = Array.from({ length: 24 }, (_, index) => `Enquête ${String(index + 10)}`);
  const livres = [];
  for (const titre of titres)
    livres.push(await house.ajouter({ titre, auteurs: ['Georges Simenon'] }));
  const [first] = livres;
  if (first === undefined) throw new Error('no book');
  await house.setStatut(first, 'alice', 2);
  await ajouterSerie(house, {
    titre: 'Maigret',
    places: [{ titre: 'Enquête 10', livreId: first.id }, { titre: 'Enquête 99' }],
  });
  const page = await (await device(house)).open(`/auteurs/${String(first.auteurs[0]?.id)}`);
  const list = page.getByRole('list', { name: 'Livres' });
  const count = () => list.getByRole('listitem').count();
  await expect.poll(count).toBe(10);
  await page.getByRole('link', { name: /^Maigret/ }).waitFor();
  expect(await accessibilityFaults(page, '/auteurs/[id]: series and books')).toEqual([]);
  await page.getByRole('radio', { name: 'Non lus' }).check();
  await page.getByRole('button', { name: 'Voir les 13 autres livres' }).click();
  await expect.poll(count).toBe(23);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('enquete 10');
  await page.getByText('Aucun de ses livres ne correspond à la recherche.').waitFor();
  await page.getByRole('radio', { name: 'Tous' }).check();
  await expect.poll(count).toBe(1);
});
