import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { addField, resultCard } from './support/add.ts';
import { device, useBrowserWith } from './support/device.ts';
import { expectDisabledOffline } from './support/offline.ts';
import { household } from './support/household.ts';
import { deskScanner, householdWithCatalogues, scanByKeyboard } from './support/recherche.ts';
import { blockChanges } from './support/souhaits.ts';

// The tabs run concurrently, each in its own process.
useBrowserWith();

const OWNED = '9782070408504';
const UNOWNED = '9782948012017';

test('a code scanned before the replica is processed later', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open('/livres/ajouter');
  await phone.untilOfflineReady(page);
  const other = await phone.open('/api/moi');
  await phone.cutNetwork();
  await holdStorage(other);
  await page.reload();
  await addField(page).waitFor();
  const scan = await deskScanner(page);
  await scan(OWNED);
  const isbn = addField(page);
  await expect.poll(() => isbn.inputValue()).toBe(OWNED);
  await other.evaluate(() => Reflect.set(globalThis, 'isReleased', true));
  await page.getByText('Déjà chez nous').first().waitFor();
  expect(await isbn.inputValue()).toBe(OWNED);

  await page.getByText(/Hors ligne, dernière mise à jour/).waitFor();
  await expectDisabledOffline(page, ["Rechercher l'ISBN"]);
  await isbn.focus();
  await isbn.selectText();
  await scanByKeyboard(page, UNOWNED);
  await page.getByText('Pas dans la bibliothèque').first().waitFor();
  await page.getByRole('button', { name: 'Noter ce code' }).waitFor();
  expect(await isbn.inputValue()).toBe(UNOWNED);
});

test('a code typed during the first copy is looked up by its Enter alone', async () => {
  const { house, upstream } = await householdWithCatalogues();
  const phone = await device(house);
  const letNewsThrough = blockChanges(phone);
  const page = await phone.open('/livres/ajouter');
  await addField(page).fill(UNOWNED);
  letNewsThrough();
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.startsWith('rayonnage.equal.')),
  );
  expect(upstream.requests).toEqual([]);
  await addField(page).press('Enter');
  await resultCard(page).getByRole('heading', { name: 'Les travailleurs de la mer' }).waitFor();
  expect(await house.titres()).toEqual([]);
});

test('a device without its copy judges no scanned loan', async () => {
  const house = await household();
  await house.preter(await house.ajouter({ titre: 'Désert', isbn: OWNED }), 'Luc');
  const phone = await device(house);
  const letNewsThrough = blockChanges(phone);
  const page = await phone.open('/prets?rendre');
  const button = page.getByRole('button', { name: 'Rendre', exact: true });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await page.getByLabel('ISBN ou titre').focus();
  await scanByKeyboard(page, OWNED);
  const returned = page.getByRole('list', { name: 'Livres rendus' });
  await returned.getByText('La bibliothèque n’est pas encore sur cet appareil').waitFor();
  letNewsThrough();
});

/** Locks the device's databases for all other tabs until the tab's `isReleased` is set. */
const holdStorage = (tab: Page): Promise<void> =>
  tab.evaluate(async () => {
    const hold = (name: string) =>
      new Promise<void>((held) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const { result } = opening;
          const names = [...result.objectStoreNames];
          const [first] = names;
          if (first === undefined) {
            held();
            return;
          }
          const store = result.transaction(names, 'readwrite').objectStore(first);
          const goOn = () => {
            held();
            if (Reflect.get(globalThis, 'isReleased') === true) result.close();
            else store.count().onsuccess = goOn;
          };
          goOn();
        };
      });
    const databases = await indexedDB.databases();
    await Promise.all(databases.map(({ name = '' }) => hold(name)));
  });
