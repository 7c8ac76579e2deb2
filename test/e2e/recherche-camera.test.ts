import type { Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { backOfBook } from '../support/ean13.ts';
import { png } from '../support/png.ts';
import { unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, SIZES, useBrowserWith } from './support/device.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { blockChanges } from './support/souhaits.ts';
import { videoOf } from './support/video.ts';

const ONE_RECORD = '9782948012017';
const TWO_EDITIONS = '9782948012024';
const OWNED = '9782070408504';
const REVUE = '9772917044002';

const video = videoOf([ONE_RECORD, TWO_EDITIONS, OWNED, REVUE]);
afterAll(() => video.remove());
useBrowserWith({ args: video.args });

const codeRows = (page: Page) =>
  page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');
const codeRow = (page: Page, text: string) => codeRows(page).filter({ hasText: text });

test('the camera reads a code into the form', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Un titre que je tiens à garder');
  await page.getByRole('button', { name: 'Scanner' }).click();
  await page.getByRole('heading', { name: 'Scanner' }).waitFor();
  await page.getByRole('region', { name: /^Recherche 97/ }).waitFor();
  expect(await page.getByLabel('ISBN').inputValue()).toMatch(/^97\d{11}$/);
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe(
    'Un titre que je tiens à garder',
  );
  expect(new URL(page.url()).search).toBe('');
});

test('the camera reports each code of a shelf once', async () => {
  const { house, upstream } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const phone = await device(house);
  const letNewsThrough = blockChanges(phone);
  const page = await phone.open('/livres/ajouter?scanner=etagere');
  letNewsThrough();
  await page.getByText('1 livre cette fois', { exact: true }).waitFor();
  await page.getByText('1 déjà là, 2 à finir', { exact: true }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  const below = () => document.documentElement.scrollHeight - innerHeight;
  // « Terminer » is visible on the narrowest phone.
  await expect.poll(() => page.evaluate(below)).toBe(0);
  await page.setViewportSize(SIZES.phone);
  // The video repeats: each book is recognised again, without effect.
  const shown = (name: string) => page.getByRole('heading', { name, level: 2 });
  await shown('Désert').waitFor();
  await page.getByText('déjà chez vous', { exact: true }).waitFor();
  await shown('2 éditions possibles').waitFor();
  await page.getByRole('button', { name: /cette fois/ }).click();
  await codeRow(page, 'Les travailleurs de la mer').getByText('ajouté').waitFor();
  await codeRow(page, 'Désert').getByText('déjà dans la bibliothèque').waitFor();
  await codeRow(page, 'Cahiers du rivage').getByText('revue', { exact: true }).waitFor();
  await codeRow(page, '2 éditions possibles').getByRole('button', { name: 'choisir' }).click();
  expect(await accessibilityFaults(page, '/livres/ajouter: an edition to choose')).toEqual([]);
  await page.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await codeRow(page, 'Le château des Carpathes').getByText('ajouté').waitFor();
  expect(await codeRows(page).count()).toBe(4);
  await page.getByRole('button', { name: 'Fermer' }).click();

  const requests = upstream.requests.length;
  await shown('Les travailleurs de la mer').waitFor();
  await shown('Désert').waitFor();
  await shown('Les travailleurs de la mer').waitFor();
  expect(upstream.requests).toHaveLength(requests);
  expect(await house.titres()).toEqual([
    'Désert',
    'Le château des Carpathes',
    'Les travailleurs de la mer',
  ]);

  await page.getByRole('button', { name: /cette fois/ }).click();
  await page.getByRole('button', { name: 'Retirer « Les travailleurs de la mer »' }).click();
  await codeRow(page, '978-2-948012-01-7').getByText('retiré').waitFor();
  expect(await house.titres()).not.toContain('Les travailleurs de la mer');
});

test('offline each code is owned, wished for, or not', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  await house.souhaiter('alice', { titre: 'Les travailleurs de la mer', isbn: ONE_RECORD });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await phone.untilOfflineReady(page);
  // The code reader is cached from its first use on.
  await page.goto(`${phone.portal.url}/livres/ajouter?scanner=verifier`);
  await codeRow(page, '978-2-948012-01-7').waitFor();
  await phone.cutNetwork();
  await page.goto(`${phone.portal.url}/livres/ajouter?scanner`);
  await codeRow(page, 'Désert').getByText('Déjà chez nous').waitFor();
  await codeRow(page, '978-2-948012-01-7').getByText('Pas dans la bibliothèque').waitFor();
  await codeRow(page, '978-2-948012-01-7')
    .getByText('Sur ma liste Les travailleurs de la mer')
    .waitFor();
  // The form is not filled offline, and gives the reason.
  await page
    .getByText(/Vous pouvez vérifier un code, pas ajouter un livre/)
    .first()
    .waitFor();
  expect(await house.titres()).toEqual(['Désert']);
});

test('in a bookshop a scanned book is put on the wish list', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const revue = await fetch(`${house.url}/api/revues/numeros`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      revue: { titre: 'Cahiers du rivage', issn: '2917-0443' },
      numero: { numero: '12' },
    }),
  });
  expect(revue.ok).toBe(true);
  const page = await (await device(house)).open('/');
  await page.getByRole('link', { name: 'Vérifier un code-barres' }).click();
  const wanted = codeRow(page, '978-2-948012-01-7');
  await wanted.getByText('Pas dans la bibliothèque').waitFor();
  await wanted.getByText('Les travailleurs de la mer').waitFor();
  await wanted.getByText('Victor Hugo').waitFor();
  await wanted.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await wanted.getByRole('link', { name: 'Les travailleurs de la mer' }).waitFor();
  expect(await house.souhaits('alice')).toEqual(['Les travailleurs de la mer']);

  const magazine = codeRow(page, 'ISSN 2917-0443');
  await magazine.getByText('« Cahiers du rivage » est dans la bibliothèque').waitFor();
  await magazine.getByLabel('Numéro').fill('12');
  await magazine.getByText('Le numéro 12 est dans la bibliothèque.').waitFor();
  await magazine.getByLabel('Numéro').fill('13');
  await magazine.getByText('Le numéro 13 n’y est pas.').waitFor();
  expect(await accessibilityFaults(page, '/livres/ajouter: an issue that the house lacks')).toEqual(
    [],
  );
  const track = await page.evaluateHandle(() => {
    const stream = document.querySelector('video')?.srcObject;
    return stream instanceof MediaStream ? stream.getVideoTracks()[0] : undefined;
  });
  expect(await track.evaluate((it) => it?.readyState)).toBe('live');
  await page.getByRole('button', { name: 'Retour au catalogue' }).click();
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  expect(await track.evaluate((it) => it?.readyState)).toBe('ended');
});

test('a photograph replaces a camera that is refused', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    // In Firefox the initial blank page lacks `mediaDevices`.
    if (!('mediaDevices' in navigator)) return;
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  const page = await phone.open('/livres/ajouter?scanner=etagere');
  await page.getByText(/Accès à la caméra refusé/).waitFor();
  expect(await accessibilityFaults(page, '/livres/ajouter: no camera')).toEqual([]);
  const photo = page.getByLabel('Photo d’un code');
  const send = (code: string | null) =>
    photo.setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: png(backOfBook(code)),
    });
  await send(null);
  await page.getByText(/Aucun code lisible/).waitFor();
  await send(OWNED);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.getByText('déjà chez vous', { exact: true }).waitFor();
  await send(ONE_RECORD);
  await page.getByRole('heading', { name: 'Les travailleurs de la mer' }).waitFor();
  await page.getByText('ajouté', { exact: true }).waitFor();
});
