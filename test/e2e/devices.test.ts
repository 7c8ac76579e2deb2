import { expect, test } from 'vitest';
import { livreRow, livreTitles } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

test('a change on one device shows on the other, and in its second tab', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await (await device(house, { user: 'alice' })).open(`/livres/${id}`);
  const computer = await device(house, { user: 'bruno', size: 'desk' });
  const [first, second] = [await computer.open('/'), await computer.open('/prets')];
  await livreRow(first, 'Désert').waitFor();
  await phone.getByLabel('Emprunteur').fill('Luc');
  await phone.getByRole('button', { name: 'Prêter' }).click();
  await livreRow(first, 'Désert').getByText('prêté à Luc').waitFor();
  await second.getByRole('link', { name: 'Désert' }).waitFor();

  await second.getByRole('button', { name: 'Rendre' }).click();
  await livreRow(first, 'Désert').getByText('prêté à Luc').waitFor({ state: 'hidden' });
  await phone.getByRole('button', { name: 'Prêter' }).waitFor();
});

test('a new device asks for its first books while it is asked who reads, and once', async () => {
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
  expect(asked.filter((path) => path === FIRST)).toHaveLength(1);
});

test('two tabs open at once on a new device share one copy', async () => {
  const house = await household();
  for (let i = 0; i < 30; i++) await house.ajouter({ titre: `Tome ${String(i).padStart(2, '0')}` });
  const phone = await device(house);
  const tabs = await Promise.all([phone.open(), phone.open(), phone.open('/auteurs')]);
  for (const tab of tabs.slice(0, 2)) await livreRow(tab, 'Tome 00').waitFor();
  const databases = await tabs[0].evaluate(async () => {
    const all = await indexedDB.databases();
    return all.map(({ name }) => name).sort();
  });
  expect(new Set(databases).size).toBe(databases.length);
  await house.ajouter({ titre: 'Tome 000' });
  for (const tab of tabs.slice(0, 2)) await livreRow(tab, 'Tome 000').waitFor();
});

test('two people on one device: nothing of the one is ever painted for the other', async () => {
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
});

test('without an identity the catalogue reads, and what is personal says why it is not there', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { user: null });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await page.goto(`${phone.portal.url}/livres/${id}`);
  await page.getByText(/rien ne dit qui vous êtes/).waitFor();
});

test('a new version waits for a word of the reader', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await phone.untilOfflineReady(page);
  const versions = async () => {
    const names = await page.evaluate(() => caches.keys());
    return names.flatMap((name) => /^rayonnage-(\d+)$/.exec(name)?.[1] ?? []).sort();
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

test('a visit asks the server for each thing once, however much others write meanwhile', async () => {
  const house = await household();
  const phone = await device(house);
  const asked: string[] = [];
  phone.context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const page = await phone.open();
  for (const titre of ['Désert', 'Regain', 'Colline', 'Sido']) {
    await house.ajouter({ titre });
    await livreRow(page, titre).waitFor();
  }
  const once = ['/api/bibliotheque', '/api/moi', '/api/version'];
  expect(asked.filter((path) => once.includes(path)).sort()).toEqual(once);
});
