import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { unfold } from './support/add.ts';
import { acceptInvitation, householdWithAccounts, PASSWORD } from './support/comptes.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { buildLanguages } from './support/build-languages.ts';

buildLanguages('en');

const databases = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name).sort());

async function chooseEnglish(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Langue/ }).click();
  await page.getByRole('radio', { name: 'English' }).check();
  await page.getByRole('button', { name: 'Utiliser cette langue' }).click();
  await page.locator('html[lang=en]').waitFor();
}

test('a French and an English reader share one household, with a network and without', async () => {
  const house = await household();
  const dune = await house.ajouter({ titre: 'Dune' });
  const [first, second] = [
    await device(house, { serviceWorker: true }),
    await device(house, { user: 'bob', serviceWorker: true }),
  ];
  const alice = await first.open('/modifications');
  await alice
    .getByText(/^Livre ajouté\s: Dune/)
    .first()
    .waitFor();
  const bob = await second.open('/reglages/compte');
  await second.untilOfflineReady(bob);
  const before = await databases(bob);
  await chooseEnglish(bob);
  await bob.getByRole('button', { name: /^Language.*English/i }).waitFor();
  // The replica is the same: no database was created.
  expect(await databases(bob)).toEqual(before);

  await house.preter(dune, 'Luc');
  await follow(bob, '/modifications');
  await bob.getByText('Lent to Luc: Dune').first().waitFor();
  await alice
    .getByText(/^Prêté à Luc\s: Dune/)
    .first()
    .waitFor();

  await second.cutNetwork();
  await bob.goto(`${second.portal.url}/modifications`);
  await bob.getByText('Lent to Luc: Dune').first().waitFor();
  expect(await bob.locator('html').getAttribute('lang')).toBe('en');
  await second.restoreNetwork();

  // The server's refusals are in the reader's language, too.
  await follow(bob, '/reglages/compte');
  await bob.getByRole('button', { name: /^Language/ }).click();
  await bob.getByRole('radio', { name: 'français' }).check();
  await bob.getByRole('button', { name: 'Use this language' }).click();
  await bob.locator('html[lang=fr]').waitFor();
  await follow(bob, '/modifications');
  await bob
    .getByText(/^Prêté à Luc\s: Dune/)
    .first()
    .waitFor();
});

const languageOf = (page: Page) => page.locator('html').getAttribute('lang');

const NEW_VERSION = /Nouvelle version|New version/;

test('a language that is chosen while the first worker is still at its files stays', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune' });
  const phone = await device(house, { user: 'bob', serviceWorker: true });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<null>();
  const asked: string[] = [];
  // By now the service worker has cached the page, but lacks a file that no screen requests.
  phone.portal.delay = async (path) => {
    asked.push(path);
    if (path === '/icon-512.png') await isReleased;
  };
  const page = await phone.open('/reglages/compte');
  await expect.poll(() => asked).toContain('/icon-512.png');
  await chooseEnglish(page);
  release(null);
  await page.evaluate(async () => navigator.serviceWorker.ready);
  for (const path of ['/', '/prets', '/prets']) {
    await page.goto(phone.portal.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await languageOf(page)).toBe('en');
  }
  await page.waitForLoadState('networkidle');
  await page.reload();
  await page.getByRole('heading', { name: 'Loans', level: 1 }).waitFor();
  expect(await page.getByText(NEW_VERSION).count()).toBe(0);
});

/** A device that has cached the application in English, its reader's language, and in French. */
async function keepingBoth(user: string | null = 'bob') {
  const house = await household();
  await house.ajouter({ titre: 'Dune' });
  const phone = await device(house, { user, serviceWorker: true });
  const page = await phone.open('/reglages/compte');
  await phone.untilOfflineReady(page);
  await chooseEnglish(page);
  return { house, phone, page };
}

const isKept = (page: Page, locale: string) =>
  page.evaluate(async (ending) => {
    const names = await caches.keys();
    return names.some((name) => name.endsWith(ending));
  }, `|${locale}`);

const bobsLanguage = async ({ portal }: Device) => {
  const answer = await fetch(`${portal.url}/api/moi`);
  return ((await answer.json()) as { langue?: string }).langue;
};

test('offline a device switches to a stored language, and says beforehand that another is unavailable', async () => {
  const house = await household();
  const phone = await device(house, { user: 'bob', serviceWorker: true });
  const page = await phone.open('/reglages/compte');
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.getByText('Hors ligne').first().waitFor();
  await page.getByRole('button', { name: /^Langue/ }).click();
  await page.getByRole('radio', { name: 'English' }).check();
  const change = page.getByRole('button', { name: 'Utiliser cette langue' });
  expect(await change.isDisabled()).toBe(true);
  await page.getByText('seules les langues déjà sur cet appareil sont disponibles').waitFor();
  await page.keyboard.press('Escape');
  await phone.restoreNetwork();
  await page.getByText('Hors ligne').first().waitFor({ state: 'detached' });

  await chooseEnglish(page);
  await phone.untilOfflineReady(page);
  expect(await isKept(page, 'fr')).toBe(true);
  await phone.cutNetwork();
  await page.getByText('Offline').first().waitFor();
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('radio', { name: 'français' }).check();
  await page.getByText('your other devices once it’s back online').waitFor();
  await page.getByRole('button', { name: 'Use this language' }).click();
  await page.locator('html[lang=fr]').waitFor();
  await page.getByRole('button', { name: /^Langue.*français/i }).waitFor();
  await phone.restoreNetwork();
  await expect.poll(() => bobsLanguage(phone)).toBe('fr');
  await page.reload();
  await page.locator('html[lang=fr]').waitFor();
});

