import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import type { Livre } from '#shared/livres';
import { addField, unfold } from './support/add.ts';
import { accessibilityFaults, resize } from './support/accessibility.ts';
import { device, SIZES } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { householdKnowingAllCodes, codesOf } from './support/scan-codes.ts';
import { repeatedRequests, deskScanner, householdWithCatalogues } from './support/recherche.ts';
import { blockChanges } from './support/souhaits.ts';

const ONE_RECORD = '9782948012017';
const TWO_EDITIONS = '9782948012024';
const UNKNOWN = '9782948012253';
const OTHER_UNKNOWN = '9782090000009';
const OTHER = '9782948012161';
const OWNED = '9782070408504';
const REVUE = '9772917044002';

/** Forty requests to slow catalogues, on a busy machine. */
const WAIT = { timeout: 120_000 };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const lines = (page: Page) =>
  page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');
const line = (page: Page, text: string) => lines(page).filter({ hasText: text });
/** The summary of the scan session, a link above the form. */
const sum = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const valueOf = (page: Page, label: string) =>
  (label === 'ISBN' ? addField(page) : page.getByLabel(label, { exact: true })).inputValue();
/** The catalogue shows the number of books only for a complete replica. */
const untilWhole = (page: Page) => page.getByText('1 livre', { exact: true }).waitFor();

const untilOnline = async (page: Page) => {
  await expect.poll(() => button(page, "Rechercher l'ISBN").isEnabled()).toBe(true);
};

test('sixty books scanned in haste are sixty books', async () => {
  const { house } = await householdKnowingAllCodes(150);
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const scan = await deskScanner(page);
  const codes = codesOf(60);
  const inForm = async (code = '') => {
    await expect.poll(() => valueOf(page, 'Titre'), WAIT).toBe(`Volume ${code}`);
  };
  for (const code of codes.slice(0, 20)) {
    await scan(code);
    await inForm(code);
  }
  for (const code of codes.slice(20)) {
    await scan(code);
    await pause(200);
  }
  // The catalogues are slower than the scanner: codes that arrive while the form is busy go to the list.
  await page.getByRole('link', { name: /^59 livres cette fois(?!.*en attente)/ }).waitFor(WAIT);
  await expect.poll(() => valueOf(page, 'Titre')).toMatch(/^Volume \d+$/);
  await expect.poll(() => button(page, 'Ajouter').isEnabled()).toBe(true);
  await button(page, 'Ajouter').click();
  await page.getByRole('link', { name: /^60 livres cette fois/ }).waitFor();
  // A code without an answer is added by its ISBN, and gets its title later.
  const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  expect(livres.map(({ isbn }) => isbn).toSorted()).toEqual(codes);
});

test('a part of a listed code gets no line', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const codes = codesOf(4);
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const scan = await deskScanner(page);
  for (const code of codes.slice(0, 3)) await scan(code);
  await sum(page, '2 livres cette fois').waitFor(WAIT);
  await expect.poll(() => valueOf(page, 'Titre')).toMatch(/^Volume \d+$/);
  await button(page, 'Ajouter').click();
  await sum(page, '3 livres cette fois').waitFor();
  await page.getByLabel('ISBN, titre ou auteur').fill(String(codes[0]).slice(0, 12));
  await scan(String(codes[3]));
  await expect.poll(() => valueOf(page, 'Titre')).toBe(`Volume ${String(codes[3])}`);
  await sum(page, '3 livres cette fois').waitFor();
});

