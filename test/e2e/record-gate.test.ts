import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { ajouterEachKind } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** More records than the first page of changes has. */
const FILLERS = 210;

test('a shared link shows the progress of the first replica, then its record before all others have arrived', async () => {
  const house = await household();
  const { paths } = await ajouterEachKind(house);
  // The records under test are in the first page, these partly in later ones.
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
    // Make the next visit a first one.
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

test('a link to a missing record reports it once the replica is complete, and not before', async () => {
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
      // After a timeout the device takes the server for unreachable, and tries again.
      await heading
        .filter({
          hasText:
            /^(?:(?:Ouverture|Téléchargement) de la bibliothèque|Bibliothèque pas encore téléchargée)$/,
        })
        .waitFor();
      return { page, message: heading.filter({ hasText: text }) };
    }),
  );
  release(undefined);
  for (const { page, message } of tabs) {
    await page.bringToFront();
    await message.waitFor();
  }
});

/** The API's path to delete, so that a screen has no record to show. */
const deletedOf = (path: string): string =>
  path.startsWith('/auteurs/')
    ? '/livres/1'
    : path.replace(/^\/revues\/\d+\/numeros/, '/numeros').replace('/rangement', '/emplacements');

test('a link to a deleted record names who deleted it, and can restore it', async () => {
  const house = await household();
  const { paths } = await ajouterEachKind(house);
  const phone = await device(house);
  const page = await phone.open('/prets');
  // A theme is not deleted: it exists as long as a book has it.
  const records = Object.entries(paths).filter(([path]) => !path.startsWith('/themes/'));
  for (const [path, heading] of atLeastOne(records)) {
    const { ok } = await fetch(`${house.url}/api${deletedOf(path)}`, {
      method: 'DELETE',
      headers: { SSO_USER: 'alice' },
    });
    expect(ok, path).toBe(true);
    await follow(page, path);
    const title = page.getByRole('heading', { level: 1 });
    // The title of the deletion also contains the record's name.
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

/**
 * Screens without a record that can be deleted; a list that is no longer shared has its own message
 * (test/e2e/partages.test.ts).
 */
const NO_RECORDS: readonly string[] = ['/aide/[page]', '/modifications/[id]', '/souhaits/de/[id]'];

test('every screen of a record is tested with a deleted record', async () => {
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

test('a link without a replica or a server gives the reason', async () => {
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

test('on a wide screen the replica’s progress is shown once, in place of the list and the book', async () => {
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
