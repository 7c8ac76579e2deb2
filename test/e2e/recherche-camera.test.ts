import type { Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { backOfBook } from '../support/ean13.ts';
import { png } from '../support/png.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, useBrowser } from './support/device.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { videoOf } from './support/video.ts';

const UN_SEUL = '9782948012017';
const DEUX_EDITIONS = '9782948012024';
const A_LA_MAISON = '9782070408504';
const REVUE = '9772917044002';

const video = videoOf([UN_SEUL, DEUX_EDITIONS, A_LA_MAISON, REVUE]);
afterAll(() => video.remove());
useBrowser(video.args);

const lignes = (page: Page) => page.getByRole('list', { name: 'Codes lus' }).getByRole('listitem');
const ligne = (page: Page, texte: string) => lignes(page).filter({ hasText: texte });

test('the camera reads a code into the form', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open('/livres/ajouter');
  await page.getByLabel('Titre').fill('Un titre que je tiens à garder');
  await page.getByRole('button', { name: 'Scanner' }).click();
  await page.getByRole('heading', { name: 'Scanner' }).waitFor();
  await page.getByRole('region', { name: /^Recherche 97/ }).waitFor();
  expect(await page.getByLabel('ISBN').inputValue()).toMatch(/^97\d{11}$/);
  expect(await page.getByLabel('Titre').inputValue()).toBe('Un titre que je tiens à garder');
  expect(new URL(page.url()).search).toBe('');
});

test('a whole shelf: each code once, with what became of it', async () => {
  const { maison, amont } = await householdWithCatalogues();
  await maison.ajouter({ titre: 'Désert', isbn: A_LA_MAISON });
  const page = await (await device(maison)).open('/livres/ajouter?scanner=etagere');
  await ligne(page, 'Les travailleurs de la mer').getByText('ajouté').waitFor();
  await ligne(page, 'Désert').getByText('déjà chez vous').waitFor();
  await ligne(page, 'Cahiers du rivage').getByText('revue', { exact: true }).waitFor();
  await ligne(page, '2 éditions possibles').getByRole('button', { name: 'choisir' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await ligne(page, 'Le château des Carpathes').getByText('ajouté').waitFor();

  // Each book comes round again: the camera sees its code, and nothing more happens.
  const vu = page.getByText('978-2-948012-01-7');
  const demandes = amont.demandes.length;
  await vu.waitFor();
  await page.getByText('978-2-07-040850-4').waitFor();
  await vu.waitFor();
  expect(amont.demandes).toHaveLength(demandes);
  expect(await lignes(page).count()).toBe(4);
  expect(await maison.titres()).toEqual([
    'Désert',
    'Le château des Carpathes',
    'Les travailleurs de la mer',
  ]);

  await page.getByRole('button', { name: 'Retirer « Les travailleurs de la mer »' }).click();
  await ligne(page, '978-2-948012-01-7').getByText('retiré').waitFor();
  expect(await maison.titres()).not.toContain('Les travailleurs de la mer');
});

test('in a bookshop without a network, each code is owned, wished for, or not', async () => {
  const { maison } = await householdWithCatalogues();
  await maison.ajouter({ titre: 'Désert', isbn: A_LA_MAISON });
  await maison.souhaiter('alice', { titre: 'Les travailleurs de la mer', isbn: UN_SEUL });
  const appareil = await device(maison);
  const page = await appareil.open('/livres/ajouter?scanner=verifier');
  // What reads the codes is kept on the device from its first use on.
  await ligne(page, '978-2-948012-01-7').waitFor();
  await appareil.untilOfflineReady(page);
  await page.reload();
  await ligne(page, '978-2-948012-01-7').waitFor();
  await appareil.cutNetwork();
  await page.goto(`${appareil.portal.url}/livres/ajouter?scanner`);
  await ligne(page, 'Désert').getByText('Déjà dans la bibliothèque').waitFor();
  await ligne(page, '978-2-948012-01-7').getByText('Pas dans la bibliothèque').waitFor();
  await ligne(page, '978-2-948012-01-7').getByText('Sur votre liste d’envies').waitFor();
  const usage = page.getByRole('radio', { name: 'Ajoute le livre' });
  expect(await usage.isDisabled()).toBe(true);
  expect(await maison.titres()).toEqual(['Désert']);
});

test('the camera stops when the scanner is left', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open('/livres/ajouter?scanner=verifier');
  await lignes(page).first().waitFor();
  const piste = await page.evaluateHandle(() => {
    const flux = document.querySelector('video')?.srcObject;
    return flux instanceof MediaStream ? flux.getVideoTracks()[0] : undefined;
  });
  expect(await piste.evaluate((une) => une?.readyState)).toBe('live');
  await page.getByRole('button', { name: 'Revenir à la fiche' }).click();
  await page.getByLabel('ISBN').waitFor();
  expect(await piste.evaluate((une) => une?.readyState)).toBe('ended');
});

test('where the camera is refused the screen says so, and a photo does', async () => {
  const { maison } = await householdWithCatalogues();
  const appareil = await device(maison);
  await appareil.context.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  const page = await appareil.open('/livres/ajouter?scanner=etagere');
  await page.getByText(/L’accès à la caméra est refusé/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const photo = page.getByLabel('Photo d’un code');
  const envoyer = (code: string | null) =>
    photo.setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: png(backOfBook(code)),
    });
  await envoyer(null);
  await page.getByText(/Aucun code lisible sur cette photo/).waitFor();
  await envoyer(UN_SEUL);
  await ligne(page, 'Les travailleurs de la mer').getByText('ajouté').waitFor();
});
