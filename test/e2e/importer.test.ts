import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { goodreads } from '../importations/samples.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow, livreTitles } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { feedback, expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { importButton, importedCount, openFold } from './support/importer.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import type { State } from './support/states.ts';

const ROWS = 2_000;
const PATH = '/importer';
/** Three long writes on a busy machine. */
const LONG = { timeout: 180_000 };

/** Two thousand rows of Goodreads: one owned already, one without a title. */
const largeFile = () =>
  goodreads(
    ...Array.from({ length: ROWS }, (_, index) => ({
      'Book Id': String(index + 1),
      Title: index === 7 ? '' : `Tome ${index + 1} des eaux`,
      Author: `Plume ${index % 90}`,
      'Exclusive Shelf': index < 20 ? 'to-read' : 'read',
    })),
  );

const give = (page: Page, name: string, text: string) =>
  page
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const expectResult = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor({ timeout: 60_000 });

async function expectAccessible(page: Page, state: State) {
  expect(await accessibilityFaults(page, state)).toEqual([]);
}

async function check(page: Page, name: string, text: string): Promise<void> {
  await give(page, name, text);
  await press(page, 'Vérifier');
}

test('a phone imports 2,000 rows and undoes them', LONG, async () => {
  const house = await household();
  await house.ajouter({ titre: 'Tome 5 des eaux', auteurs: ['Plume 4'] });
  const page = await (await device(house)).open(PATH);
  await check(page, 'livres.csv', largeFile());
  // Nineteen of them are unread; no row claims that the household owns more than one copy.
  await importedCount(page, '1 980 livres'.replace(' ', '\u202f'));
  await expectResult(page, '18 souhaits');
  const ask = page.getByRole('group', { name: /^19 livres sont/ });
  expect(await ask.getByRole('radio', { name: 'Souhaits' }).isChecked()).toBe(true);
  await ask.getByRole('radio', { name: 'Ils sont à nous' }).check();
  await importedCount(page, '1 998 livres'.replace(' ', '\u202f'));
  await expectResult(page, '1 est déjà là, 1 est refusé');
  await expectResult(page, 'Goodreads');
  expect(await house.titres()).toEqual(['Tome 5 des eaux']);
  await openFold(page, 'Livre par livre');
  await page.getByRole('button', { name: 'Ignorer Tome 1 des eaux' }).waitFor();
  await expectAccessible(page, '/importer: a dry run');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor({ timeout: 60_000 });
  expect((await house.titres()).length).toBe(ROWS - 1);
  await expectAccessible(page, '/importer: the end');
  await page.reload();
  await importedCount(page, '1 998 livres'.replace(' ', '\u202f'));
  await page.getByRole('list', { name: 'Livres importés' }).getByRole('link').first().waitFor();
  await press(page, 'Annuler cet import');
  await page.getByText('1 998 livres retirés.'.replace(' ', '\u202f')).waitFor({ timeout: 60_000 });
  expect(await house.titres()).toEqual(['Tome 5 des eaux']);
});

test('an import is undone and redone', async () => {
  const house = await household();
  const file = goodreads(
    { 'Book Id': '1', Title: 'Colline', Author: 'Jean Giono' },
    { 'Book Id': '2', Title: 'Regain', Author: 'Jean Giono' },
  );
  const page = await (await device(house)).open(PATH);
  await check(page, 'giono.csv', file);
  await importedCount(page, '2 livres');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await expectFeedback(page, '2 livres importés');
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expectFeedback(page, 'Import annulé, 2 livres retirés');
  await page.getByRole('heading', { name: 'Import annulé' }).waitFor();
  // The link would lead to the current screen.
  expect(await feedback(page).getByRole('link', { name: 'Voir' }).count()).toBe(0);
  await page.getByText('Import annulé : 2 livres retirés').waitFor();
  expect(await house.titres()).toEqual([]);
  await press(page, 'Refaire cet import');
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await importedCount(page, '2 livres');
  expect(await house.titres()).toEqual(['Colline', 'Regain']);
  await press(page, 'Annuler cet import');
  await expectFeedback(page, 'Import annulé, 2 livres retirés');
  await feedback(page)
    .getByRole('button', { name: /^Annuler/ })
    .click();
  await expectFeedback(page, '2 livres importés');
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await expect.poll(() => house.titres()).toEqual(['Colline', 'Regain']);
});

