import { expect, test } from 'vitest';
import { searchForBook } from './support/add.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { recordUnannounced, unannounced } from './support/live-regions.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

test('announcements are written into a live region that exists already', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const phone = await device(house);
  await recordUnannounced(phone.context);
  const page = await phone.open('/livres/ajouter');
  await searchForBook(page, 'chateau carpathes');
  await page.getByRole('list', { name: 'Éditions trouvées' }).waitFor();
  expect(await unannounced(page, /Recherche à la Bibliothèque/)).toEqual([]);

  await follow(page, '/souhaits/ajouter');
  await searchForBook(page, '9772917044002');
  await page.getByText('C’est une revue : il ne manque que le numéro.').waitFor();
  await page.getByLabel('Numéro').fill('12');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByLabel('Titre').fill('Cahiers du rivage');
  await page.getByLabel('Numéro').fill('12');
  await page.getByText('Déjà sur votre liste, au rang 1').waitFor();
  expect(await unannounced(page, /C’est une revue|Déjà sur votre liste/)).toEqual([]);

  await follow(page, '/livres/ajouter?scanner=verifier');
  await page.getByRole('heading', { name: 'Scanner' }).waitFor();
  await (
    await deskScanner(page)
  )('9782070408504');
  await page.getByText('Déjà chez nous').waitFor();
  expect(await unannounced(page, /Déjà chez nous/)).toEqual([]);
});