test('an incomplete record is one line above the form', async () => {
  const { house, upstream } = await householdWithCatalogues({ delayMs: 100 });
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const phone = await device(house);
  const page = await phone.open();
  // With a complete replica, no code waits for it.
  await untilWhole(page);
  await follow(page, '/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const scan = await deskScanner(page);
  // While the form waits for the first code, the list handles the others.
  const answered = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) => (path.endsWith(ONE_RECORD) ? answered.promise : Promise.resolve());
  for (const code of [ONE_RECORD, TWO_EDITIONS, UNKNOWN, OWNED, ONE_RECORD, REVUE])
    await scan(code);
  const rest = '1 attend son titre, 1 déjà là, 2 à finir';
  await sum(page, `1 livre cette fois, ${rest}`).waitFor();
  answered.resolve(undefined);
  await expect.poll(() => valueOf(page, 'Titre')).toBe('Les travailleurs de la mer');
  await button(page, 'Ajouter').click();
  await sum(page, `2 livres cette fois, ${rest}`).waitFor();
  const unknown = '978-2-948012-25-3';
  expect(await house.titres()).toEqual([unknown, 'Désert', 'Les travailleurs de la mer']);
  expect(repeatedRequests(upstream).filter((path) => !path.includes(UNKNOWN))).toEqual([]);
  expect(await accessibilityFaults(page, '/livres/ajouter: the sum of a scan session')).toEqual([]);

  await sum(page, `2 livres cette fois, ${rest}`).click();
  await page.getByRole('heading', { name: '2 livres ajoutés cette fois.' }).waitFor();
  await button(page, '2 à finir').click();
  await line(page, '2 éditions possibles').getByRole('button', { name: 'choisir' }).click();
  await page.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await line(page, 'Le château des Carpathes').getByText('ajouté').waitFor();
  const revue = line(page, 'Cahiers du rivage');
  await revue.getByRole('link', { name: 'Cahiers du rivage' }).waitFor();
  await revue.getByRole('button', { name: /^Retirer/ }).click();
  await revue.waitFor({ state: 'detached' });
  await button(page, 'Fermer').last().click();
  await button(page, 'Fermer').click();
  await sum(page, '3 livres cette fois, 1 attend son titre, 1 déjà là').waitFor();
});

test('a code that waits for its answer is not unfinished', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const answered = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) => (path.endsWith(OTHER) ? answered.promise : Promise.resolve());
  await follow(page, '/livres/ajouter?scanner=fin');
  const scan = await deskScanner(page);
  await scan(OTHER);
  await button(page, '1 en attente').click();
  await line(page, '978-2-948012-16-1').waitFor();
  await button(page, 'Fermer').last().click();
  answered.resolve(undefined);
  await page.getByRole('heading', { name: 'Un livre ajouté cette fois.' }).waitFor();
});

test('an answer takes no digit of the next code', async () => {
  const { house } = await householdWithCatalogues();
  const answers = [
    ['which selects what is in the field', UNKNOWN, '1 livre cette fois, 1 attend son titre'],
    [
      'which takes the focus to the choice',
      TWO_EDITIONS,
      '1 livre cette fois, 1 attend son titre, 1 déjà là, 1 à finir',
    ],
    [
      'which takes the focus to « Ajouter »',
      ONE_RECORD,
      '2 livres cette fois, 1 attend son titre, 2 déjà là, 1 à finir',
    ],
  ] as const;
  const owned = codesOf(answers.length);
  for (const isbn of owned) await house.ajouter({ titre: `Volume ${isbn}`, isbn });
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const scan = await deskScanner(page);
  const asking = page.getByText('Recherche à la Bibliothèque nationale, puis dans Open Library…');
  for (const [index, [which, code, text]] of answers.entries()) {
    const answer = Promise.withResolvers<null>();
    phone.portal.delay = (path) =>
      path.startsWith('/api/recherche-isbn/') ? answer.promise : Promise.resolve(null);
    await scan(code);
    await asking.waitFor();
    await scan(owned[index] ?? '', async () => {
      answer.resolve(null);
      await asking.waitFor({ state: 'detached' });
      await page.evaluate(() => new Promise(requestAnimationFrame));
    });
    await expect.poll(() => sum(page, text).count(), { message: which }).toBe(1);
    await expect.poll(() => valueOf(page, 'ISBN'), { message: which }).toBe(owned[index]);
    // Wait for this code's own response before the next round delays one.
    await page.getByText('Déjà chez nous').first().waitFor();
    await asking.waitFor({ state: 'detached' });
  }
});

test('a scanned code triggers its screen’s action', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const page = await (await device(house, { size: 'desk' })).open('/');
  await untilWhole(page);
  const scan = await deskScanner(page);
  await page.getByRole('searchbox').focus();
  await scan(OWNED);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await scan(ONE_RECORD);
  await page.getByText(/^Pas dans la bibliothèque\s: 978-2-948012-01-7\.$/).waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(ONE_RECORD);
  await scan(OWNED);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  // The failed code is removed from the search, and the list is complete again.
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  await page.getByRole('link', { name: 'Désert' }).first().waitFor();
  expect(new URL(page.url()).search).toBe('');
  await follow(page, '/prets');
  await page.getByRole('heading', { name: 'Prêts' }).waitFor();
  await scan(ONE_RECORD);
  await button(page, 'Ajouter ce livre').click();
  // The form looks up the code by itself.
  await unfold(page);
  await expect.poll(() => valueOf(page, 'Titre')).toBe('Les travailleurs de la mer');

  // On « Scanner » a desk scanner does the same as the camera.
  await resize(page, SIZES.phone);
  await follow(page, '/livres/ajouter?scanner=verifier');
  await page.getByRole('heading', { name: 'Scanner' }).waitFor();
  await scan(OWNED);
  await line(page, 'Désert').getByText('Déjà chez nous').waitFor();
  await follow(page, '/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  await scan(ONE_RECORD);
  await page.getByRole('heading', { name: 'Les travailleurs de la mer' }).waitFor();
  await page.getByText('ajouté', { exact: true }).waitFor();
  await follow(page, '/livres/ajouter?scanner=fiche');
  await page.getByText(/^Scannez un code\s: la fiche se remplit/).waitFor();
  await scan(OTHER);
  await page.getByRole('heading', { name: "Han d'Islande" }).waitFor();
});

