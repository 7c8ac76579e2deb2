import { expect, test } from 'vitest';
import { Refusal } from '#shared/refusals';
import { errorBody } from '#server/domain/error-body';
import { searchFor, filterBy, livreRow, livreTitles } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { told } from './support/feedback.ts';
import { household } from './support/household.ts';

test('every route opens again without a network, deep links too', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  const [auteur] = livre.auteurs;
  await house.preter(livre, 'Luc');
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await page.goto(`${phone.portal.url}/a-propos`);
  await page
    .getByText('Version de développement')
    .or(page.getByText(/^Version/))
    .first()
    .waitFor();
  // What was done comes behind all else of a first copy.
  await page.goto(`${phone.portal.url}/modifications`);
  await page.getByText('Prêté à Luc : Désert').waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();

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
    '/modifications': 'Prêté à Luc : Désert',
    '/importer': 'Sont reconnus',
    '/a-propos': 'Dernière version vue du serveur',
    '/reglages': 'Thème',
    '/aide': 'Sans réseau',
  };
  for (const [route, text] of Object.entries(routes)) {
    await page.goto(phone.portal.url + route);
    await page.getByRole('main').getByText(text).first().waitFor();
    await page
      .getByText(/Hors ligne, dernière mise à jour/)
      .first()
      .waitFor();
  }
});

test('searching and filtering go on, and what cannot be done says why', async () => {
  const house = await household();
  const desert = await house.ajouter({ titre: 'Désert', typeDocument: 'Roman' });
  await house.ajouter({ titre: 'Astérix le Gaulois', typeDocument: 'BandeDessinee' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  await searchFor(page, 'desert');
  await expect.poll(() => livreTitles(page)).toEqual(['Désert']);
  await searchFor(page, '');
  await filterBy(page, 'Type', 'Bande dessinée');
  await expect.poll(() => livreTitles(page)).toEqual(['Astérix le Gaulois']);

  await page.goto(`${phone.portal.url}/livres/${desert.id}`);
  for (const name of ['Prêter', 'Modifier', 'Supprimer', 'Ajouter']) {
    const button = page.getByRole('button', { name, exact: true }).first();
    await expect.poll(() => button.isDisabled(), { message: name }).toBe(true);
    const reason = await button.getAttribute('aria-describedby');
    await page
      .locator(`#${reason ?? 'no-reason'}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
});

test('the server goes and comes back: the page knows, without a word from the reader', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${id}`);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await house.stop();
  // With the date of the copy, or without where the first synchronisation was cut off.
  await page
    .getByText(/Hors ligne/)
    .first()
    .waitFor();
  await house.start();
  await page
    .getByText(/Hors ligne/)
    .first()
    .waitFor({ state: 'hidden', timeout: 60_000 });
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page
    .getByRole('main')
    .getByText(/^Prêté à Luc/)
    .waitFor();
}, 120_000);

test('a request lost on the way is told in a sentence and sent again, once', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter');
  await page.getByLabel('Titre').fill('Désert');
  await expect.poll(() => page.getByRole('button', { name: 'Enregistrer' }).isEnabled()).toBe(true);
  await page.route('**/api/livres*', (route) => route.abort());
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page
    .getByText(/L.enregistrement tarde/)
    .first()
    .waitFor();
  expect(await page.getByLabel('Titre').inputValue()).toBe('Désert');
  expect(await page.getByText(/fetch|NetworkError|HTTP|50\d/).count()).toBe(0);
  await page.unroute('**/api/livres*');
  await page
    .getByRole('link', { name: '« Désert » est dans la bibliothèque.' })
    .waitFor({ timeout: 60_000 });
  expect(await house.titres()).toEqual(['Désert']);
});

test('a session that the sign-on layer has ended is neither offline nor an error', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await phone.untilOfflineReady(page);
  phone.portal.state = 'expired';
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first().click();
  await expect.poll(() => phone.portal.state).toBe('open');
  await page.goto(`${phone.portal.url}/livres/${id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page
    .getByRole('main')
    .getByText(/^Prêté à Luc/)
    .waitFor();
});

test('a write that has to wait for a long one of another says for what, and is then done', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${String(id)}`);
  const refusal = new Refusal('TRAVAIL_EN_COURS', { travail: 'Un import' });
  await page.route('**/api/livres/*/statut', (route) =>
    route.fulfill({ status: refusal.status, json: errorBody(refusal) }),
  );
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await page.getByText(/^Un import est en cours/).waitFor();
  await page.unroute('**/api/livres/*/statut');
  await told(page, 'Lu : Désert');
});
