import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { livreRow, livreTitles } from './support/catalogue.ts';
import { device, type Device, SIZES, useBrowserWith } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

// The tabs run concurrently, each in its own process.
useBrowserWith();

test('tabs opened at once on a device share one copy', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  for (let i = 0; i < 30; i++) await house.ajouter({ titre: `Tome ${String(i).padStart(2, '0')}` });
  const computer = await device(house, { user: 'bruno' });
  const tabs = await Promise.all([computer.open(), computer.open(), computer.open('/prets')]);
  const [first, second, third] = tabs;
  for (const tab of [first, second]) await livreRow(tab, 'Tome 00').waitFor();
  const databases = await first.evaluate(async () => {
    const all = await indexedDB.databases();
    return all.map(({ name }) => name).sort();
  });
  expect(new Set(databases).size).toBe(databases.length);
  for (const tab of tabs) await tab.setViewportSize(SIZES.desk);

  const phone = await (await device(house, { user: 'alice' })).open(`/livres/${id}`);
  await phone.getByLabel('Emprunteur').fill('Luc');
  await phone.getByRole('button', { name: 'Prêter' }).click();
  const lent = (tab: Page) => livreRow(tab, 'Désert').getByText('prêté à Luc');
  for (const tab of [first, second]) await lent(tab).waitFor();
  await third.getByRole('link', { name: 'Désert' }).waitFor();

  await third.getByRole('button', { name: /^Rendu.: / }).click();
  for (const tab of [first, second]) await lent(tab).waitFor({ state: 'hidden' });
  await phone.getByRole('button', { name: 'Prêter' }).waitFor();
});

test('a new device asks for each thing only once', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const asked: string[] = [];
  const firstPage = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) => {
    if (path.startsWith('/api/')) asked.push(path);
    if (path.startsWith('/api/replication?')) firstPage.resolve(undefined);
    return path === '/api/moi' ? firstPage.promise : Promise.resolve();
  };
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  const FIRST = '/api/replication?limite=200&modifications=false';
  expect(asked.slice(0, 2).sort()).toEqual(['/api/moi', FIRST]);
  for (const titre of ['Regain', 'Colline', 'Sido']) {
    await house.ajouter({ titre });
    await livreRow(page, titre).waitFor();
  }
  const once = ['/api/bibliotheque', '/api/moi', FIRST, '/api/version'];
  expect(asked.filter((path) => once.includes(path)).sort()).toEqual(once);
});

test('a replica deleted by the browser is reported', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(
      ([key, note]) => key.includes('copy|') && /"inUse":\d/.test(String(note)),
    ),
  );
  const BLANK = `${phone.portal.url}/blank.txt`;
  await page.route(BLANK, (route) => route.fulfill({ contentType: 'text/plain', body: '' }));
  await page.goto(BLANK);
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
  await page.goto(`${phone.portal.url}/`);
  await livreRow(page, 'Désert').waitFor();
  await page
    .getByRole('status')
    .getByText('Le navigateur a effacé tout ce que cet appareil gardait')
    .waitFor();
});

