import { expect, test } from 'vitest';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';
import { ligne, lignes } from './support/catalogue.ts';

useBrowser();

test('a book is entered by hand, its twin only when confirmed', async () => {
  const page = await (await device(await household())).open();
  await page.getByRole('link', { name: 'Ajouter' }).first().click();
  const entre = (id: number) =>
    page.getByRole('main').locator(`[role=status] a[href="/livres/${id}"]`);
  await page.getByLabel('Titre').fill('Le Petit Prince');
  await page.getByLabel('Auteurs').fill('Antoine de Saint-Exupéry;');
  await page.getByLabel('Type de document').selectOption('Roman');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await entre(1).waitFor();

  const autre = 'Le petit prince : avec les aquarelles';
  await page.getByLabel('Titre').fill(autre);
  await page.getByLabel('Auteurs').fill('Saint-Exupéry, Antoine de');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('button', { name: 'Ajouter quand même' }).click();
  await entre(2).waitFor();

  await page.goto(new URL('/', page.url()).href);
  await expect.poll(() => lignes(page)).toEqual(['Le Petit Prince', autre]);
});

test('a book is lent and comes back', async () => {
  const maison = await household();
  const livre = await maison.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  const page = await (await device(maison)).open(`/livres/${livre.id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByText(/^Prêté à Luc/).waitFor();

  await page.goto(new URL('/prets', page.url()).href);
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await page.getByRole('button', { name: 'Rendre' }).click();
  await page.getByText('rendu à l’instant').waitFor();
  await page.goto(new URL(`/livres/${livre.id}`, page.url()).href);
  await page.getByText('Déjà prêté 1 fois').click();
  await page.getByRole('listitem').filter({ hasText: 'Luc' }).waitFor();
});

test('a refusal of the server is told in its words, and what was typed is kept', async () => {
  const page = await (await device(await household())).open('/livres/ajouter');
  await page.getByLabel('Titre').fill('Ulysse');
  await page.getByLabel('ISBN').fill('9782070360025');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Ce n’est pas un ISBN : vérifiez ses chiffres.').waitFor();
  expect(await page.getByLabel('Titre').inputValue()).toBe('Ulysse');
});

test('a status is set, and taken back to « Pas commencé »', async () => {
  const maison = await household();
  const { id } = await maison.ajouter({ titre: 'Désert' });
  const page = await (await device(maison)).open(`/livres/${id}`);
  const lecture = page.getByRole('group', { name: 'Ma lecture' });
  const choisir = (name: string) =>
    Promise.all([
      page.waitForResponse('**/statut'), // leaving the page at once would take the request along
      lecture.getByRole('radio', { name }).check(),
    ]);
  await choisir('À lire');
  await page.goto(new URL('/?statut=0', page.url()).href);
  await ligne(page, 'Désert').waitFor();
  await page.goto(new URL(`/livres/${id}`, page.url()).href);
  await choisir('Pas commencé');
  await page.goto(new URL('/?statut=aucun', page.url()).href);
  await ligne(page, 'Désert').waitFor();
});

test('a book is edited as a whole, and deleted by its name', async () => {
  const maison = await household();
  const livre = await maison.ajouter({ titre: 'Dessert', editeur: 'Gallimard', annee: 1980 });
  const page = await (await device(maison)).open(`/livres/${livre.id}`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Titre').fill('Désert');
  await page.getByLabel('Année').fill('');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.getByText('Gallimard', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Supprimer' }).click();
  const question = page.getByRole('dialog', { name: 'Supprimer « Désert » ?' });
  await question.getByRole('button', { name: 'Supprimer' }).click();
  await page.getByText('Les rayons sont vides').waitFor();
});

test('an author is renamed on every book', async () => {
  const maison = await household();
  await maison.ajouter({ titre: 'Désert', auteurs: ['Le Clezio'] });
  const page = await (await device(maison)).open('/auteurs');
  await page.getByRole('link', { name: 'Le Clezio' }).click();
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom').fill('J. M. G. Le Clézio');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'J. M. G. Le Clézio' }).waitFor();
  await page.goto(new URL('/?recherche=clézio', page.url()).href);
  await ligne(page, 'Désert').waitFor();
});
