import { expect, test } from 'vitest';
import { chercher, filtrer, ligne, lignes } from './support/catalogue.ts';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

test('every route opens again without a network, deep links too', async () => {
  const maison = await household();
  const livre = await maison.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  const [auteur] = livre.auteurs;
  await maison.preter(livre, 'Luc');
  const appareil = await device(maison);
  const page = await appareil.open();
  await ligne(page, 'Désert').waitFor();
  await page.goto(`${appareil.portal.url}/a-propos`);
  await page
    .getByText('Version de développement')
    .or(page.getByText(/^Version/))
    .first()
    .waitFor();
  await appareil.untilOfflineReady(page);
  await appareil.cutNetwork();

  const routes: Record<string, string | RegExp> = {
    '/': 'Désert',
    '/?recherche=clezio': 'Désert',
    [`/livres/${livre.id}`]: /^Prêté à Luc/,
    [`/livres/${livre.id}/modifier`]: 'Modifier « Désert »',
    '/livres/ajouter': 'Ajouter un livre',
    '/auteurs': 'J. M. G. Le Clézio',
    [`/auteurs/${auteur?.id ?? 0}`]: 'Désert',
    '/prets': 'Luc',
    '/souhaits': 'Ce que vous aimeriez lire',
    '/series': 'Pas encore de séries',
    '/revues': 'Pas encore de revues',
    '/importer': 'Toute une liste d’un coup',
    '/a-propos': 'Dernière version vue du serveur',
  };
  for (const [route, texte] of Object.entries(routes)) {
    await page.goto(appareil.portal.url + route);
    await page.getByRole('main').getByText(texte).first().waitFor();
    await page
      .getByText(/Hors ligne, dernière mise à jour/)
      .first()
      .waitFor();
  }
});

test('searching and filtering go on, and what cannot be done says why', async () => {
  const maison = await household();
  const desert = await maison.ajouter({ titre: 'Désert', typeDocument: 'Roman' });
  await maison.ajouter({ titre: 'Astérix le Gaulois', typeDocument: 'BandeDessinee' });
  const appareil = await device(maison);
  const page = await appareil.open();
  await ligne(page, 'Désert').waitFor();
  await appareil.untilOfflineReady(page);
  await appareil.cutNetwork();
  await page.reload();
  await chercher(page, 'desert');
  await expect.poll(() => lignes(page)).toEqual(['Désert']);
  await chercher(page, '');
  await filtrer(page, 'Type', 'Bande dessinée');
  await expect.poll(() => lignes(page)).toEqual(['Astérix le Gaulois']);

  await page.goto(`${appareil.portal.url}/livres/${desert.id}`);
  for (const name of ['Prêter', 'Modifier', 'Supprimer', 'Ajouter']) {
    const bouton = page.getByRole('button', { name, exact: true }).first();
    await expect.poll(() => bouton.isDisabled(), { message: name }).toBe(true);
    const raison = await bouton.getAttribute('aria-describedby');
    await page
      .locator(`#${raison ?? 'sans-raison'}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
});

test('the server goes and comes back: the page knows, without a word from the reader', async () => {
  const maison = await household();
  const { id } = await maison.ajouter({ titre: 'Désert' });
  const appareil = await device(maison);
  const page = await appareil.open(`/livres/${id}`);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await appareil.untilOfflineReady(page);
  await maison.stop();
  // With the date of the copy, or without where the first synchronisation was cut off.
  await page
    .getByText(/Hors ligne/)
    .first()
    .waitFor();
  await maison.start();
  await page
    .getByText(/Hors ligne/)
    .first()
    .waitFor({ state: 'hidden', timeout: 60_000 });
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByText(/^Prêté à Luc/).waitFor();
}, 120_000);

test('a request lost on the way is told in a sentence, and what was typed is kept', async () => {
  const maison = await household();
  const appareil = await device(maison);
  const page = await appareil.open('/livres/ajouter');
  await page.getByLabel('Titre').fill('Désert');
  await expect.poll(() => page.getByRole('button', { name: 'Enregistrer' }).isEnabled()).toBe(true);
  await page.route('**/api/livres*', (route) => route.abort());
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Le serveur ne répond pas : rien n’a été enregistré.').first().waitFor();
  expect(await page.getByLabel('Titre').inputValue()).toBe('Désert');
  expect(await page.getByText(/fetch|NetworkError|HTTP|50\d/).count()).toBe(0);
});

test('a session that the sign-on layer has ended is neither offline nor an error', async () => {
  const maison = await household();
  const { id } = await maison.ajouter({ titre: 'Désert' });
  const appareil = await device(maison);
  const page = await appareil.open(`/livres/${id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await appareil.untilOfflineReady(page);
  appareil.portal.state = 'expired';
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first().click();
  await expect.poll(() => appareil.portal.state).toBe('open');
  await page.goto(`${appareil.portal.url}/livres/${id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByText(/^Prêté à Luc/).waitFor();
});
