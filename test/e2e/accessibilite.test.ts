import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, TAILLES, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

const tailles = Object.keys(TAILLES) as (keyof typeof TAILLES)[];

/** A household that has something to show on every screen, for its reader `alice`. */
async function maisonPleine() {
  const maison = await household();
  const livre = await maison.ajouter({
    titre: 'Désert',
    auteurs: ['J. M. G. Le Clézio'],
    isbn: '9782070408504',
    typeDocument: 'Roman',
  });
  await maison.ajouter({ titre: 'Fondation', format: 'Numerique' });
  await maison.rendre(await maison.preter(livre, 'Sophie'));
  await maison.preter(livre, 'Luc');
  await maison.marquer(livre, 'alice', 1);
  return { maison, livre };
}

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(tailles)('every screen, %s', async (taille) => {
    const { maison, livre } = await maisonPleine();
    const appareil = await device(maison, { taille, theme });
    const page = await appareil.open();
    const faults: string[] = [];
    const look = async (where: string) => {
      for (const fault of await accessibilityFaults(page)) faults.push(`${where} ${fault}`);
    };
    const routes = [
      '/',
      '/?disponibilite=prete',
      '/?recherche=introuvable',
      `/livres/${livre.id}`,
      `/livres/${livre.id}/modifier`,
      '/livres/ajouter',
      '/livres/999',
      '/auteurs',
      `/auteurs/${livre.auteurs[0]?.id ?? 0}`,
      '/prets',
      '/souhaits',
      '/series',
      '/revues',
      '/importer',
      '/a-propos',
      '/nulle-part',
    ];
    for (const route of routes) {
      await page.goto(appareil.portal.url + route);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await look(route);
    }
    await page.goto(appareil.portal.url);
    await page.getByRole('button', { name: /^Filtres/ }).click();
    await look('filters');
    if (taille === 'telephone') {
      await page.getByRole('button', { name: 'Menu' }).click();
      await look('menu');
    }
    expect(faults).toEqual([]);
  });
});