test('a row can be left out by the keyboard', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  const file = goodreads(
    { 'Book Id': '1', Title: 'Regain', Author: 'Jean Giono' },
    { 'Book Id': '2', Title: 'Colline', Author: 'Jean Giono' },
    { 'Book Id': '3', Title: 'Que ma joie demeure', Author: 'Jean Giono' },
  );
  const page = await (await device(house)).open(PATH);
  await check(page, 'giono.csv', file);
  await importedCount(page, '2 livres');
  await openFold(page, 'Livre par livre');
  await page.getByRole('button', { name: 'Ignorer Colline' }).click();
  await importedCount(page, '1 livre');
  await page.getByRole('radio', { name: 'Déjà là' }).check();
  await page.getByRole('button', { name: 'Créer quand même Regain' }).click();
  await page.getByText('2 lignes changées à la main').waitFor();
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  expect(await house.titres()).toEqual(['Que ma joie demeure', 'Regain', 'Regain']);

  await follow(page, PATH);
  const series = goodreads(
    { 'Book Id': '4', Title: 'Un de Baumugnes (Pan, #2)', Author: 'Jean Giono' },
    { 'Book Id': '5', Title: 'Dune (Dune, #1)', Author: 'Frank Herbert' },
    { 'Book Id': '6', Title: 'Colline (Pan, #1)', Author: 'Jean Giono' },
    { 'Book Id': '7', Title: 'Le Messie de Dune (Dune, #2)', Author: 'Frank Herbert' },
    { 'Book Id': '8', Title: 'Ubik (Seul, #1)', Author: 'Philip K. Dick' },
  );
  await check(page, 'series.csv', series);
  await page.getByText('2 séries créées ou complétées').first().waitFor();
  await openFold(page, '2 séries gardées sur 3 reconnues');
  expect(await page.getByRole('checkbox', { name: /^Seul/ }).isChecked()).toBe(false);
  await page.getByRole('checkbox', { name: /^Dune/ }).focus();
  await page.keyboard.press('Space');
  await expectAccessible(page, '/importer: proposed series');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await page.getByText('1 série créée ou complétée').first().waitFor();
  expect(await house.titres()).toEqual([
    'Colline',
    'Dune',
    'Le Messie de Dune',
    'Que ma joie demeure',
    'Regain',
    'Regain',
    'Ubik',
    'Un de Baumugnes',
  ]);
});

test('the ticked tags of a file become themes', async () => {
  const house = await household();
  const file = goodreads(
    { Title: 'Colline', Author: 'Jean Giono', Bookshelves: 'provence, à-vendre' },
    { Title: 'Regain', Author: 'Jean Giono', Bookshelves: 'read, provence' },
  );
  const page = await (await device(house)).open(PATH);
  await check(page, 'giono.csv', file);
  const fold = await openFold(page, /^2 étiquettes deviendront des thèmes/);
  await fold.getByText('provence (2), à-vendre (1)').waitFor();
  await page.getByRole('checkbox', { name: 'à-vendre' }).uncheck();
  await page.getByText('1 étiquette deviendra un thème').waitFor();
  expect(await page.getByText('Bookshelves').count()).toBe(0);
  await expectAccessible(page, '/importer: labels to take as themes');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await page.getByText('Bookshelves').first().waitFor();
  await follow(page, '/themes/provence');
  await page.getByRole('link', { name: 'Regain' }).waitFor();
  await page.getByRole('link', { name: 'Colline' }).waitFor();
  await follow(page, encodeURI('/themes/à-vendre'));
  await page.getByRole('heading', { name: 'Ce thème n’est pas dans la bibliothèque' }).waitFor();
});

