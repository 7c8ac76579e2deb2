import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { Refusal } from '#shared/refusals';
import { errorBody } from '#server/plumbing/common/error-body';
import { unfold } from './support/add.ts';
import { searchFor, filterBy, livreRow, livreTitles } from './support/catalogue.ts';
import { ajouterEmplacement, ajouterSerie, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { feedback, expectFeedback, view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { expectDisabledOffline } from './support/offline.ts';
import { household } from './support/household.ts';
import { offlineIn } from './support/screens.ts';

/** A lent book with its author, and an album in a packed box. */
async function furnished() {
  const house = await household();
  const livre = await house.ajouter({
    titre: 'Désert',
    auteurs: ['J. M. G. Le Clézio'],
    typeDocument: 'Roman',
    themes: ['Voyage'],
  });
  const album = await house.ajouter({ titre: 'Astérix', typeDocument: 'BandeDessinee' });
  const fermeLe = '2026-03-03T10:00:00.000Z';
  const carton = await ajouterEmplacement(house, { nom: 'Carton 12', fermeLe });
  await rangerLivre(house, album.id, carton.id);
  await house.preter(livre, 'Luc');
  const serie = await ajouterSerie(house, {
    titre: 'Fondation',
    parentId: null,
    nombreTomes: null,
  });
  const numero = await house.ajouterNumero('Géo', '12');
  const lecture = await house.noter('alice', { titre: 'Regain', debut: '2026-03-01' });
  return { house, livre, album, carton, serie, numero, lecture, auteur: livre.auteurs[0] };
}

test('every route opens again without a network', async () => {
  const { house, livre, album, carton, serie, numero, lecture, auteur } = await furnished();
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await follow(page, '/a-propos');
  await page
    .getByText('Version de développement')
    .or(page.getByText(/^Version/))
    .first()
    .waitFor();
  // The history is replicated last.
  await follow(page, '/modifications');
  await page.getByText('Prêté à Luc : Désert').waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();

  const routes: (readonly [string, string | RegExp])[] = [
    ...offlineIn({
      livre: livre.id,
      auteur: auteur?.id ?? 0,
      theme: 'voyage',
      serie: serie.id,
      revue: numero.revueId,
      numero: numero.id,
      emplacement: carton.id,
      lecture: lecture.id,
    }),
    ['/?recherche=clezio', 'Désert'],
    ['/pas-une-adresse', 'Cette page n’existe pas'],
  ];
  const faults: string[] = [];
  for (const [route, text] of routes) {
    await page.goto(phone.portal.url + route);
    await page.getByRole('main').getByText(text).first().waitFor();
    await page
      .getByText(/Hors ligne, dernière mise à jour/)
      .first()
      .waitFor();
    // The help links to its page about being offline.
    const shown = await page
      .getByText(/Hors ligne/)
      .evaluateAll((texts) => texts.filter((text) => !text.matches('.sr-only, a, a *')).length);
    if (shown !== 1) faults.push(`${route}: « Hors ligne » ${String(shown)} times`);
  }
  expect(faults).toEqual([]);

  await page.goto(`${phone.portal.url}/?recherche=carton`);
  await page
    .getByRole('region', { name: 'Emplacements' })
    .getByRole('link', { name: 'Carton 12' })
    .click();
  await page.getByText(/^fermé le 3 mars/).waitFor();
  await page.getByRole('link', { name: 'Astérix' }).waitFor();

  await follow(page, '/');
  await searchFor(page, 'desert');
  await expect.poll(() => livreTitles(page)).toEqual(['Désert']);
  await searchFor(page, '');
  await filterBy(page, 'Type', 'Bande dessinée');
  await expect.poll(() => livreTitles(page)).toEqual(['Astérix']);
  await follow(page, `/livres/${album.id}`);
  await expectDisabledOffline(page, ['Prêter', 'Modifier', 'Supprimer', 'Ajouter']);
  // The reason is next to the button, for those far down the page too.
  const reasonBefore = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .locator('xpath=..')
      .locator('xpath=preceding-sibling::*[1]')
      .filter({ hasText: 'Consultation seule.' })
      .locator('svg')
      .isVisible();
  expect(await reasonBefore('Mettre dans une série')).toBe(true);
  expect(await reasonBefore('Supprimer')).toBe(true);
  // The icon alone is not enough: each section gives the reason in words.
  const inWords = await page
    .getByText('Consultation seule.')
    .evaluateAll((all) => all.filter((one) => one.clientWidth > 1 || one.clientHeight > 1).length);
  expect(inWords).toBeGreaterThan(1);
  const beside = page
    .locator('form')
    .filter({ hasText: 'Emprunteur' })
    .getByText('Consultation seule.');
  expect((await beside.boundingBox())?.width).toBeGreaterThan(50);
});

test('a start shows its first books before it finds all', async () => {
  const house = await household();
  for (let nth = 10; nth < 50; nth++) await house.ajouter({ titre: `Livre ${nth}` });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Livre 10').waitFor();
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.includes('.first|')),
  );
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.addInitScript(() => {
    const openers: (() => void)[] = [];
    Reflect.set(globalThis, 'openDatabases', () => openers.forEach((open) => open()));
    Object.defineProperty(IDBOpenDBRequest.prototype, 'onsuccess', {
      set(this: IDBOpenDBRequest, listener: (event: Event) => void) {
        this.addEventListener('success', (event) => openers.push(() => listener.call(this, event)));
      },
    });
  });
  await page.reload();
  await livreRow(page, 'Livre 10').waitFor();
  await searchFor(page, 'Livre 38');
  await expect.poll(() => livreTitles(page)).toEqual([]);
  // The address is updated last; then wait more frames than the other results take.
  await page.waitForURL(/Livre/);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
  });
  expect(await page.getByText(/^Aucun résultat/).count()).toBe(0);
  await page.evaluate(() => (Reflect.get(globalThis, 'openDatabases') as () => void)());
  await expect.poll(() => livreTitles(page)).toEqual(['Livre 38']);
});

