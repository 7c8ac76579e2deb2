import { expect, test } from 'vitest';
import { faultsInEveryLook } from './support/accessibility.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** Four times thirty screens. */
const LONG_MS = 600_000;

/** A household that has something to show on every screen, for its reader `alice`. */
async function fullHousehold() {
  const house = await household();
  const livre = await house.ajouter({
    titre: 'Désert',
    auteurs: ['J. M. G. Le Clézio'],
    isbn: '9782070408504',
    typeDocument: 'Roman',
  });
  await house.ajouter({ titre: 'Fondation', format: 'Numerique' });
  await house.rendre(await house.preter(livre, 'Sophie'));
  await house.preter(livre, 'Luc');
  await house.setStatut(livre, 'alice', 1);
  for (const titre of ['Zadig', 'Candide'])
    await house.noter('alice', { titre, auteurs: ['Voltaire'], fin: '2019-03', note: 9 });
  await house.noter('alice', {
    livreId: livre.id,
    fin: String(new Date().getFullYear()),
    note: 7,
    avis: 'Du sable.',
  });
  await house.noter('alice', { titre: 'Ulysse', debut: '2018', abandon: true });
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  await rangerLivre(house, livre.id, salon.id);
  for (const titre of ['Ravage', 'Regain']) await house.souhaiter('alice', { titre });
  await house.souhaiterRevue('alice', { titre: 'La Hulotte', numero: '107' });
  return { house, livre };
}

test('every screen, in every look', { timeout: LONG_MS }, async () => {
  const { house, livre } = await fullHousehold();
  const reader = await device(house);
  const page = await reader.open();
  const faults: string[] = [];
  const check = async (where: string) => {
    faults.push(...(await faultsInEveryLook(page, where)));
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
    '/lectures',
    '/lectures/1',
    '/lectures/ajouter',
    '/lectures/annee',
    '/lectures/annee?annee=2001',
    '/series',
    '/rangement',
    '/rangement/1',
    `/rangement/1?livre=${livre.id}`,
    '/rangement/ranger?emplacement=1',
    '/rangement/recolement',
    '/rangement/etiquettes',
    '/revues',
    '/modifications',
    '/modifications?genre=suppressions',
    '/modifications/1',
    '/importer',
    '/a-propos',
    '/a-propos/diagnostic',
    '/reglages',
    '/reglages/compte',
    '/aide',
    '/aide/telephone',
    '/aide/preter',
    '/nulle-part',
  ];
  for (const route of routes) {
    await follow(page, route);
    await check(route);
  }
  await follow(page, '/');
  await page.getByRole('button', { name: /^Filtres/ }).click();
  await check('filters');
  await page.getByRole('button', { name: 'Menu' }).click();
  await check('menu');
  await page.keyboard.press('Escape');
  for (const [path, opener] of [
    ['/souhaits', 'Ravage'],
    ['/reglages', 'Taille du texte'],
    ['/reglages', 'Exporter'],
  ] as const) {
    await follow(page, path);
    await page.getByRole('main').getByRole('button', { name: opener }).first().click();
    await page.getByRole('dialog').waitFor();
    await check(`sheet ${opener}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(faults).toEqual([]);
});