test('an unknown table is read by the columns one names', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  const page = await phone.open(PATH);
  await check(page, 'livres.csv', 'PK\u0000\u0001\u0000');
  await page.getByRole('alert').waitFor();
  await check(page, 'vide.csv', '');
  await page.getByText('Ce fichier est vide.').waitFor();

  await check(page, 'inventaire.csv', 'Quoi;Qui\nRegain;Jean Giono\n');
  await page.getByRole('alert').getByText('Ce fichier n’est pas reconnu').waitFor();
  await page.getByLabel('Titre', { exact: true }).selectOption('Quoi');
  await page.getByLabel('Auteurs', { exact: true }).selectOption('Qui');
  await expectAccessible(page, '/importer: columns to choose');
  await press(page, 'Relire le fichier');
  await importedCount(page, '1 livre');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  expect(await house.titres()).toEqual(['Regain']);

  await follow(page, PATH);
  await page.getByLabel('Ou collez des ISBN').fill('978-2-948012-01-7\npas un code\n');
  await page.keyboard.press('Tab');
  await press(page, 'Vérifier');
  await importedCount(page, '1 livre');
  await expectResult(page, '1 est refusé');
  await openFold(page, '1 ligne refusée');
  await page
    .getByText(/ni titre ni ISBN valable/)
    .first()
    .waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Télécharger les refus (CSV)' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^refus-\d+\.csv$/);

  await press(page, 'Fermer');
  await give(page, 'giono.csv', goodreads({ 'Book Id': '1', Title: 'Colline' }));
  await phone.cutNetwork();
  const button = page.getByRole('button', { name: 'Vérifier', exact: true });
  await expect.poll(() => button.isDisabled()).toBe(true);
  expect(await button.getAttribute('aria-describedby')).not.toBeNull();
  await expectAccessible(page, '/importer: without a network');
});

test('the encoding of a file is shown with its lines, and another is chosen by the keyboard', async () => {
  const house = await household();
  const page = await (await device(house)).open(PATH);
  // « Été » and « Zoé » in the encoding of a Macintosh.
  const bytes = Buffer.from('Titre;Auteur\n\x83t\x8e;Zo\x8e\n', 'latin1');
  const file = { name: 'mac.csv', mimeType: 'text/csv', buffer: bytes };
  await page.getByLabel('Fichier', { exact: true }).setInputFiles(file);
  await press(page, 'Vérifier');
  await importedCount(page, '1 livre');
  const lines = page.getByRole('list', { name: 'Lignes du fichier' });
  await lines.getByText('Été · Zoé').waitFor();
  await page.getByText('Encodage\u00a0: Macintosh').waitFor();
  await expectAccessible(page, '/importer: an encoding');
  const select = page.getByLabel('Encodage du fichier');
  await select.focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await lines.getByText('ƒtŽ').waitFor();
  await page.getByText('Encodage\u00a0: Windows, Europe de l’Ouest (1252)').waitFor();
  await page.reload();
  await page.getByLabel('Encodage du fichier').selectOption('Macintosh');
  await press(page, 'Relire ainsi');
  await lines.getByText('Été · Zoé').waitFor();
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  expect(await house.titres()).toEqual(['Été']);
});

test('a chosen file is not shown to another reader', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  const page = await phone.open(PATH);
  await check(page, 'inventaire.csv', 'Quoi;Qui\nRegain;Jean Giono\n');
  await page.getByRole('alert').getByText('Ce fichier n’est pas reconnu').waitFor();
  await page.reload();
  await page.getByLabel('Titre', { exact: true }).waitFor();
  phone.portal.user = 'bob';
  await page.reload();
  // The button is enabled once the reader is known.
  const verifier = page.getByRole('button', { name: 'Vérifier', exact: true });
  await expect.poll(() => verifier.isEnabled()).toBe(true);
  expect(await page.getByLabel('Titre', { exact: true }).count()).toBe(0);

  await page.addInitScript(() =>
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    }),
  );
  await page.reload();
  await check(page, 'giono.csv', goodreads({ 'Book Id': '1', Title: 'Colline' }));
  await importedCount(page, '1 livre');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
});

