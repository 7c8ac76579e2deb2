import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { livreRow, livreTitles } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { importButton } from './support/importer.ts';

test('a lost household is restored into an empty one from an offline phone’s archive', async () => {
  const house = await household();
  const desert = await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  await house.rendre(await house.preter(desert, 'Luc'));
  await house.preter(desert, 'Jeanne');
  await house.ajouter({ titre: 'Regain' });
  await house.souhaiter('alice', { titre: 'Sido' });
  await house.noter('alice', { titre: 'Ulysse', debut: '2026-03-01' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await livreRow(page, 'Regain').waitFor();
  await phone.untilOfflineReady(page);
  await follow(page, '/reglages/compte');

  await phone.cutNetwork();
  await page.getByRole('button', { name: 'Enregistrer la copie' }).click();
  const sheet = page.getByRole('dialog', { name: 'Enregistrer la copie' });
  const downloading = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Enregistrer la copie' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^rayonnage-copie-\d{4}-\d\d-\d\d\.zip$/);
  await sheet.getByText(/^Fichier prêt\s: 2\slivres,/).waitFor();

  const empty = await household({ DATABASE_PATH: join(temporaryFolder(), 'neuve.sqlite') });
  const other = await (await device(empty)).open('/importer');
  const buffer = await readFile(await file.path());
  await other
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name: file.suggestedFilename(), mimeType: 'application/zip', buffer });
  await other.getByRole('button', { name: 'Vérifier', exact: true }).click();
  await other.getByText(/^cette archive vient de la copie d’un appareil/i).waitFor();
  await importButton(other).click();
  await expect.poll(() => empty.titres()).toEqual(['Désert', 'Regain']);
  await other.getByText(/^cette archive vient de la copie d’un appareil/i).waitFor();
  await follow(other, '/');
  await expect.poll(() => livreTitles(other)).toEqual(['Désert', 'Regain']);
  expect(await empty.lentTitres()).toEqual(['Désert']);
  expect(await empty.souhaits('alice')).toEqual(['Sido']);
  expect(await empty.lectures('alice')).toMatchObject([{ titre: 'Ulysse', debut: '2026-03-01' }]);
});
