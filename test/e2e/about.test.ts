import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { errorBody } from '#server/plumbing/common/error-body';
import { Refusal } from '#shared/refusals';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** The value beside a term of the region « État de la copie ». */
const value = (page: Page, term: string) =>
  page
    .getByRole('region', { name: 'État de la copie' })
    .locator('dl > div')
    .filter({ has: page.getByText(term, { exact: true }) })
    .getByRole('definition');

test('the about page shows the replica’s state and renews it', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone', auteurs: ['Jean Anouilh'] });
  const reader = await device(house);
  const page = await reader.open('/a-propos');
  await page.getByText(/^Le manuel est dans «\sAide\s»\.$/).waitFor();
  await value(page, 'Enregistrements').getByText('Livres : 1').waitFor();
  await value(page, 'Enregistrements').getByText('Auteurs : 1').waitFor();
  await expect.poll(() => value(page, 'Révision').innerText()).toMatch(/^\d+$/);
  await expect.poll(() => value(page, 'Taille').innerText()).toMatch(/\d\s(ko|Mo)$/);
  await expect.poll(() => value(page, 'Stockage persistant').innerText()).toMatch(/^(Oui|Non)/);

  await page.getByRole('button', { name: 'Reprendre une copie neuve' }).click();
  await value(page, 'Enregistrements').getByText('Livres : 1').waitFor();
  await page.getByRole('link', { name: 'Catalogue' }).first().click();
  await page.getByRole('link', { name: 'Antigone' }).waitFor();

  await follow(page, '/a-propos/diagnostic');
  await page.getByText('Répond et enregistre.').waitFor();
  await follow(page, '/');
  const refusal = new Refusal('BASE_EN_LECTURE_SEULE');
  await page.route('**/api/sante', (route) =>
    route.fulfill({ status: refusal.status, json: errorBody(refusal, 'fr') }),
  );
  await follow(page, '/a-propos/diagnostic');
  await page.getByText(/^Le serveur ne peut plus écrire dans sa base/).waitFor();
});

test('the about page gives the source of the service, and distinguishes the server’s build from the screen’s', async () => {
  const reader = await device(await household());
  const page = await reader.open('/a-propos');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Code source' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('source.tar.gz');
  expect(await page.getByText('rayonnage.example').count()).toBe(0);

  // Another build than the server's is told.
  const another = page.getByText(/^Le serveur a une autre version/);
  const versions = page.getByText('Version de développement');
  await page.getByText('La même', { exact: true }).waitFor();
  expect(await versions.count(), 'told once').toBe(1);
  expect(await another.count()).toBe(0);
  await page.route('**/api/version', async (route) => {
    const answer = await route.fetch();
    const version = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...version, construction: 'f'.repeat(40) } });
  });
  await page.reload();
  await another.waitFor();
  expect(await versions.count(), 'on the screen and on the server').toBe(2);
  await page.getByRole('button', { name: 'Recharger' }).waitFor();
});

test('exports work online, and say offline why not', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone' });
  const reader = await device(house);
  const page = await reader.open('/reglages');
  const openExports = async () => {
    await page.getByRole('button', { name: 'Exporter' }).click();
    await page.getByText('Autres formats').click();
  };
  await openExports();
  const names = ['Tout exporter (zip)', 'CSV', 'Goodreads', 'BibTeX', 'RIS'];
  for (const name of names) {
    const address = await page.getByRole('button', { name, exact: true }).getAttribute('href');
    const answer = await page.request.get(`${reader.portal.url}${address ?? '/none'}`);
    expect([name, answer.ok()]).toEqual([name, true]);
  }
  await page.getByRole('button', { name: 'Fermer' }).click();
  await follow(page, '/a-propos');
  await value(page, 'Enregistrements').getByText('Livres : 1').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await reader.cutNetwork();
  const button = page.getByRole('button', { name: 'Reprendre une copie neuve' });
  await page.getByText('Téléchargement possible en ligne seulement.').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await value(page, 'Enregistrements').getByText('Livres : 1').waitFor();
  expect(asked.length).toBeLessThan(20);

  await follow(page, '/reglages');
  await openExports();
  await page.getByText('Export possible en ligne seulement').first().waitFor();
  for (const name of names)
    expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
});

test('an address without HTTPS is reported with the missing features', async () => {
  const reader = await device(await household());
  await reader.context.addInitScript(() =>
    Object.defineProperty(globalThis, 'isSecureContext', { value: false }),
  );
  const page = await reader.open('/a-propos');
  const insecure = page.getByRole('region', { name: 'Cette connexion n’est pas sûre' });
  await insecure.getByText(/^En http, le navigateur ne peut rien garder/).waitFor();
});

test('a browser that stores nothing is reported with its error', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone' });
  const reader = await device(house);
  // Like Firefox with all site data blocked.
  await reader.context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'indexedDB', 'BroadcastChannel'])
      Object.defineProperty(globalThis, name, { get: refuse });
    // The initial blank page is no secure context; in Firefox it lacks `navigator.locks`.
    if (!isSecureContext) return;
    Object.defineProperty(navigator.locks, 'request', {
      value: () => Promise.reject(new DOMException('not allowed', 'SecurityError')),
    });
  });
  const page = await reader.open('/a-propos');
  await page.getByText('Le navigateur refuse de garder les données de ce site').waitFor();
  await value(page, 'Enregistrements').getByText('Livres : 1').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Réglages' }).click();
  await page.getByRole('link', { name: 'Diagnostic' }).click();
  await page.getByText(/erreurs surmontées$/).waitFor();
  await page.getByRole('link', { name: 'Catalogue' }).first().click();
  await page.getByText('1 livre', { exact: true }).waitFor();
});

test('a blocked renewal reports its cause and since when', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone' });
  const reader = await device(house);
  const page = await reader.open('/a-propos');
  await expect.poll(() => value(page, 'Révision').innerText()).toMatch(/^\d+$/);
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  reader.portal.delay = (path) =>
    path.startsWith('/api/replication') ? released : Promise.resolve();
  await page.getByRole('button', { name: 'Reprendre une copie neuve' }).click();
  const progress = page.getByText(/^Téléchargement\s: /);
  await progress.waitFor();
  await page.reload();
  await progress.waitFor();
  await reader.cutNetwork();
  release(undefined);
  const sentence = /Interrompu depuis .* le serveur ne répond pas/;
  await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  await reader.restoreNetwork();
  await progress.waitFor({ state: 'hidden' });
});

test('a first visit knows its version before its copy', async () => {
  const house = await household();
  const phone = await device(house);
  phone.portal.delay = (path) =>
    path.startsWith('/api/replication') ? new Promise(() => undefined) : Promise.resolve();
  const page = await phone.open('/a-propos');
  const fact = (term: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(term, { exact: true }) })
      .getByRole('definition');
  await fact('Version du serveur').getByText('La même').waitFor();
  await fact('Version à l’écran').getByText('Version de développement').waitFor();
  await fact('Vous êtes').getByText('alice').waitFor();
});

test('a proxy that buffers the event stream is reported, and changes arrive nevertheless', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone' });
  const reader = await device(house);
  reader.portal.holdsStreams = true;
  const page = await reader.open('/a-propos');
  await value(page, 'Nouvelles du serveur').getByText('un proxy retient').waitFor();
  await house.ajouter({ titre: 'Électre' });
  await value(page, 'Enregistrements').getByText('Livres : 2').waitFor();
});
