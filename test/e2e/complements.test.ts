import { expect, test } from 'vitest';
import { table } from '../importations/samples.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { importButton } from './support/importer.ts';

const FILE = table(
  ['Titre', 'Auteurs', 'ISBN'],
  [
    { Titre: 'Les travailleurs de la mer', Auteurs: 'Victor Hugo', ISBN: '9782948012017' },
    { Titre: 'Un tout autre livre', Auteurs: 'Jules Verne', ISBN: '9782948012024' },
  ],
);

test('the findings of catalogues after an import are accepted by keyboard', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/importer');
  await page
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name: 'livres.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await page.getByRole('button', { name: 'Vérifier', exact: true }).click();
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  await page.getByRole('link', { name: 'Compléter les livres importés' }).click();
  await page.getByRole('heading', { name: 'À compléter' }).waitFor();
  await page.getByText('2 livres à compléter.').waitFor();
  await page.getByText('Autre titre dans le catalogue : « Le château des Carpathes ».').waitFor();
  expect(await accessibilityFaults(page, '/importer/a-completer: offers')).toEqual([]);
  await page.getByRole('button', { name: 'Tout accepter' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 livre à compléter.').waitFor();
  await page.getByRole('button', { name: 'Ignorer Un tout autre livre' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Rien à compléter pour l’instant.').waitFor();
  await follow(page, '/');
  await page.getByRole('link', { name: /Les travailleurs de la mer/ }).click();
  await page.getByText('Les Presses du phare').first().waitFor();
});

test('an empty library takes another’s export', async () => {
  const source = await household();
  await source.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  const about = await (await device(source)).open('/reglages');
  await about.getByRole('button', { name: 'Sauvegardes' }).click();
  await about.getByText('Aucune pour l’instant.').waitFor();
  await about.getByRole('button', { name: 'Fermer' }).click();
  await about.getByRole('button', { name: 'Exporter' }).click();
  const downloading = about.waitForEvent('download');
  await about.getByRole('button', { name: 'Tout exporter (zip)' }).click();
  const file = await (await downloading).path();
  const house = await household();
  const page = await (await device(house)).open('/');
  await page.getByRole('button', { name: 'Restaurer une sauvegarde' }).click();
  await page.getByRole('heading', { name: 'Importer une liste' }).waitFor();
  await page.getByLabel('Fichier', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Vérifier', exact: true }).click();
  await page.getByRole('button', { name: 'Importer 1 livre' }).waitFor();
  expect(await accessibilityFaults(page, '/importer: an export in an empty house')).toEqual([]);
  await page.getByRole('button', { name: 'Importer 1 livre' }).click();
  await expect.poll(() => house.titres()).toEqual(['Regain']);
  await follow(page, '/');
  await page.getByRole('link', { name: /Regain/ }).waitFor();
});

test('the findings that a person asked for appear without a reload', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Les travailleurs de la mer', isbn: '9782948012017' });
  const page = await (await device(house)).open('/importer/a-completer');
  await page.getByText('Rien à compléter pour l’instant.').waitFor();
  await page.getByRole('button', { name: 'Chercher ce qui manque' }).click();
  await page.getByText('1 livre à compléter.').waitFor();
});

test('offline the list of books to complete gives the reason of its absence', async () => {
  const phone = await device(await household(), { serviceWorker: true });
  const page = await phone.open();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.goto(`${phone.portal.url}/importer/a-completer`);
  await page.getByRole('heading', { name: 'À compléter' }).waitFor();
  await page.getByText('La liste s’affichera dès que le serveur répondra').waitFor();
});
