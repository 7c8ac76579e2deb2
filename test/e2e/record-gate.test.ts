import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { ajouterEachKind } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** As many records as the first page of changes has, and some. */
const FILLERS = 210;

test('a shared link shows how the first copy stands, then its record before all others have come', async () => {
  const house = await household();
  const { paths } = await ajouterEachKind(house);
  // The first page of changes has all that are shown, and not all of these.
  for (let nth = 0; nth < FILLERS; nth++) await house.ajouter({ titre: `Livre ${nth}` });
  const phone = await device(house);
  let firstPage = Promise.withResolvers<undefined>();
  let otherPages = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) => {
    if (!path.startsWith('/api/replication?')) return Promise.resolve();
    return path.includes('revision=') ? otherPages.promise : firstPage.promise;
  };
  const page = await phone.context.newPage();
  for (const [path, heading] of Object.entries(paths)) {
    firstPage = Promise.withResolvers();
    otherPages = Promise.withResolvers();
    await page.goto(phone.portal.url + path);
    const states = page.getByRole('heading', { level: 1 });
    await states.filter({ hasText: /^(?:Ouverture|Téléchargement) de la bibliothèque$/ }).waitFor();
    firstPage.resolve(undefined);
    await states.filter({ hasText: heading }).waitFor();
    const filling = page.getByText('Téléchargement en cours : cette page se complète.');
    await filling.waitFor();
    otherPages.resolve(undefined);
    await filling.waitFor({ state: 'hidden' });
    await states.filter({ hasText: heading }).waitFor();
    // The next visit is a first one again.
    await page.goto('about:blank');
    await phone.context.clearCookies();
    await forgetSite(phone.portal.url);
  }

  async function forgetSite(origin: string) {
    const session = await phone.context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.detach();
  }
});

test('a link to a record that is not there says so once the copy is whole, and not before', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) =>
    path.startsWith('/api/replication?') ? released : Promise.resolve();
  const states: Readonly<Record<string, string>> = {
    '/livres/999': 'Ce livre n’est pas dans la bibliothèque',
    '/auteurs/999': 'Cet auteur n’est pas dans la bibliothèque',
    '/themes/rien': 'Ce thème n’est pas dans la bibliothèque',
    '/series/999': 'Cette série n’est pas dans la bibliothèque',
    '/modifications/999': 'Modification introuvable',
  };
  const tabs = await Promise.all(
    Object.entries(states).map(async ([path, text]) => {
      const page = await phone.open(path);
      const heading = page.getByRole('heading', { level: 1 });
      // A device that has waited too long takes the service for out of reach, and asks again.
      await heading
        .filter({
          hasText:
            /^(?:(?:Ouverture|Téléchargement) de la bibliothèque|Bibliothèque pas encore téléchargée)$/,
        })
        .waitFor();
      return { page, said: heading.filter({ hasText: text }) };
    }),
  );
  release(undefined);
  for (const { page, said } of tabs) {
    await page.bringToFront();
    await said.waitFor();
  }
});

/** What the API deletes for the screen of a path to have nothing to show. */
const deletedOf = (path: string): string =>
  path.startsWith('/auteurs/')
    ? '/livres/1'
    : path.replace(/^\/revues\/\d+\/numeros/, '/numeros').replace('/rangement', '/emplacements');

test('a link to a record that was deleted says who did it, and gives it back', async () => {
  const house = await household();
  const { paths } = await ajouterEachKind(house);
  const phone = await device(house);
  const page = await phone.open('/prets');
  // No act deletes a theme: it is there as long as a book has it.
  const records = Object.entries(paths).filter(([path]) => !path.startsWith('/themes/'));
  for (const [path, heading] of atLeastOne(records)) {
    const { ok } = await fetch(`${house.url}/api${deletedOf(path)}`, {
      method: 'DELETE',
      headers: { SSO_USER: 'alice' },
    });
    expect(ok, path).toBe(true);
    await follow(page, path);
    const title = page.getByRole('heading', { level: 1 });
    // The name of the record stands in what was done to it, too.
    const act = title.filter({ hasText: /supprim|retir/i });
    await act.waitFor();
    await expect
      .poll(() => page.title(), { message: path })
      .toMatch(/^(?:Ce(?:t|tte)? .+ n’est pas|(?:Lecture|Liste ou recherche) introuvable)/);
    await page
      .getByRole('main')
      .getByText(/^(?:alice, )?\d+(?:er)? \p{L}+ \d{4} à /u)
      .waitFor();
    await page.getByRole('button', { name: 'Rétablir' }).click();
    await act.waitFor({ state: 'detached' });
    await title.filter({ hasText: heading }).waitFor();
  }
});

/** What nobody deletes; a list that is not shown any more says so by itself (test/e2e/partages.test.ts). */
const NO_RECORDS: readonly string[] = ['/aide/[page]', '/modifications/[id]', '/souhaits/de/[id]'];

test('every screen of a record is asked how it shows what is deleted', async () => {
  const { paths } = await ajouterEachKind(await household());
  const routes = globSync('src/routes/**/+page.svelte')
    .map((path) => path.replaceAll(/^src\/routes|\/\([^)]+\)|\/\+page\.svelte$/g, ''))
    .filter((route) => route.endsWith(']'))
    .filter((route) => !NO_RECORDS.includes(route));
  const asked = Object.keys(paths).map((path) =>
    routes.find((route) => new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[^/]+')}$`).test(path)),
  );
  expect(asked.sort()).toEqual(routes.sort());
});

test('a link without a copy nor a server says why nothing is shown', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  phone.portal.breaks = (_, path) => path.startsWith('/api/');
  const page = await phone.open(`/livres/${livre.id}`);
  await page
    .getByRole('heading', { level: 1, name: 'Bibliothèque pas encore téléchargée' })
    .waitFor();
  await expect.poll(() => page.title()).toMatch(/^Bibliothèque pas encore téléchargée/);
  phone.portal.breaks = null;
  await page.getByRole('heading', { level: 1, name: 'Désert' }).waitFor();
});

test('a link on a wide screen says once how the copy stands, in place of the list and the book', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { size: 'desk' });
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) =>
    path.startsWith('/api/replication?') ? released : Promise.resolve();
  phone.portal.breaks = (_, path) => path.startsWith('/api/');
  const page = await phone.open(`/livres/${livre.id}`);
  for (const text of ['Bibliothèque pas encore téléchargée', 'Téléchargement de la bibliothèque']) {
    await page.getByRole('heading', { level: 1, name: text }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: text }).count()).toBe(1);
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${text}`));
    phone.portal.breaks = null;
  }
  release(undefined);
  await page.getByRole('heading', { level: 1, name: 'Désert' }).waitFor();
});
