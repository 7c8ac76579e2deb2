import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { unfoldFields } from './support/add.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

const FIRST = ['ISBN', 'Titre', 'Auteurs', 'Éditeur', 'Année'];
const FOLDED = ['Format', 'Type de document', 'Série', 'Numéro', 'Emprunté à'];

const shown = async (page: Page, labels: readonly string[]): Promise<string[]> => {
  const all = await Promise.all(
    labels.map(async (label) => [label, await page.getByLabel(label, { exact: true }).isVisible()]),
  );
  return all.flatMap(([label, isShown]) => (isShown === true ? [String(label)] : []));
};

test('a book’s form hides empty fields behind a button', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert', nombrePages: 440, themes: ['Sable'] });
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Nombre de pages').waitFor();
  await page.getByRole('combobox', { name: 'Thèmes' }).waitFor();
  expect(await shown(page, FIRST)).toEqual(FIRST);
  expect(await shown(page, FOLDED)).toEqual([]);
  await page
    .getByText(
      'Autres champs : format, type de document, lien vers une image, série, livre emprunté',
      { exact: true },
    )
    .waitFor();
  expect(await accessibilityFaults(page, '/livres/[id]/modifier: folded')).toEqual([]);
  await unfoldFields(page);
  expect(await shown(page, FOLDED)).toEqual(FOLDED);
  await page.getByLabel('Format', { exact: true }).selectOption('Numérique');
  // Typed text stays visible.
  await unfoldFields(page);
  await expect.poll(() => shown(page, ['Format'])).toEqual(['Format']);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await page.getByLabel('Format', { exact: true }).waitFor();
  expect(await shown(page, FOLDED)).toEqual(['Format']);
});

test('a folded field is in sight once somebody has written into it', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(id)}`);
  await page.getByRole('button', { name: 'Changer la couverture' }).click();
  await page.getByRole('button', { name: 'Lien vers une image' }).click();
  const link = page.getByLabel('Adresse de la couverture');
  await expect.poll(() => link.evaluate((e) => e === document.activeElement)).toBe(true);
  await page.getByLabel('Titre', { exact: true }).fill('Désert, roman');
  await page.getByText(/Autres champs/).click();
  expect(await link.isVisible()).toBe(false);
  const written = { titre: 'Désert', format: 'Physique', typeDocument: 'Roman' };
  const answer = await fetch(`${house.url}/api/livres/${String(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(written),
  });
  expect(answer.ok).toBe(true);
  await page.getByRole('combobox', { name: 'Type de document' }).waitFor();
});