test('an unknown address is reported if only a proxy answers', async () => {
  const phone = await device(await household(), { serviceWorker: true });
  const page = await phone.open();
  await phone.untilOfflineReady(page);
  phone.portal.state = 'gone';
  await page.goto(`${phone.portal.url}/pas-une-adresse`);
  await page.getByRole('main').getByText('Cette page n’existe pas').waitFor();
});

test('a request that is lost is sent again, once', async () => {
  const house = await household();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Désert');
  await expect
    .poll(() => page.getByRole('button', { name: 'Ajouter', exact: true }).isEnabled())
    .toBe(true);
  await page.route('**/api/livres*', (route) => route.abort());
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page
    .getByText(/L.enregistrement tarde/)
    .first()
    .waitFor();
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Désert');
  expect(await page.getByText(/fetch|NetworkError|HTTP|50\d/).count()).toBe(0);
  await page.unroute('**/api/livres*');
  await feedback(page).getByText('Livre ajouté : Désert').waitFor({ timeout: 60_000 });
  expect(await house.titres()).toEqual(['Désert']);

  await view(page, 'Livre ajouté : Désert');
  const refusal = new Refusal('TRAVAIL_EN_COURS', { travail: 'import' });
  await page.route('**/api/livres/*/statut', (route) =>
    route.fulfill({ status: refusal.status, json: errorBody(refusal, 'fr') }),
  );
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await page.getByText(/^Un import est en cours/).waitFor();
  await page.unroute('**/api/livres/*/statut');
  await expectFeedback(page, 'Marqué comme lu : Désert');

  // The page notices without any action of the reader.
  await house.stop();
  const offline = page.getByText(/Hors ligne/).first();
  await offline.waitFor();
  await house.start();
  await offline.waitFor({ state: 'hidden', timeout: 60_000 });
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  await page
    .getByRole('main')
    .getByText(/^Prêté à Luc/)
    .waitFor();
});

test('each action that needs the network gives the reason why it is disabled offline', async () => {
  const house = await household();
  await house.ajouter({ titre: '9782070408504', isbn: '9782070408504' });
  for (const titre of ['Regain', 'Sido']) await house.souhaiter('alice', { titre });
  const desk = await device(house, { size: 'desk', serviceWorker: true });
  const page = await desk.open();
  await desk.untilOfflineReady(page);
  await desk.cutNetwork();
  /** The description of a button, as announced by a screen reader. */
  const reason = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .first()
      .evaluate((button) => {
        const ids = button.getAttribute('aria-describedby')?.split(' ') ?? [];
        return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
      });
  const ways = page.getByRole('button', { name: 'Autres façons d’ajouter' });
  await expect.poll(() => ways.isDisabled()).toBe(true);
  await expect.poll(() => reason('Autres façons d’ajouter')).toContain('Hors ligne');
  await follow(page, '/souhaits');
  await page.getByRole('button', { name: 'Regain', exact: true }).click();
  await expect.poll(() => reason('Je l’ai acheté')).toContain('Hors ligne');
  await expect.poll(() => reason('Descendre')).toContain('Hors ligne');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await follow(page, '/importer/a-completer');
  await page
    .getByRole('textbox', { name: /9782070408504|978-2-07-040850-4/ })
    .first()
    .waitFor();
});

const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const urls = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).length),
    );
    return urls.reduce((sum, count) => sum + count, 0);
  });

test('deleted files are stored again by the next visit, so that the device starts offline again', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await phone.untilOfflineReady(page);
  const count = await keptFiles(page);
  expect(count).toBeGreaterThan(100);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  expect(await keptFiles(page)).toBe(0);
  await page.reload();
  await expect.poll(() => keptFiles(page), { timeout: 20_000 }).toBe(count);
  await phone.cutNetwork();
  await page.reload();
  await livreRow(page, 'Désert').waitFor();
});

test('the device reports from a check whether it would start offline', async () => {
  const phone = await device(await household(), { serviceWorker: true });
  const page = await phone.open('/a-propos');
  const state = page
    .locator('dl > div')
    .filter({ has: page.getByText('Ouverture hors ligne', { exact: true }) })
    .getByRole('definition');
  await state.getByText('Oui : l’application et la bibliothèque sont sur cet appareil.').waitFor();
  const lost = await page.evaluate(async () => {
    const [name = ''] = await caches.keys();
    const cache = await caches.open(name);
    const files = (await cache.keys()).filter(({ url }) => url.endsWith('.js')).slice(0, 2);
    for (const file of files) await cache.delete(file);
    return files.map(({ url }) => new URL(url).pathname);
  });
  expect(lost.length).toBe(2);
  phone.portal.breaks = (_, path) => path === lost[0];
  await page.reload();
  await state.getByText('Non : il manque 1 fichier de l’application sur cet appareil.').waitFor();
  phone.portal.breaks = null;
  await page.reload();
  await state.getByText('Oui : l’application').waitFor();

  const plain = await device(await household());
  const other = await plain.open('/a-propos');
  await other.getByText('Non : l’application n’est pas gardée sur cet appareil.').waitFor();
});
