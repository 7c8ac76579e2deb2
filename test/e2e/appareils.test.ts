import { expect, test } from 'vitest';
import { ligne, lignes } from './support/catalogue.ts';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

test('a change on one device shows on the other, and in its second tab', async () => {
  const maison = await household();
  const { id } = await maison.ajouter({ titre: 'Désert' });
  const telephone = await (await device(maison, { user: 'alice' })).open(`/livres/${id}`);
  const ordinateur = await device(maison, { user: 'bruno', taille: 'bureau' });
  const [premier, second] = [await ordinateur.open('/'), await ordinateur.open('/prets')];
  await ligne(premier, 'Désert').waitFor();
  await telephone.getByLabel('Emprunteur').fill('Luc');
  await telephone.getByRole('button', { name: 'Prêter' }).click();
  await ligne(premier, 'Désert').getByText('prêté à Luc').waitFor();
  await second.getByRole('link', { name: 'Désert' }).waitFor();

  await second.getByRole('button', { name: 'Rendre' }).click();
  await ligne(premier, 'Désert').getByText('prêté à Luc').waitFor({ state: 'hidden' });
  await telephone.getByRole('button', { name: 'Prêter' }).waitFor();
});

test('two tabs open at once on a new device share one copy', async () => {
  const maison = await household();
  for (let i = 0; i < 30; i++)
    await maison.ajouter({ titre: `Tome ${String(i).padStart(2, '0')}` });
  const appareil = await device(maison);
  const onglets = await Promise.all([appareil.open(), appareil.open(), appareil.open('/auteurs')]);
  for (const onglet of onglets.slice(0, 2)) await ligne(onglet, 'Tome 00').waitFor();
  const databases = await onglets[0].evaluate(async () => {
    const all = await indexedDB.databases();
    return all.map(({ name }) => name).sort();
  });
  expect(new Set(databases).size).toBe(databases.length);
  await maison.ajouter({ titre: 'Tome 000' });
  for (const onglet of onglets.slice(0, 2)) await ligne(onglet, 'Tome 000').waitFor();
});

test('two people on one device: nothing of the one is ever painted for the other', async () => {
  const maison = await household();
  const desert = await maison.ajouter({ titre: 'Désert' });
  await maison.marquer(desert, 'alice', 2);
  const appareil = await device(maison, { user: 'alice' });
  const page = await appareil.open('/?statut=2');
  await ligne(page, 'Désert').getByText('Lu', { exact: true }).waitFor();
  await appareil.untilOfflineReady(page);

  appareil.portal.user = 'bruno';
  const painted: string[] = [];
  await page.exposeFunction('tellPainted', (texte: string) => void painted.push(texte));
  await page.addInitScript(() => {
    const tell = Reflect.get(globalThis, 'tellPainted') as (texte: string) => void;
    new MutationObserver(() => {
      const rows = document.querySelectorAll<HTMLElement>('[aria-label=Livres] [role=listitem]');
      for (const row of rows) tell(row.innerText);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto(`${appareil.portal.url}/`);
  await ligne(page, 'Désert').waitFor();
  await page.goto(`${appareil.portal.url}/?statut=2`);
  await page.getByText('Rien ne correspond').waitFor();
  expect(painted.length).toBeGreaterThan(0);
  expect(painted.filter((texte) => /\bLu\b/.test(texte))).toEqual([]);

  appareil.portal.user = 'alice';
  await page.goto(`${appareil.portal.url}/?statut=2`);
  await expect.poll(() => lignes(page)).toEqual(['Désert']);
});

test('without an identity the catalogue reads, and what is personal says why it is not there', async () => {
  const maison = await household();
  const { id } = await maison.ajouter({ titre: 'Désert' });
  const appareil = await device(maison, { user: null });
  const page = await appareil.open();
  await ligne(page, 'Désert').waitFor();
  await page.goto(`${appareil.portal.url}/livres/${id}`);
  await page.getByText(/rien ne dit qui vous êtes/).waitFor();
});

test('a new version waits for a word of the reader', async () => {
  const maison = await household();
  await maison.ajouter({ titre: 'Désert' });
  const appareil = await device(maison);
  const page = await appareil.open();
  await ligne(page, 'Désert').waitFor();
  await appareil.untilOfflineReady(page);
  const versions = async () => {
    const names = await page.evaluate(() => caches.keys());
    return names.flatMap((name) => /^rayonnage-(\d+)$/.exec(name)?.[1] ?? []).sort();
  };
  const [ancienne = ''] = await versions();
  appareil.portal.rewriteWorker = (script) => script.replaceAll(ancienne, `${ancienne}0`);
  await page.reload();
  const bouton = page.getByRole('button', { name: 'Nouvelle version, recharger' }).first();
  await bouton.waitFor();
  expect(await versions()).toEqual([ancienne, `${ancienne}0`]);
  await Promise.all([page.waitForEvent('load'), bouton.click()]);
  await expect.poll(versions, { timeout: 20_000 }).toEqual([`${ancienne}0`]);
  await ligne(page, 'Désert').waitFor();
});