test('cells without a field become details, which can be renamed', async () => {
  const house = await household();
  const page = await (await device(house)).open(PATH);
  const rows = ['Titre;Langue;Prix;web', 'Colline;français;12 €;https://exemple.fr/1'];
  await check(page, 'maison.csv', rows.join('\n'));
  await openFold(page, '2 colonnes de plus, gardées');
  expect(await page.getByRole('checkbox', { name: 'web' }).isChecked()).toBe(false);
  await page.getByRole('button', { name: /^Changer le nom de .*Prix/ }).click();
  const field = page.getByRole('combobox', { name: /^Sous quel nom garder .*Prix/ });
  await field.fill('Payé');
  await field.press('Enter');
  await page.getByRole('button', { name: /Payé$/ }).waitFor();
  await page.getByRole('checkbox', { name: 'Langue' }).uncheck();
  await expectAccessible(page, '/importer: columns without a field');
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  const livres: unknown = await (await fetch(`${house.url}/api/livres`)).json();
  expect(livres).toMatchObject([{ details: [{ nom: 'Payé', valeur: '12 €' }] }]);
});

test('an import links to exactly its new books, and keeps their dates on demand', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  const file = goodreads(
    { 'Book Id': '1', Title: 'Colline', Author: 'Jean Giono', 'Date Added': '2018/01/02' },
    { 'Book Id': '2', Title: 'Regain', Author: 'Jean Giono', 'Date Added': '2018/01/03' },
    { 'Book Id': '3', Title: 'Un de Baumugnes', Author: 'Jean Giono', 'Date Added': '2018/01/04' },
  );
  const reader = await device(house);
  const page = await reader.open(PATH);
  await check(page, 'giono.csv', file);
  await importedCount(page, '2 livres');
  const days = page.getByRole('group', { name: 'Date d’ajout de 3 livres' });
  await days.getByText('2 janvier 2018 – 4 janvier 2018').waitFor();
  await days.getByRole('radio', { name: 'Aujourd’hui' }).check();
  await days.getByRole('radio', { name: 'Celle du fichier' }).check();
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await house.ajouter({ titre: 'Sido', auteurs: ['Colette'] });
  // Only one primary button per screen.
  expect(await page.getByRole('link', { name: 'Ajouter', exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Voir les 2 livres' }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Colline', 'Un de Baumugnes']);
  const chip = page.getByRole('button', { name: /Import de giono\.csv/ });
  await chip.waitFor();
  expect(await accessibilityFaults(page, '/: the books of an import')).toEqual([]);
  const { pathname, search } = new URL(page.url());
  await page.reload();
  await expect.poll(() => livreTitles(page)).toEqual(['Colline', 'Un de Baumugnes']);

  await page.getByRole('link', { name: 'Colline' }).click();
  await page.getByText('Ajouté le 2 janvier 2018').waitFor();
  await follow(page, '/');
  await expect.poll(() => livreTitles(page)).toContain('Sido');
  await page.reload();
  await livreRow(page, 'Sido').waitFor();
  await reader.cutNetwork();
  await page.getByText('Hors ligne').first().waitFor();
  await follow(page, pathname + search);
  await page.getByText('Les livres de cet import s’afficheront une fois en ligne.').waitFor();
  expect(await livreTitles(page)).toEqual([]);
  await reader.restoreNetwork();
  await expect.poll(() => livreTitles(page)).toEqual(['Colline', 'Un de Baumugnes']);
  await chip.click();
  await expect.poll(() => livreTitles(page)).toContain('Sido');
});
