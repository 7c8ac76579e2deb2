import { expect, test } from 'vitest';
import { WHOLE_LIVRE } from '../support/entries.ts';
import { addField, unfold } from './support/add.ts';
import { device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { livreRow, livreTitles } from './support/catalogue.ts';

test('a book is entered by hand, with errors at fields', async () => {
  const page = await (await device(await household())).open();
  await page.getByRole('link', { name: 'Ajouter' }).first().click();
  const addition = (id: number) => page.getByRole('main').locator(`a[href="/livres/${id}"]`);
  await unfold(page);
  await page.getByRole('textbox', { name: 'Titre', exact: true }).fill('Le Petit Prince');
  await page.getByLabel('Auteurs').fill('Antoine de Saint-Exupéry;');
  await page.getByLabel('Type de document').selectOption('Roman');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await addition(1).waitFor();

  const other = 'Le petit prince : avec les aquarelles';
  await page.getByLabel('Titre', { exact: true }).fill(other);
  await page.getByLabel('Auteurs').fill('Saint-Exupéry, Antoine de');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page.getByRole('button', { name: 'Ajouter quand même' }).click();
  await addition(2).waitFor();

  await follow(page, '/');
  await expect.poll(() => livreTitles(page)).toEqual(['Le Petit Prince', other]);

  await follow(page, '/livres/ajouter');
  await unfold(page);
  await page.getByLabel('ISBN').fill('2-07-036002-5');
  await page.getByLabel('Année').fill('mille');
  await page.getByLabel('Nombre de pages').fill('0');
  await page.getByLabel('Adresse de la couverture').fill('couverture.jpg');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  const errorOf = async (label: string) => {
    const field = label === 'ISBN' ? addField(page) : page.getByLabel(label, { exact: true });
    const id = await field.getAttribute('aria-describedby');
    return page.locator(`[id="${id ?? ''}"]`).innerText();
  };
  await page.getByText('Indiquez le titre du livre.').waitFor();
  expect(await errorOf('ISBN')).toMatch(/Le dernier chiffre ne correspond pas\s: 2-07-036002-\?/);
  expect(await errorOf('Année')).toBe('Indiquez l’année en chiffres, par exemple 1998.');
  expect(await errorOf('Nombre de pages')).toMatch(/plus grand que zéro/);
  expect(await errorOf('Adresse de la couverture')).toMatch(/http/);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('isbn');
  await page.getByLabel('ISBN').fill('978-2-07-036002');
  await page.getByLabel('ISBN').press('Enter');
  await page.getByText(/Il manque un chiffre/).waitFor();
  expect(await page.getByLabel('Année').inputValue()).toBe('mille');
});

test('a book is lent, edited and deleted by name', async () => {
  const house = await household();
  const livre = await house.ajouter({
    titre: 'Dessert',
    auteurs: ['Le Clezio'],
    editeur: 'Gallimard',
    annee: 1980,
  });
  const page = await (await device(house)).open(`/livres/${livre.id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page
    .getByRole('main')
    .getByText(/^Prêté à Luc/)
    .waitFor();

  await follow(page, '/prets');
  await page.getByRole('link', { name: 'Dessert' }).waitFor();
  await page.getByRole('button', { name: /^Rendu.: / }).click();
  await expectFeedback(page, 'Rendu par Luc : Dessert');
  await follow(page, `/livres/${livre.id}`);
  await page.getByText('Déjà prêté une fois').click();
  await page.getByRole('listitem').filter({ hasText: 'Luc' }).waitFor();

  const statut = page.getByRole('group', { name: 'Ma lecture' });
  await statut.getByRole('radio', { name: 'À lire' }).check();
  await follow(page, '/?statut=0');
  await livreRow(page, 'Dessert').waitFor();
  await follow(page, `/livres/${livre.id}`);
  await statut.getByRole('radio', { name: 'Pas commencé' }).check();
  await follow(page, '/?statut=aucun');
  await livreRow(page, 'Dessert').waitFor();

  await follow(page, `/livres/${livre.id}`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Titre').fill('Désert');
  await page.getByLabel('Année').fill('');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.getByText('Gallimard', { exact: true }).waitFor();
  await follow(page, '/auteurs');
  await page.getByRole('link', { name: 'Le Clezio' }).click();
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom').fill('J. M. G. Le Clézio');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'J. M. G. Le Clézio' }).waitFor();
  await follow(page, '/?recherche=clezio');
  await livreRow(page, 'Désert').waitFor();
  await follow(page, `/livres/${livre.id}`);
  await page.getByRole('button', { name: 'Supprimer' }).click();
  await page.getByText('Les rayons sont vides').waitFor();
});

test('a field takes as many characters as the service, pairs counted once, and a long text has several lines', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune' });
  const page = await (await device(house)).open(`/livres/${String(livre.id)}/modifier`);
  const field = page.getByLabel('Éditeur');
  const characters = async () => Array.from(await field.inputValue());
  await field.click();
  await page.keyboard.insertText('😀'.repeat(150));
  await page.keyboard.insertText('a'.repeat(49));
  expect(await characters()).toHaveLength(199);
  await page.keyboard.insertText('😀é');
  expect((await characters()).slice(-2)).toEqual(['a', '😀']);
  // WebKit truncates by `maxlength` before the input event, so the limit must not depend on the current length.
  expect(await field.evaluate((element: HTMLInputElement) => element.maxLength)).toBe(400);
  // A full field keeps its text, wherever the reader types.
  await field.press('Home');
  await page.keyboard.insertText('b');
  expect(await characters()).not.toContain('b');
  await field.press('Delete');
  await page.keyboard.insertText('bc');
  expect((await characters()).filter((one) => 'bc'.includes(one))).toEqual(['b']);
  expect(await characters()).toHaveLength(200);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('main').getByText('😀').first().waitFor();

  // A long text has several lines, as many characters as it may.
  const { id } = await house.noter('alice', { titre: 'Zadig', fin: '2019-03-02' });
  await follow(page, `/lectures/${String(id)}/modifier`);
  const avis = page.getByLabel('Avis');
  await avis.click();
  await page.keyboard.type('Relu');
  await page.keyboard.press('Enter');
  await page.keyboard.type('deux fois');
  expect(await avis.inputValue()).toBe('Relu\ndeux fois');
  await page.keyboard.insertText('a'.repeat(9986));
  await page.keyboard.press('Enter');
  expect(await avis.inputValue()).toHaveLength(10_000);
  expect(await avis.inputValue()).toMatch(/a$/);
});

test('a deleted record leaves its readings to the other of that book', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Nana', auteurs: ['Émile Zola'] });
  const second = await house.ajouter({ titre: 'Nana : roman', auteurs: ['Émile Zola'] });
  await house.setStatut(second, 'alice', 2);
  const page = await (await device(house)).open(`/livres/${String(second.id)}`);
  const supprimer = page.getByRole('button', { name: 'Supprimer', exact: true });
  await supprimer.click();
  const sheet = page.getByRole('dialog', { name: 'Ce livre a une autre fiche' });
  await sheet.getByText('transférer à l’autre fiche, « Nana »').waitFor();
  await sheet.getByRole('button', { name: 'Annuler' }).click();
  await sheet.waitFor({ state: 'detached' });
  expect(await house.titres()).toHaveLength(2);
  await supprimer.click();
  await sheet.getByRole('button', { name: 'Transférer et supprimer' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/livres/'));
  expect(await house.titres()).toEqual(['Nana']);
  await livreRow(page, 'Nana').click();
  await page.getByRole('radio', { name: 'Lu', exact: true, checked: true }).waitFor();
});

test('the page of a book shows every entered field, a chosen format, and of forty authors three at first', async () => {
  const house = await household();
  const { id } = await house.ajouter({ ...WHOLE_LIVRE, format: 'Numerique' });
  const page = await (await device(house)).open(`/livres/${id}`);
  await page.getByRole('heading', { name: WHOLE_LIVRE.titre }).waitFor();
  const { coverUrl, details, emprunteA, ...texts } = {
    ...WHOLE_LIVRE,
    format: 'Numérique',
    isbn: '978-2-07-036002-4',
  };
  const shown = await page.getByRole('main').innerText();
  const named = details.flatMap(({ nom, valeur }) => [nom, ...valeur.split('\n')]);
  const values = [...Object.values(texts).flat().map(String), ...named, emprunteA.nom];
  expect(values.filter((value) => !shown.includes(value))).toEqual([]);
  await page.getByRole('button', { name: 'Modifier' }).click();
  await expect.poll(() => page.getByLabel('Adresse de la couverture').inputValue()).toBe(coverUrl);

  // A format is shown once it is chosen.
  const paper = await house.ajouter({ titre: 'Regain', nombrePages: 224 });
  const ebook = await house.ajouter({ titre: 'Sido', format: 'Numerique' });
  await follow(page, `/livres/${paper.id}`);
  await page.getByText('Nombre de pages').waitFor();
  expect(await page.getByText('Format', { exact: true }).count()).toBe(0);
  await follow(page, `/livres/${ebook.id}`);
  await page.getByText('Format', { exact: true }).waitFor();

  // Forty authors are three and « et 37 autres ».
  const auteurs = Array.from({ length: 40 }, (_, nth) => `Prénom Nom${String(nth)}`);
  const livre = await house.ajouter({ titre: 'Mélanges', auteurs });
  await follow(page, `/livres/${livre.id}`);
  const noms = page.locator('main header a[href^="/auteurs/"]');
  const others = page.getByRole('button', { name: 'et 37 autres' });
  await others.waitFor();
  expect(await noms.allInnerTexts()).toEqual(auteurs.slice(0, 3));
  await others.press('Enter');
  await expect.poll(() => noms.allInnerTexts()).toEqual(auteurs);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(auteurs[3]);
  await follow(page, '/');
  await livreRow(page, 'Mélanges')
    .getByText(/Nom2 et 37 autres$/)
    .waitFor();
});