test('another tab reads on as it began, and gives the language that was chosen meanwhile not back', async () => {
  const { phone, page } = await keepingBoth();
  await follow(page, '/prets');
  await page
    .getByRole('button', { name: /nothing|lend/i })
    .or(page.getByRole('main'))
    .first()
    .waitFor();
  const other = await phone.open('/reglages/compte');
  await other.locator('html[lang=en]').waitFor();
  await other.getByRole('button', { name: /^Language/ }).click();
  await other.getByRole('radio', { name: 'français' }).check();
  await other.getByRole('button', { name: 'Use this language' }).click();
  await other.locator('html[lang=fr]').waitFor();

  await page.bringToFront();
  expect(await languageOf(page)).toBe('en');
  await follow(page, '/aide');
  await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.waitForLoadState('networkidle');
  await other.reload();
  await other.locator('html[lang=fr]').waitFor();
  await page.reload();
  await page.locator('html[lang=fr]').waitFor();
});

test('a device keeps its language if only its cookies, or everything but its cookies, were deleted', async () => {
  const { phone, page } = await keepingBoth(null);
  await phone.untilOfflineReady(page);
  await phone.context.clearCookies();
  await page.reload();
  await page.locator('html[lang=en]').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.cookie), { message: 'noted again' })
    .toContain('langue=en');
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
    localStorage.clear();
  });
  await page.reload();
  await page.locator('html[lang=en]').waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  await page.locator('html[lang=en]').waitFor();
});

test('a reader’s language is on a new device from its first page, and on one in use as soon as nothing is lost', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune' });
  const [untouched, used] = [
    await device(house, { user: 'bob', serviceWorker: true }),
    await device(house, { user: 'bob', serviceWorker: true }),
  ];
  for (const one of [untouched, used]) {
    const page = await one.open();
    await one.untilOfflineReady(page);
    await page.close();
  }
  await chooseEnglish(await (await device(house, { user: 'bob' })).open('/reglages/compte'));

  const fresh = await (await device(house, { user: 'bob' })).open();
  expect(await languageOf(fresh)).toBe('en');

  const gone = await untouched.open();
  await gone.locator('html[lang=en]').waitFor();
  await gone.getByRole('link', { name: 'Dune' }).first().waitFor();
  expect(await gone.title()).toContain('Catalogue');

  // A reader who is typing is not interrupted; the next screen is in their language.
  const { promise: isTyped, resolve: typed } = Promise.withResolvers<null>();
  used.portal.delay = async (path) => path === '/api/moi' && isTyped;
  const typing = await used.open('/livres/ajouter');
  await unfold(typing);
  await typing.getByLabel('Titre', { exact: true }).fill('Désert');
  typed(null);
  await expect
    .poll(() => typing.evaluate(() => document.cookie), { message: 'noted on the device' })
    .toContain('langue=en');
  expect(await typing.getByLabel('Titre', { exact: true }).inputValue()).toBe('Désert');
  await follow(typing, '/prets');
  await typing.locator('html[lang=en]').waitFor();
  await typing.getByRole('heading', { name: 'Loans', level: 1 }).waitFor();
});

test('signing in on a device in another language shows the member’s own language', async () => {
  const house = await householdWithAccounts();
  const own = await device(house, { user: null });
  const claire = await own.open(house.firstPath);
  await acceptInvitation(claire, 'Claire');
  await follow(claire, '/reglages/compte');
  await chooseEnglish(claire);

  const tablet = await device(house, { user: null, serviceWorker: true });
  const page = await tablet.open('/prets');
  await page.getByLabel('Identifiant').fill('claire');
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD);
  const documents: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.request().isNavigationRequest())
      documents.push(response.headers()['content-language']);
  });
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('heading', { name: 'Loans', level: 1 }).waitFor();
  expect(documents).toEqual(['en']);
});

test('the next reader of a device does not get the former reader’s language', async () => {
  const { phone, page } = await keepingBoth('bob');
  phone.portal.user = 'alice';
  await page.goto(phone.portal.url);
  await page.locator('html[lang=fr]').waitFor();
  phone.portal.user = 'bob';
  await page.goto(phone.portal.url);
  await page.locator('html[lang=en]').waitFor();
  await page.getByRole('link', { name: 'Dune' }).first().waitFor();
});

test('the details that the product names are English on a page and in a form, and stay the same data', async () => {
  const house = await household();
  const details = [
    { nom: 'Reliure', valeur: 'cuir' },
    { nom: 'Langue', valeur: 'anglais' },
    { nom: 'Ex-libris', valeur: 'A.' },
  ];
  const { id } = await house.ajouter({ titre: 'Dune', details });
  const page = await (await device(house)).open('/reglages/compte');
  await chooseEnglish(page);
  await follow(page, `/livres/${id}`);
  const main = page.getByRole('main');
  for (const text of ['Binding', 'Language', 'English', 'Ex-libris'])
    await main.getByText(text, { exact: true }).waitFor();
  await follow(page, `/livres/${id}/modifier`);
  const noms = page.getByRole('group', { name: 'Extra details' }).getByLabel('Detail name');
  await expect
    .poll(async () => Promise.all((await noms.all()).map((field) => field.inputValue())))
    .toEqual(['Binding', 'Language', 'Ex-libris']);
  await page.getByRole('button', { name: 'Add a detail' }).click();
  await noms.nth(3).fill('Price');
  await page.getByLabel('Price', { exact: true }).fill('8 €');
  await page.getByRole('button', { name: 'Save' }).click();
  await main.getByText('Price', { exact: true }).waitFor();
  const body = await page.evaluate(async (path) => (await fetch(path)).text(), `/api/livres/${id}`);
  const livre: unknown = JSON.parse(body);
  expect(livre).toMatchObject({ details: [...details, { nom: 'Prix', valeur: '8 €' }] });
});
