import { expect, test } from 'vitest';
import { faultsInEveryLook } from './support/accessibility.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import type { State } from './support/states.ts';

/** Thirty screens in four looks each. */
const LONG_MS = 600_000;

/** A household with content for every screen, read by `alice`. */
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

test('every screen as one comes to it, in every look', { timeout: LONG_MS }, async () => {
  const { house, livre } = await fullHousehold();
  const reader = await device(house);
  const page = await reader.open();
  const faults: string[] = [];
  const look = async (state: State) => {
    faults.push(...(await faultsInEveryLook(page, state)));
  };
  const visited = [
    ['/', '/: as it is'],
    ['/?disponibilite=prete', '/: what is lent'],
    ['/?recherche=introuvable', '/: nothing found'],
    [`/livres/${livre.id}`, '/livres/[id]: as it is'],
    [`/livres/${livre.id}/modifier`, '/livres/[id]/modifier: as it is'],
    ['/livres/ajouter', '/livres/ajouter: as it is'],
    ['/livres/999', '/livres/[id]: none'],
    ['/auteurs', '/auteurs: as it is'],
    [`/auteurs/${livre.auteurs[0]?.id ?? 0}`, '/auteurs/[id]: one book'],
    ['/prets', '/prets: as it is'],
    ['/lectures', '/lectures: as it is'],
    ['/lectures/1', '/lectures/[id]: as it is'],
    ['/lectures/1/modifier', '/lectures/[id]/modifier: as it is'],
    ['/lectures/ajouter', '/lectures/ajouter: as it is'],
    ['/lectures/annee', '/lectures/annee: this year'],
    ['/lectures/annee?annee=2001', '/lectures/annee: a year without readings'],
    ['/series', '/series: none'],
    ['/rangement', '/rangement: as it is'],
    ['/rangement/1', '/rangement/[id]: as it is'],
    [`/rangement/1?livre=${livre.id}`, '/rangement/[id]: a book raised'],
    ['/rangement/ranger?emplacement=1', '/rangement/ranger: as it is'],
    ['/rangement/recolement', '/rangement/recolement: a location to choose'],
    ['/rangement/etiquettes', '/rangement/etiquettes: as it is'],
    ['/revues', '/revues: none'],
    ['/modifications', '/modifications: as it is'],
    ['/modifications/1', '/modifications/[id]: an addition'],
    ['/importer', '/importer: as it is'],
    ['/a-propos', '/a-propos: as it is'],
    ['/a-propos/diagnostic', '/a-propos/diagnostic: as it is'],
    ['/reglages', '/reglages: as it is'],
    ['/reglages/compte', '/reglages/compte: as it is'],
    ['/aide', '/aide: as it is'],
    ['/aide/telephone', '/aide/[page]: on a phone'],
    ['/aide/preter', '/aide/[page]: to lend'],
    ['/nulle-part', 'nowhere: as it is'],
  ] as const;
  for (const [path, state] of visited) {
    await follow(page, path);
    await look(state);
  }
  await follow(page, '/');
  await page.getByRole('button', { name: /^Filtres/ }).click();
  await look('/: the filters');
  await page.getByRole('button', { name: 'Menu' }).click();
  await look('/: the menu');
  await page.keyboard.press('Escape');
  await follow(page, '/reglages');
  for (const [opener, state] of [
    ['Taille du texte', '/reglages: the size of text'],
    ['Exporter', '/reglages: exports'],
  ] as const) {
    await page.getByRole('main').getByRole('button', { name: opener }).first().click();
    await page.getByRole('dialog').waitFor();
    await look(state);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(faults).toEqual([]);
});
