import { expect, test } from 'vitest';
import { afficherIsbn } from '#shared/isbn';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { montre, souhait } from './support/souhaits.ts';

useBrowser();

const AJOUTER = '/souhaits/ajouter';

test('by hand: what is typed, at the end of the list; twice is refused in words', async () => {
  const maison = await household();
  await maison.souhaiter('alice', { titre: 'Regain' });
  const page = await (await device(maison)).open('/souhaits');
  await page.getByRole('link', { name: 'Ajouter' }).click();
  await page.getByRole('heading', { name: 'Ajouter un souhait' }).waitFor();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Un livre a besoin d’un titre.').waitFor();
  await page.getByLabel('Titre').fill('Le Grand Meaulnes');
  await page.getByLabel('Auteur').fill('Alain-Fournier');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('« Le Grand Meaulnes » est sur votre liste, au rang 2.').waitFor();
  expect(await page.getByLabel('Titre').inputValue()).toBe('');
  await page.getByLabel('Titre').fill('le grand meaulnes');
  await page.getByLabel('Auteur').fill('ALAIN-FOURNIER');
  await page.getByText('Déjà sur votre liste, au rang 2').waitFor();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('C’est déjà sur votre liste.').waitFor();
  await page.getByRole('link', { name: 'Voir ma liste' }).click();
  await montre(page, 'Livres', ['Regain', 'Le Grand Meaulnes']);
});

test('by title: the catalogues’ editions, told apart by publisher and year', async () => {
  const { maison } = await householdWithCatalogues();
  await maison.ajouter({ titre: 'Le château des Carpathes', isbn: '9782948012024' });
  const page = await (await device(maison)).open(AJOUTER);
  await page.getByLabel('Titre').fill('chateau carpathes');
  await page.getByRole('button', { name: 'Chercher dans les catalogues' }).click();
  const editions = page.getByRole('list', { name: 'Éditions trouvées' });
  await editions.getByText('Les Presses du phare, 2012').waitFor();
  await editions.getByText('en rayon').first().waitFor();
  await editions.getByText('Club du livre du soir, 2021').click();
  expect(await page.getByLabel('Titre').inputValue()).toBe('Le château des Carpathes');
  expect(await page.getByLabel('Auteur').inputValue()).toBe('Jules Verne');
  await page.getByText('Déjà dans la bibliothèque').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('est sur votre liste, au rang 1.').waitFor();
});

test('a title that no catalogue knows, and a catalogue that is silent, are two things', async () => {
  let muet = true;
  const { maison } = await householdWithCatalogues({
    avant: (_request, response) => {
      if (muet) response.writeHead(500).end();
      return muet;
    },
  });
  const page = await (await device(maison)).open(AJOUTER);
  await page.getByLabel('Titre').fill('introuvable entre tous');
  await page.keyboard.press('Enter');
  await page.getByText('Ni la Bibliothèque nationale ni Open Library n’ont répondu.').waitFor();
  muet = false;
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByText('Aucun catalogue ne connaît ce titre.').waitFor();
  expect(await page.getByRole('button', { name: 'Réessayer' }).count()).toBe(0);
});

test('a search that takes long can be given up', async () => {
  const { maison } = await householdWithCatalogues({ delai: 5_000 });
  const page = await (await device(maison)).open(AJOUTER);
  await page.getByLabel('Titre').fill('Le château des Carpathes');
  await page.getByRole('button', { name: 'Chercher dans les catalogues' }).click();
  await page.getByRole('button', { name: 'Abandonner' }).click();
  await page.getByText('Les catalogues cherchent').waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Titre').inputValue()).toBe('Le château des Carpathes');
});

test('by ISBN: the wish is filled from the catalogue', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open(`${AJOUTER}?isbn=9782948012017`);
  await page.getByRole('button', { name: "Rechercher l'ISBN" }).click();
  await expect.poll(() => page.getByLabel('Titre').inputValue()).toBe('Les travailleurs de la mer');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: 'Voir ma liste' }).click();
  const ligne = souhait(page, 'Les travailleurs de la mer');
  await ligne.getByText('Victor Hugo').waitFor();
  await ligne.getByText(afficherIsbn('9782948012017')).waitFor();
  await page.goBack();
  await page.getByLabel('ISBN').fill('9782948012018');
  await page.keyboard.press('Enter');
  await page.getByText('Ce n’est pas un ISBN').waitFor();
});

test('a periodical: by hand, and by the barcode of its cover', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open(AJOUTER);
  await page.getByRole('radio', { name: 'Revue' }).check();
  await page.getByLabel('Titre').fill('XXI');
  await page.getByLabel('Numéro').fill('62');
  await page.getByLabel('ISSN').fill('1234-5678');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Ce n’est pas un ISSN').waitFor();
  await page.getByLabel('ISSN').fill('9771966600005');
  await page.getByLabel('ISSN').fill('');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('« XXI » est sur votre liste, au rang 1.').waitFor();
  await page.getByRole('radio', { name: 'Livre' }).check();
  await page.getByLabel('ISBN').fill(CODE_DE_REVUE);
  await page.keyboard.press('Enter');
  await page.getByText('C’est une revue : il ne manque que le numéro.').waitFor();
  await expect.poll(() => page.getByLabel('ISSN').inputValue()).toBe('2917-0443');
  await page.keyboard.type('12');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('est sur votre liste, au rang 2.').waitFor();
});

/** The barcode of the played catalogues' first periodical. */
const CODE_DE_REVUE = '9772917044002';
