import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { goodreads } from '../importations/samples.ts';
import { unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow, searchFor } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { household } from './support/household.ts';
import { householdKnowingAllCodes, codesOf } from './support/scan-codes.ts';
import { deskScanner } from './support/recherche.ts';
import { importButton } from './support/importer.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tick = (page: Page) =>
  page.getByRole('checkbox', { name: /^Il était sur ma liste.: l’en retirer/ });

test('adding a wished book removes the wish, and undoing restores it', async () => {
  const house = await household();
  for (const titre of ['Colline', 'Regain'])
    await house.souhaiter('alice', { titre, auteur: 'Jean Giono' });
  await house.souhaiter('bob', { titre: 'Sido', auteur: 'Colette' });
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  const add = async (titre: string, auteur: string) => {
    await page.getByLabel('Titre', { exact: true }).fill(titre);
    await page.getByLabel('Auteurs', { exact: true }).fill(auteur);
  };
  await add('Colline', 'Giono, Jean');
  expect(await tick(page).isChecked()).toBe(true);
  expect(await accessibilityFaults(page, '/livres/ajouter: a book of one’s list')).toEqual([]);
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Colline');
  await expect.poll(() => house.souhaits('alice')).toEqual(['Regain']);
  await undo(page);
  await expect.poll(() => house.souhaits('alice')).toEqual(['Colline', 'Regain']);
  expect(await house.titres()).toEqual([]);

  await page.reload();
  await unfold(page);
  await add('Regain', 'Jean Giono');
  await tick(page).uncheck();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Regain');
  expect(await house.souhaits('alice')).toEqual(['Colline', 'Regain']);

  // Another reader's list is not mentioned.
  await add('Sido', 'Colette');
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Sido');
  expect(await tick(page).count()).toBe(0);
  expect(await house.souhaits('bob')).toEqual(['Sido']);
});

test('an issue that is added leaves the list with it', async () => {
  const house = await household();
  const { revueId } = await house.ajouterNumero('La Hulotte', '106');
  await house.souhaiterRevue('alice', { titre: 'La Hulotte', numero: '107' });
  const page = await (await device(house)).open(`/revues/${revueId}/numeros/ajouter`);
  // The next number is suggested.
  await tick(page).waitFor();
  await button(page, 'Enregistrer').click();
  await expectFeedback(page, /107/);
  const wished = async (): Promise<unknown> => {
    const headers = { SSO_USER: 'alice' };
    return (await fetch(`${house.url}/api/souhaits-revues`, { headers })).json();
  };
  await expect.poll(wished).toEqual([]);
  await undo(page);
  await expect.poll(wished).toMatchObject([{ numero: '107' }]);
});

test('a scan session and an import take theirs off the list by one press', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const [code = ''] = codesOf(1);
  for (const titre of [`Volume ${code}`, 'Colline', 'Regain'])
    await house.souhaiter('alice', { titre });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  await scan(code);
  await page.getByText('1 livre cette fois', { exact: true }).waitFor();
  await button(page, 'Terminer').click();
  await page.getByRole('heading', { name: '1 livre était sur votre liste' }).waitFor();
  await button(page, 'Retirer de ma liste').click();
  await expect.poll(() => house.souhaits('alice')).toEqual(['Colline', 'Regain']);
  await page
    .getByRole('heading', { name: '1 livre était sur votre liste' })
    .waitFor({ state: 'detached' });

  await page.goto(`${new URL(page.url()).origin}/importer`);
  const file = goodreads(
    { 'Book Id': '1', Title: 'Colline', 'Exclusive Shelf': 'read' },
    { 'Book Id': '2', Title: 'Regain', 'Exclusive Shelf': 'read' },
  );
  await page
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name: 'giono.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await button(page, 'Vérifier').click();
  await importButton(page).click();
  await page.getByRole('heading', { name: '2 livres étaient sur votre liste' }).waitFor();
  await tick(page).last().uncheck();
  await button(page, 'Retirer de ma liste').click();
  await expect.poll(() => house.souhaits('alice')).toEqual(['Regain']);
});

test('a search shows in one row that a book is owned and wished for', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Colline', auteurs: ['Jean Giono'] });
  await house.souhaiter('alice', { titre: 'Colline', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Collines', auteur: 'Une autre' });
  const page = await (await device(house)).open();
  await livreRow(page, 'Colline').waitFor();
  await searchFor(page, 'colline');
  const wishes = page.getByRole('region', { name: 'Sur ma liste' });
  await wishes.getByRole('link', { name: 'Collines' }).waitFor();
  expect(await wishes.getByRole('link').count()).toBe(1);
  expect(await livreRow(page, 'Colline').innerText()).toContain('Sur ma liste');
});
