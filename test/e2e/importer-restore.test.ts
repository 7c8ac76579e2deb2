import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { backupOf, makeHousehold } from '../backup/support.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const choose = (page: Page, name: string, buffer: Buffer) =>
  page
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

/** A file of each kind that a household may have of itself, and the screen's answer to it. */
async function files() {
  const source = await household();
  await source.ajouter({ titre: 'Regain' });
  const exported = await (await fetch(`${source.url}/api/export.zip`)).arrayBuffer();
  return {
    backup: Buffer.from(await backupOf(['Regain'])),
    database: readFileSync(makeHousehold(['Regain']).path),
    archive: Buffer.from(exported),
    list: Buffer.from('Titre;Auteur\nRegain;Jean Giono\n'),
  };
}

const SAYS = {
  backup: 'C’est une sauvegarde de Rayonnage',
  database: 'C’est la base d’une bibliothèque Rayonnage',
} as const;

test('an empty household restores any of its own files', async () => {
  const { backup, database, archive, list } = await files();
  const house = await household();
  const page = await (await device(house)).open('/');
  await button(page, 'Restaurer une sauvegarde').click();
  await page.getByLabel('Fichier', { exact: true }).waitFor();
  for (const [name, buffer] of [
    ['backup', backup],
    ['database', database],
  ] as const) {
    await choose(page, name, buffer);
    await page.getByText(SAYS[name]).waitFor();
    await expect.poll(() => button(page, 'Restaurer').isEnabled(), { message: name }).toBe(true);
    expect(await button(page, 'Vérifier').count(), name).toBe(0);
  }
  // A list and an export are checked like any file: the report says what they lack.
  for (const [name, buffer] of [
    ['liste.csv', list],
    ['export.zip', archive],
  ] as const) {
    await choose(page, name, buffer);
    await button(page, 'Vérifier').waitFor();
  }
  await choose(page, 'backup', backup);
  await button(page, 'Restaurer').click();
  await page.getByRole('heading', { name: 'Bibliothèque restaurée' }).waitFor();
  expect(await house.titres()).toEqual(['Regain']);
  await page.getByRole('link', { name: 'Voir le catalogue' }).click();
  await page.getByRole('link', { name: 'Regain' }).waitFor();
});

test('a household with books explains where to restore a backup, and imports an export', async () => {
  const { backup, database, archive } = await files();
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open('/');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await follow(page, '/importer');
  for (const [name, buffer] of [
    ['backup', backup],
    ['database', database],
  ] as const) {
    await choose(page, name, buffer);
    await page.getByText(SAYS[name]).waitFor();
    await page.getByText(/^Il y a déjà des livres ici/).waitFor();
    expect(await button(page, 'Restaurer').isDisabled(), name).toBe(true);
  }
  expect(await accessibilityFaults(page, '/importer: a backup in a full house')).toEqual([]);
  await choose(page, 'export.zip', archive);
  await button(page, 'Vérifier').click();
  await page.getByRole('button', { name: /^Importer/ }).click();
  await expect.poll(() => house.titres()).toEqual(['Désert', 'Regain']);
});