test('no stored value of one person is painted for another', async () => {
  const house = await household();
  const desert = await house.ajouter({ titre: 'Désert' });
  await house.setStatut(desert, 'alice', 2);
  const phone = await device(house, { user: 'alice', serviceWorker: true });
  const page = await phone.open('/?statut=2');
  await livreRow(page, 'Désert').getByText('Lu', { exact: true }).waitFor();
  await phone.untilOfflineReady(page);

  phone.portal.user = 'bruno';
  const painted: string[] = [];
  await page.exposeFunction('tellPainted', (text: string) => void painted.push(text));
  await page.addInitScript(() => {
    const tell = Reflect.get(globalThis, 'tellPainted') as (text: string) => void;
    new MutationObserver(() => {
      const rows = document.querySelectorAll<HTMLElement>('[aria-label=Livres] [role=listitem]');
      for (const row of rows) tell(row.innerText);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto(`${phone.portal.url}/`);
  await livreRow(page, 'Désert').waitFor();
  await page.goto(`${phone.portal.url}/?statut=2`);
  await page.getByText('Aucun résultat').waitFor();
  expect(painted.length).toBeGreaterThan(0);
  expect(painted.filter((text) => /\bLu\b/.test(text))).toEqual([]);

  phone.portal.user = 'alice';
  await page.goto(`${phone.portal.url}/?statut=2`);
  await expect.poll(() => livreTitles(page)).toEqual(['Désert']);

  const versions = async () => {
    const names = await page.evaluate(() => caches.keys());
    return names.flatMap((name) => /^rayonnage-([0-9a-f]{16}0?)\|fr$/.exec(name)?.[1] ?? []).sort();
  };
  const [oldest = ''] = await versions();
  phone.portal.rewriteWorker = (script) => script.replaceAll(oldest, `${oldest}0`);
  await page.reload();
  const button = page.getByRole('button', { name: 'Nouvelle version, recharger' }).first();
  await button.waitFor();
  expect(await versions()).toEqual([oldest, `${oldest}0`]);
  await Promise.all([page.waitForEvent('load'), button.click()]);
  await expect.poll(versions).toEqual([`${oldest}0`]);
  await livreRow(page, 'Désert').waitFor();
});

test('« Nouvelle version » works on a device’s first visit, and fetches the changed files only', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await phone.untilOfflineReady(page);
  const versions = async () => {
    const names = await page.evaluate(() => caches.keys());
    return names.flatMap((name) => /^rayonnage-([0-9a-f]{16}0?)\|fr$/.exec(name)?.[1] ?? []).sort();
  };
  const [oldest = ''] = await versions();
  phone.portal.rewriteWorker = (script) => script.replaceAll(oldest, `${oldest}0`);
  // Files named by their hash stay cached; remove one, as if its screen had changed.
  const changed = await page.evaluate(async () => {
    const [name = ''] = await caches.keys();
    const cache = await caches.open(name);
    const file = (await cache.keys()).find(({ url }) => /immutable.*\.js$/.test(url));
    if (file !== undefined) await cache.delete(file);
    return file === undefined ? '' : new URL(file.url).pathname;
  });
  const asked: string[] = [];
  phone.portal.breaks = (_, path) => {
    if (path.startsWith('/_app/immutable/')) asked.push(path);
    return false;
  };
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const button = page.getByRole('button', { name: 'Nouvelle version, recharger' }).first();
  await button.waitFor();
  expect(asked).toEqual([changed]);
  await Promise.all([page.waitForEvent('load'), button.click()]);
  await expect.poll(versions).toEqual([`${oldest}0`]);
  await livreRow(page, 'Désert').waitFor();
});

/** On a first visit a page of 1.0.0 or before does not notice that another version has taken over. */
async function asBefore(phone: Device, word: string): Promise<void> {
  await phone.context.addInitScript((accepted) => {
    type Method = (...given: unknown[]) => void;
    const listen = Reflect.get(EventTarget.prototype, 'addEventListener') as Method;
    const post = Reflect.get(ServiceWorker.prototype, 'postMessage') as Method;
    ServiceWorkerContainer.prototype.addEventListener = () => undefined;
    ServiceWorker.prototype.addEventListener = function (...listening: unknown[]) {
      if (this.state !== 'installed') Reflect.apply(listen, this, listening);
    };
    ServiceWorker.prototype.postMessage = function (...sent: unknown[]) {
      Reflect.apply(post, this, sent[0] === 'takeOver' ? [accepted] : sent);
    };
  }, word);
}

test.each([
  ['1.0.0', 'takeOver'],
  ['0.1.0', 'prendreLaMain'],
])('« Nouvelle version » loads a first visit by %s anew', async (_, word) => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  await asBefore(phone, word);
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await phone.untilOfflineReady(page);
  // The list of files goes the same way.
  phone.portal.rewriteWorker = (text) => (text.startsWith('{') ? text : `${text}\n// Newer`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const button = page.getByRole('button', { name: 'Nouvelle version, recharger' }).first();
  await button.waitFor();
  await Promise.all([page.waitForEvent('load'), button.click()]);
  await livreRow(page, 'Désert').waitFor();
  expect(await button.count()).toBe(0);
});

test('without an identity personal acts say why they are missing', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { user: null })).open();
  await livreRow(page, 'Désert').waitFor();
  await follow(page, `/livres/${id}`);
  await page.getByText(/Rayonnage ne sait pas qui vous êtes/).waitFor();
  await page.getByRole('link', { name: /Que faire/ }).click();
  await page.getByRole('heading', { name: 'Choisir qui lit' }).waitFor();
});

test('a page that keeps a copy leaves the console empty', async () => {
  const house = await household();
  const page = await (await device(house, { serviceWorker: true })).open();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.reload();
  await house.ajouter({ titre: 'Désert' });
  await livreRow(page, 'Désert').waitFor();
  expect(messages).toEqual([]);
});

test('the tab that is left keeps the application', async () => {
  const house = await household();
  for (let i = 0; i < 300; i++) await house.ajouter({ titre: `Tome ${String(i)}` });
  const phone = await device(house, { serviceWorker: true });
  // A slow line.
  phone.portal.delay = (path) =>
    path.startsWith('/api/replication?')
      ? new Promise((resolve) => setTimeout(resolve, 2_000))
      : Promise.resolve();
  const [page, leading] = [await phone.open(), await phone.open()];
  await livreRow(leading, 'Tome 0').waitFor();
  await leading.close();
  await page.getByText('300 livres', { exact: true }).waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  await page.getByText('300 livres', { exact: true }).waitFor();
});
