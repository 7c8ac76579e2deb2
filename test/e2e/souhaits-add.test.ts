import { expect, test } from 'vitest';
import { formatIsbn } from '#shared/isbn-format';
import { addField, searchForBook, unfold } from './support/add.ts';
import { device } from './support/device.ts';
import { expectFeedback, view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { closeSheet, expectList, openSheet, souhaitRow } from './support/souhaits.ts';

const ADD_PATH = '/souhaits/ajouter';

/** The barcode of the simulated catalogues' first periodical. */
const REVUE_CODE = '9772917044002';

test('a typed wish goes to the end, once', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: 'Regain' });
  const page = await (await device(house)).open('/souhaits');
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await page.getByRole('heading', { name: 'Ajouter un souhait' }).waitFor();
  await unfold(page);
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page.getByText('Indiquez le titre du livre.').waitFor();
  await page.getByLabel('Titre', { exact: true }).fill('Le Grand Meaulnes');
  await page.getByLabel('Auteurs').fill('Alain-Fournier');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Souhait ajouté au rang 2 : Le Grand Meaulnes');
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('');
  await page.getByLabel('Titre', { exact: true }).fill('le grand meaulnes');
  await page.getByLabel('Auteurs').fill('ALAIN-FOURNIER');
  await page.getByText('Déjà sur votre liste, au rang 2').waitFor();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page.getByText('C’est déjà sur votre liste.').waitFor();
  await view(page, /^Souhait ajouté/);
  await expectList(page, 'Livres', ['Regain', 'Le Grand Meaulnes']);
});

test('two spellings of an author are one author', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Triste tigre', auteurs: ['Neige Sinno'] });
  await house.souhaiter('alice', { titre: 'La Realidad', auteur: 'Neige Sinno' });
  const page = await (await device(house)).open(ADD_PATH);
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('La Realidad');
  const auteurs = page.getByRole('combobox', { name: 'Auteurs' });
  await auteurs.pressSequentially('Sinno, Neige');
  await page.getByText('Déjà sur votre liste, au rang 1').waitFor();
  await auteurs.press('Enter');
  await page.getByRole('button', { name: 'Retirer Neige Sinno' }).waitFor();
  await page.getByText('Déjà sur votre liste, au rang 1').waitFor();
  await page.getByLabel('Titre', { exact: true }).fill('Tout autre chose');
  await auteurs.pressSequentially('sinn');
  expect(await page.getByRole('option').count()).toBe(0);
  await auteurs.fill('Une autre ; Encore une');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, /^Souhait ajouté au rang 2/);
  const response = await fetch(`${house.url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
  const souhaits = (await response.json()) as { auteur: string }[];
  expect(souhaits[1]?.auteur).toBe('Neige Sinno ; Une autre ; Encore une');

  // The warning about an owned book stays when the author is typed.
  await page.getByLabel('Titre', { exact: true }).fill('Triste tigre');
  const warning = page.getByText('Peut-être déjà dans la bibliothèque');
  await warning.waitFor();
  for (const typed of ['S', 'Sin', 'Sinno, N.', 'Sinno, Neige']) {
    await auteurs.fill(typed);
    await warning.waitFor();
  }
  await auteurs.press('Enter');
  await page.getByRole('button', { name: 'Retirer Neige Sinno' }).waitFor();
  await warning.waitFor();
});

test('a wish for an owned book warns, and links to it', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Triste tigre', auteurs: ['Neige Sinno'] });
  const page = await (await device(house)).open(ADD_PATH);
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Triste tigre : récit');
  await page.getByRole('combobox', { name: 'Auteurs' }).fill('Sinno, Neige');
  await page.getByText('Peut-être déjà dans la bibliothèque').waitFor();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await view(page, /^Souhait ajouté au rang 1\s; vous l’avez déjà/);
  await page.getByRole('heading', { level: 1, name: 'Triste tigre' }).waitFor();
});

test('a wish’s form is filled by title or ISBN', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Le château des Carpathes', isbn: '9782948012024' });
  const page = await (await device(house)).open(ADD_PATH);
  await searchForBook(page, 'chateau carpathes');
  const editions = page.getByRole('list', { name: 'Éditions trouvées' });
  await editions.getByRole('button', { name: /Les Presses du phare, 2012/ }).waitFor();
  await editions.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await editions.getByText('Déjà chez nous').first().waitFor();
  await page.getByRole('button', { name: 'Souhaiter quand même' }).click();
  await unfold(page);
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe(
    'Le château des Carpathes',
  );
  await page.getByRole('button', { name: 'Retirer Jules Verne' }).waitFor();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).press('Enter');
  await view(page, /^Souhait ajouté au rang 1\s; vous l’avez déjà/);
  await page.waitForURL(/\/livres\/\d+$/);
  await follow(page, '/souhaits');
  await souhaitRow(page, 'Le château des Carpathes').waitFor();
  await follow(page, `${ADD_PATH}?isbn=9782948012017`);
  await page.getByRole('heading', { name: 'Les travailleurs de la mer' }).waitFor();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await view(page, /^Souhait ajouté/);
  const row = souhaitRow(page, 'Les travailleurs de la mer');
  await row.getByText('Victor Hugo').waitFor();
  const sheet = await openSheet(page, 'Les travailleurs de la mer');
  await sheet.getByText(formatIsbn('9782948012017')).waitFor();
  await closeSheet(page);
  await page.goBack();
  await searchForBook(page, '9782948012018');
  await page.getByText('Le dernier chiffre ne correspond pas').waitFor();

  await addField(page).fill('');
  await page.getByRole('link', { name: 'Une revue' }).click();
  await page.getByLabel('Titre', { exact: true }).fill('XXI');
  await page.getByLabel('Numéro').fill('62');
  await page.getByLabel('ISSN', { exact: true }).fill('1234-5678');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Le dernier caractère ne correspond pas').waitFor();
  await page.getByLabel('ISSN', { exact: true }).fill('9771966600005');
  await page.getByLabel('ISSN', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expectFeedback(page, 'Souhait ajouté au rang 1 : XXI');
  await page.getByRole('link', { name: 'Un livre' }).click();
  await searchForBook(page, REVUE_CODE);
  await page.getByText('C’est une revue : il ne manque que le numéro.').waitFor();
  await expect.poll(() => page.getByLabel('ISSN', { exact: true }).inputValue()).toBe('2917-0443');
  await page.keyboard.type('12');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expectFeedback(page, /^Souhait ajouté au rang 2/);
});

test('an unknown title differs from a silent catalogue', async () => {
  let isSilent = true;
  let isSlow = false;
  const { house } = await householdWithCatalogues({
    intercept: (_request, response) => {
      if (isSilent) response.writeHead(500).end();
      // Slow requests get no response before the test's end.
      return isSilent || isSlow;
    },
  });
  const page = await (await device(house)).open(ADD_PATH);
  await searchForBook(page, 'introuvable entre tous');
  await page.getByText('Les catalogues ne répondent pas.').first().waitFor();
  isSilent = false;
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByText('Aucun catalogue ne connaît ce titre.').first().waitFor();
  expect(await page.getByRole('button', { name: 'Réessayer' }).count()).toBe(0);

  isSlow = true;
  await searchForBook(page, 'Le château des Carpathes');
  await page.getByRole('button', { name: 'Abandonner' }).click();
  await page.getByRole('button', { name: 'Abandonner' }).waitFor({ state: 'detached' });
  expect(await addField(page).inputValue()).toBe('Le château des Carpathes');
});
