import { setTimeout as rest } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { livreRow } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { ajouterEmplacement, ajouterSerie } from './support/collections.ts';

/** Longer than a device takes to read a replica of one book. */
const LATE_MS = 1500;

test.each([
  ['/livres/ajouter', 'ISBN, titre ou auteur'],
  ['/series/ajouter', 'Titre'],
  ['/revues/ajouter', 'Titre'],
])('the form of %s opens with its first field focused', async (path, label) => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open();
  await page.getByText('Désert').first().waitFor();
  // Delay the screen's own chunks beyond the loading of the replica.
  const shell = await (await fetch(house.url)).text();
  phone.portal.delay = (file) =>
    file.startsWith('/_app/') && !shell.includes(file) ? rest(LATE_MS) : Promise.resolve();
  await page.goto(`${phone.portal.url}${path}`);
  const first = page.getByLabel(label, { exact: true });
  await first.waitFor();
  const save = page.getByRole('button', { name: /^(Enregistrer|Rechercher l'ISBN)$/ });
  await expect.poll(() => save.isEnabled()).toBe(true);
  await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
  // The field keeps the focus.
  await page.keyboard.type('Regain');
  expect(await first.inputValue()).toBe('Regain');
});

test('a returning list does not take focus from the search', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open();
  await livreRow(page, 'Désert').getByRole('link').click();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  // Focus the field at once, as a fast reader on a slow device.
  await page.evaluate(() => {
    new MutationObserver((_changes, observer) => {
      const field = document.querySelector<HTMLElement>('main [type="search"]');
      if (field === null) return;
      field.focus();
      observer.disconnect();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('link', { name: 'Retour au catalogue' }).click();
  await livreRow(page, 'Désert').waitFor();
  // More frames than restoring the row's focus may take.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
  });
  await page.keyboard.type('Antigone');
  expect(await page.getByRole('searchbox', { name: 'Rechercher' }).inputValue()).toBe('Antigone');
});

test('an author’s name continues after the field loses focus', async () => {
  const page = await (await device(await household())).open('/souhaits/ajouter');
  await unfold(page);
  const auteurs = page.getByRole('combobox', { name: 'Auteurs' });
  await auteurs.focus();
  // In one task: a busy device handles keys before its timers.
  await auteurs.evaluate((field: HTMLInputElement) => {
    field.blur();
    field.focus();
    field.value = 'Nei';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  await page.keyboard.type('ge Sinno');
  expect(await auteurs.inputValue()).toBe('Neige Sinno');
  await page.getByLabel('Titre', { exact: true }).focus();
  await page.getByRole('button', { name: 'Retirer Neige Sinno' }).waitFor();
});

test('an empty submit focuses its field, and is announced', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Dune' });
  await house.souhaiterRevue('alice', { titre: 'La Hulotte' });
  const numero = await house.ajouterNumero('Le Tigre', '12');
  await ajouterEmplacement(house, { nom: 'Salon' });
  const page = await (await device(house)).open(`/livres/${id}`);
  /**
   * What a screen reader gets: the focused field, its validity, and its message as a description or an announcement.
   */
  const read = () =>
    page.evaluate(() => {
      const field = document.activeElement;
      const description = document.getElementById(field?.getAttribute('aria-describedby') ?? '');
      const announcements = [...document.querySelectorAll('form > [aria-live]')].map(
        ({ textContent }) => textContent,
      );
      return {
        isWrong: field?.ariaInvalid === 'true',
        sentence: description?.textContent.trim().replaceAll(/[\u00a0\u202f]/g, ' '),
        isSaid: announcements.some(
          (text) => text.trim() !== '' && text.trim() === description?.textContent.trim(),
        ),
      };
    });
  const forms: readonly {
    path: string;
    row?: string;
    open?: string;
    /** A field that can be filled from a suggestion. */
    filled?: string;
    button: string;
    sentence: string;
  }[] = [
    { path: `/livres/${id}`, button: 'Prêter', sentence: 'Indiquez à qui vous prêtez ce livre.' },
    {
      path: `/livres/${id}`,
      open: 'Mettre dans une série',
      button: 'Enregistrer',
      sentence: 'Indiquez le titre de la série.',
    },
    {
      path: `/revues/${numero.revueId}?ajouter`,
      filled: 'Numéro',
      button: 'Ajouter ce numéro',
      sentence: 'Indiquez le numéro, par exemple 852.',
    },
    {
      path: '/souhaits',
      row: 'La Hulotte',
      open: 'Je l’ai acheté',
      button: 'Ajouter ce numéro',
      sentence: 'Quel numéro avez-vous acheté ?',
    },
    {
      path: '/souhaits/ajouter?genre=revue',
      button: 'Enregistrer',
      sentence: 'Indiquez le titre de la revue.',
    },
    {
      path: '/rangement',
      open: 'Ajouter une pièce',
      button: 'Ajouter',
      sentence: 'Indiquez un emplacement.',
    },
    {
      path: `/livres/${id}`,
      open: 'Choisir l’emplacement',
      button: 'Enregistrer',
      sentence: 'Indiquez un emplacement.',
    },
  ];
  for (const { path, row, open, filled, button, sentence } of forms) {
    await follow(page, path);
    if (row !== undefined) await page.getByRole('button', { name: row, exact: true }).click();
    if (open !== undefined) await page.getByRole('button', { name: open }).click();
    if (filled !== undefined) await page.getByLabel(filled, { exact: true }).fill('');
    const submit = page.locator('form').getByRole('button', { name: button, exact: true });
    await submit.last().click();
    await expect.poll(read, { message: path }).toEqual({ isWrong: true, sentence, isSaid: false });
    // The focus is there already, so the message is announced.
    await page.keyboard.press('Enter');
    await expect.poll(read, { message: path }).toEqual({ isWrong: true, sentence, isSaid: true });
  }
});

test('a form that is opened again starts without errors', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Dune', themes: ['Sable', 'Vent'] });
  await house.souhaiterRevue('alice', { titre: 'La Hulotte' });
  await ajouterEmplacement(house, { nom: 'Salon' });
  const cycle = await ajouterSerie(house, { titre: 'Les robots' });
  await ajouterSerie(house, { titre: 'Fondation' });
  const page = await (await device(house)).open('/souhaits');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const message = (sentence: string) => page.getByText(sentence).filter({ visible: true });

  await press('La Hulotte');
  await press('Je l’ai acheté');
  await press('Ajouter ce numéro');
  await message('Quel numéro avez-vous acheté ?').waitFor();
  await press('Annuler');
  await press('Je l’ai acheté');
  await field('Numéro').waitFor();
  expect(await message('Quel numéro avez-vous acheté ?').count()).toBe(0);
  await page.keyboard.press('Escape');

  await follow(page, `/livres/${id}`);
  await press('Choisir l’emplacement');
  await page.getByRole('combobox', { name: 'Où ?' }).fill('A › B › C › D › E › F › G');
  await press('Enregistrer');
  await message('choisissez-en un moins profond').waitFor();
  await press('Annuler');
  await page.getByRole('button', { name: 'Choisir l’emplacement' }).waitFor();
  expect(await message('choisissez-en un moins profond').count()).toBe(0);

  await follow(page, `/series/${cycle.id}`);
  await page.route('**/api/series/*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Internal Server Error' } }),
  );
  await press('Ajouter une série existante');
  await page.getByRole('option', { name: 'Fondation' }).click();
  const alert = page.getByRole('main').getByRole('alert').filter({ visible: true });
  await alert.waitFor();
  await press('Ajouter une série existante');
  await press('Ajouter une série existante');
  await field('Série à mettre dans ce cycle').waitFor();
  expect(await alert.count()).toBe(0);

  await follow(page, '/themes/Sable');
  await follow(page, '/');
  await follow(page, '/themes/Vent');
  await press('Renommer');
  await field('Nom').fill('Bise');
  await page.evaluate(() => history.go(-2));
  await page.getByRole('heading', { name: 'Sable', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Renommer' }).waitFor();
  expect(await field('Nom').count()).toBe(0);

  await follow(page, '/reglages');
  await page.getByRole('button', { name: /^Nom de la bibliothèque/ }).click();
  await page.getByRole('textbox', { name: 'Nom de la bibliothèque' }).fill('Rue des Lilas');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Nom de la bibliothèque/ }).click();
  expect(await page.getByRole('textbox', { name: 'Nom de la bibliothèque' }).inputValue()).toBe(
    'Rayonnage',
  );
});
