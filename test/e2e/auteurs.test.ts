import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { ligne } from './support/catalogue.ts';
import { device, useBrowser } from './support/device.ts';
import { household, type Household } from './support/household.ts';

useBrowser();

/** Patience of a busy machine: no test is about time. */
const DELAI = { timeout: 10_000 };

const CORRECT = 'Haruki Murakami';
const FAUTIF = 'Haruki Murakmi';

/** Two spellings that only a person can tell for one, and someone else. */
async function deuxMurakami(): Promise<Household> {
  const maison = await household();
  await maison.ajouter({ titre: 'Kafka sur le rivage', auteurs: [CORRECT] });
  await maison.ajouter({ titre: 'La Ballade de l’impossible', auteurs: [FAUTIF] });
  await maison.ajouter({ titre: 'Les Vagues', auteurs: ['Virginia Woolf'] });
  await maison.ajouter({ titre: 'Orlando', auteurs: ['Virginia Woolf'] });
  return maison;
}

const noms = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Auteurs' }).getByRole('link').allInnerTexts();

const paires = (page: Page): Locator =>
  page.getByRole('list', { name: 'Noms qui se ressemblent' }).getByRole('listitem');

const dit = (page: Page, texte: string | RegExp): Promise<void> =>
  page.getByRole('status').getByText(texte).waitFor();

test('authors are searched and sorted in memory, and the address keeps it', async () => {
  const page = await (await device(await deuxMurakami())).open('/auteurs');
  await expect.poll(() => noms(page), DELAI).toEqual([CORRECT, FAUTIF, 'Virginia Woolf']);
  await page.getByRole('radio', { name: 'Par nombre' }).check();
  await expect.poll(() => noms(page), DELAI).toEqual(['Virginia Woolf', CORRECT, FAUTIF]);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('MURAKA');
  await expect.poll(() => noms(page), DELAI).toEqual([CORRECT]);
  await page.waitForURL(/recherche=MURAKA/);
  await page.reload();
  await expect.poll(() => noms(page), DELAI).toEqual([CORRECT]);
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await expect.poll(() => noms(page), DELAI).toEqual([CORRECT, FAUTIF, 'Virginia Woolf']);
});

test('a pair is merged with the keyboard alone, and the merge reaches a second device', async () => {
  const maison = await deuxMurakami();
  const autre = await (await device(maison, { user: 'bruno', taille: 'bureau' })).open('/auteurs');
  await expect.poll(() => noms(autre), DELAI).toContain(FAUTIF);
  const page = await (await device(maison)).open('/auteurs');
  const paire = paires(page).first();
  await paire.getByText('Une seule lettre distingue les deux noms.').waitFor();
  await paire.getByText('Kafka sur le rivage').waitFor();
  await paire.getByText('La Ballade de l’impossible').waitFor();
  expect(await paire.getByRole('radio', { name: CORRECT, exact: true }).isChecked()).toBe(true);

  await paire.getByRole('button', { name: 'Fusionner' }).focus();
  await page.keyboard.press('Enter');
  await dit(page, 'Les deux noms n’en font qu’un');
  await page.getByText('Tous ces noms sont triés.').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent), DELAI)
    .toBe('Noms qui se ressemblent');
  for (const une of [page, autre])
    await expect.poll(() => noms(une), DELAI).toEqual([CORRECT, 'Virginia Woolf']);
  expect(await paires(autre).count()).toBe(0);
  await autre.getByRole('link', { name: 'Catalogue' }).click();
  await ligne(autre, 'La Ballade de l’impossible').getByText(CORRECT, { exact: true }).waitFor();
});

test('the other name can be the one that stays', async () => {
  const page = await (await device(await deuxMurakami())).open('/auteurs');
  await paires(page).getByRole('radio', { name: FAUTIF, exact: true }).check();
  await paires(page).getByRole('button', { name: 'Fusionner' }).click();
  await dit(page, new RegExp(`: ${FAUTIF}\\.`));
  await expect.poll(() => noms(page), DELAI).toEqual([FAUTIF, 'Virginia Woolf']);
});

test('two people stay two, for every device and ever after', async () => {
  const maison = await deuxMurakami();
  const page = await (await device(maison)).open('/auteurs');
  await paires(page).getByRole('button', { name: 'Ce sont deux personnes' }).click();
  await dit(page, /deux personnes/);
  await expect.poll(() => paires(page).count(), DELAI).toBe(0);
  await maison.stop();
  await maison.start();
  const autre = await (await device(maison, { user: 'bruno' })).open('/auteurs');
  const reponse = autre.waitForResponse(/\/api\/auteurs\/suggestions/);
  await autre.reload();
  expect(await (await reponse).json()).toEqual([]);
  await expect.poll(() => noms(autre), DELAI).toEqual([CORRECT, FAUTIF, 'Virginia Woolf']);
  expect(await autre.getByText('Noms qui se ressemblent').count()).toBe(0);
});

test('offline the pairs are still read, with their date, and nothing can be decided', async () => {
  const appareil = await device(await deuxMurakami());
  const page = await appareil.open('/auteurs');
  await paires(page).first().waitFor();
  await appareil.untilOfflineReady(page);
  await appareil.cutNetwork();
  await page.reload();
  await page.getByText(/^Hors ligne\s: liste du /).waitFor();
  for (const name of ['Fusionner', 'Ce sont deux personnes']) {
    const bouton = paires(page).getByRole('button', { name });
    expect(await bouton.isDisabled()).toBe(true);
    const raison = (await bouton.getAttribute('aria-describedby')) ?? 'sans-raison';
    await page
      .locator(`#${raison}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
});

test('a name that is taken offers the merge with who has it, and the page goes on to who stays', async () => {
  const maison = await deuxMurakami();
  const page = await (await device(maison)).open('/auteurs');
  await page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: FAUTIF }).click();
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom', { exact: true }).fill('murakami haruki');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(`Cet auteur existe déjà sous le nom ${CORRECT}.`).waitFor();
  expect(await page.getByRole('radio', { name: CORRECT, exact: true }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Fusionner', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: CORRECT }).waitFor();
  await ligne(page, 'Kafka sur le rivage').waitFor();
  await ligne(page, 'La Ballade de l’impossible').waitFor();
  await page.goBack();
  await expect.poll(() => noms(page), DELAI).toEqual([CORRECT, 'Virginia Woolf']);
});

test('any two authors are merged by hand, the other one proposed as one types', async () => {
  const page = await (await device(await deuxMurakami(), { taille: 'bureau' })).open('/auteurs');
  await page.getByRole('list', { name: 'Auteurs' }).getByRole('link', { name: CORRECT }).click();
  await page.getByRole('button', { name: 'Fusionner avec…' }).click();
  const champ = page.getByRole('combobox');
  await champ.fill('personne de ce nom');
  await page.getByText('Aucun autre auteur de la bibliothèque ne porte ce nom.').waitFor();
  await champ.fill('wool');
  await page.getByRole('option', { name: /Virginia Woolf/ }).waitFor();
  await champ.press('ArrowDown');
  await champ.press('Enter');
  await page.getByRole('radio', { name: CORRECT, exact: true }).check();
  await page.getByRole('button', { name: 'Fusionner', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: CORRECT }).waitFor();
  await ligne(page, 'Orlando').waitFor();
});
