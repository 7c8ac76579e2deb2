import { expect, test } from 'vitest';
import { faultsInEveryLook } from './support/accessibility.ts';
import { ajouterNumero, ajouterRevue, ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import type { State } from './support/states.ts';

/** Seventeen screens in four looks each. */
const LONG_MS = 600_000;

async function fullHouse() {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Fondation', auteurs: ['Isaac Asimov'] });
  const cycle = await ajouterSerie(house, { titre: 'Robots et empires' });
  const serie = await ajouterSerie(house, {
    titre: 'Fondation',
    parentId: cycle.id,
    places: [
      { titre: 'Fondation', numero: '1', livreId: livre.id },
      { titre: 'Fondation et Empire', numero: '2' },
      { titre: 'Seconde Fondation', numero: '3' },
    ],
  });
  const revue = await ajouterRevue(house, { titre: 'Pour la Science', issn: '0153-4092' });
  const numero = await ajouterNumero(house, revue, {
    numero: '560',
    date: '2026-11',
    une: 'L’origine de l’eau',
    resume: 'Un dossier.',
    themes: ['géologie'],
    articles: ['Les comètes'],
  });
  return { house, livre, cycle, serie, revue, numero };
}

test('series and periodicals, in every look', { timeout: LONG_MS }, async () => {
  const { house, cycle, serie, revue, numero } = await fullHouse();
  const phone = await device(house);
  const page = await phone.open();
  const faults: string[] = [];
  const look = async (state: State) => {
    faults.push(...(await faultsInEveryLook(page, state)));
  };
  const numeroDe = `/revues/${revue.id}/numeros/${numero.id}`;
  const visited = [
    [`/series/${cycle.id}`, '/series/[id]: a cycle'],
    ['/series/ajouter', '/series/ajouter: as it is'],
    ['/series/999', '/series/[id]: none'],
    ['/revues?recherche=comete', '/revues: a search'],
    [`/revues/${revue.id}`, '/revues/[id]: as it is'],
    [`/revues/${revue.id}/modifier`, '/revues/[id]/modifier: as it is'],
    [`/revues/${revue.id}/numeros/ajouter`, '/revues/[id]/numeros/ajouter: as it is'],
    [numeroDe, '/revues/[id]/numeros/[numero]: as it is'],
    [`${numeroDe}/modifier`, '/revues/[id]/numeros/[numero]/modifier: as it is'],
    ['/revues/ajouter', '/revues/ajouter: as it is'],
    ['/revues/999', '/revues/[id]: none'],
  ] as const;
  for (const [path, state] of visited) {
    await follow(page, path);
    await look(state);
  }
  await follow(page, '/series');
  await page.getByRole('button', { name: /Séries de/ }).click();
  await look('/series: unfolded');
  await follow(page, `/series/${serie.id}`);
  await page.getByRole('heading', { name: 'Seconde Fondation' }).waitFor();
  await look('/series/[id]: missing volumes');
  await page.getByRole('button', { name: 'Changer l’ordre' }).click();
  await page.getByRole('button', { name: 'Monter' }).first().waitFor();
  await look('/series/[id]: an order to change');
  await follow(page, `/series/${serie.id}/modifier`);
  await page.getByRole('button', { name: 'Préciser le volume 2' }).click();
  await page.getByRole('combobox', { name: 'Titre du volume 2' }).fill('fond');
  await page.getByRole('option', { name: /Fondation/ }).waitFor();
  await look('/series/[id]/modifier: a title being filled');
  expect(faults).toEqual([]);
});