test('an invalid code is reported, and in a dialog a code stays text', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const page = await (await device(house, { size: 'desk' })).open('/');
  await untilWhole(page);
  const scan = await deskScanner(page);
  await scan('9782948012018');
  await page
    .getByText(/^Ce code \(9782948012018\) n’est pas un ISBN/)
    .waitFor({ state: 'attached' });
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Raccourcis du clavier' });
  await dialog.waitFor();
  const address = page.url();
  await scan(OWNED);
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toBe(address);
});

test('a code loses nothing that a person types', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const titre = page.getByLabel('Titre', { exact: true });
  await titre.fill('Astérix ');
  await page.keyboard.press('End');
  await (
    await deskScanner(page)
  )(ONE_RECORD);
  await expect.poll(() => valueOf(page, 'Titre')).toBe(`Astérix ${ONE_RECORD}`);
  expect(await house.titres()).toEqual([]);
  await titre.fill('Astérix');
  await button(page, 'Ajouter').focus();
  await page.keyboard.press('Enter');
  await expectFeedback(page, 'Livre ajouté : Astérix');

  await resize(page, SIZES.phone);
  await page.getByLabel('ISBN').fill(UNKNOWN);
  await titre.fill('Un livre à nous');
  await page.reload();
  await page.getByText(/Brouillon repris/).waitFor();
  await untilOnline(page);
  const selected = () =>
    page.getByLabel('ISBN').evaluate((input) => {
      const { value, selectionStart, selectionEnd } = input as HTMLInputElement;
      return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
    });
  await expect.poll(selected).toBe(UNKNOWN);
  const scan = await deskScanner(page);
  for (const code of [ONE_RECORD, OTHER_UNKNOWN]) await scan(code);
  await sum(page, '2 livres cette fois, 1 attend son titre').waitFor();
  expect(await valueOf(page, 'Titre')).toBe('Un livre à nous');
  expect(await valueOf(page, 'ISBN')).toBe(UNKNOWN);
  const expected = ['978-2-09-000000-9', 'Astérix', 'Les travailleurs de la mer'];
  expect((await house.titres()).sort()).toEqual(expected);
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Un livre à nous');
});

test('a waiting code gives the reason', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Antigone', isbn: UNKNOWN });
  await house.ajouter({ titre: 'Désert', isbn: OWNED });
  const phone = await device(house, { serviceWorker: true });
  const bringCopy = blockChanges(phone);
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const scan = await deskScanner(page);
  // While the form waits for the first code, the list handles the other.
  const answered = Promise.withResolvers<null>();
  const news = phone.portal.delay;
  phone.portal.delay = (path) =>
    path.endsWith(OTHER) ? answered.promise : (news?.(path) ?? Promise.resolve());
  for (const code of [OTHER, UNKNOWN]) await scan(code);
  // Without a replica, the device asks the server whether the household owns a code.
  await sum(page, '1 déjà là').waitFor();
  bringCopy();
  answered.resolve(null);
  await expect.poll(() => valueOf(page, 'Titre')).toBe("Han d'Islande");
  expect(await house.titres()).toEqual(['Antigone', 'Désert']);

  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.getByText(/Hors ligne, dernière mise à jour/).waitFor();
  for (const code of [OWNED, ONE_RECORD, TWO_EDITIONS]) await scan(code);
  await sum(page, '2 déjà là, 2 à finir').waitFor();
  await expect.poll(() => valueOf(page, 'ISBN')).toBe(TWO_EDITIONS);
  await sum(page, '2 déjà là, 2 à finir').click();
  await button(page, '2 à finir').click();
  await line(page, '978-2-948012-01-7').getByText('À rechercher de nouveau').waitFor();
  // Offline no request is possible, and no button offers one.
  expect(await button(page, 'Réessayer').count()).toBe(0);
  await phone.restoreNetwork();
  await line(page, 'Les travailleurs de la mer').getByText('ajouté').waitFor();
});
