import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const SECRET = 'inavouable';

/** The places where a browser has stored a text: databases, storage keys and cached addresses. */
const placesOf = (page: Page, text: string): Promise<string[]> =>
  page.evaluate(async (wanted) => {
    const answered = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      });
    const found: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answered(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows: unknown = await answered(
          database.transaction(store).objectStore(store).getAll(),
        );
        if (JSON.stringify(rows).includes(wanted)) found.push(`database ${name}`);
      }
      database.close();
    }
    for (const storage of [localStorage, sessionStorage])
      for (const [key, value] of Object.entries(storage))
        if (String(value).includes(wanted)) found.push(`note ${key}`);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        if ((await response?.text())?.includes(wanted)) found.push(`cache ${request.url}`);
      }
    }
    return found;
  }, text);

test('readers on one tablet never meet each other’s readings', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  const tablet = await device(house, { serviceWorker: true });
  const page = await tablet.open(`/livres/${livre.id}`);
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  await mine.getByRole('radio', { name: '4 étoiles et demie' }).click();
  await mine.getByRole('button', { name: 'Écrire un avis' }).click();
  await page.getByLabel('Avis').fill(`C’est ${SECRET}.`);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await mine.getByText(SECRET).waitFor();
  // A text is being typed when the reader changes.
  await mine.getByRole('button', { name: 'Modifier la lecture' }).click();
  await page.getByLabel('Avis').fill(`Tout à fait ${SECRET}.`);
  await tablet.untilOfflineReady(page);
  await expect.poll(async () => (await placesOf(page, SECRET)).join()).toContain('database');

  // Without a reload: the server's next response is for another reader.
  tablet.portal.user = 'bruno';
  await house.ajouter({ titre: 'Sido' });
  await page.getByRole('region', { name: 'Mes lectures de ce livre' }).waitFor({ state: 'hidden' });
  expect(await page.content()).not.toContain(SECRET);

  for (const path of [
    '/',
    `/livres/${livre.id}`,
    '/lectures',
    '/lectures/annee',
    '/modifications',
  ]) {
    await page.goto(tablet.portal.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForFunction(() => localStorage.getItem('rayonnage.reader')?.includes('bruno'));
    expect(await page.content(), path).not.toMatch(/inavouable|étoile|Lecture ajoutée/);
  }
  await follow(page, '/lectures');
  await page.getByText('Aucune lecture').first().waitFor();
  // Everything stored for one reader has their identifier in its name.
  const places = await placesOf(page, SECRET);
  expect(places).not.toEqual([]);
  expect(places.filter((place) => !place.includes('alice'))).toEqual([]);
  await expect.poll(async () => (await placesOf(page, 'Sido')).join()).toContain('bruno');

  const phone = await device(house, { user: 'bruno' });
  const other = await phone.open(`/livres/${livre.id}`);
  await other.getByRole('heading', { level: 1, name: 'Dune' }).waitFor();
  await expect.poll(() => placesOf(other, 'Sido')).not.toEqual([]);
  expect(await placesOf(other, SECRET)).toEqual([]);
});
