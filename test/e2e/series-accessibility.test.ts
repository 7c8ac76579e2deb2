import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterNumero, ajouterRevue, ajouterSerie } from './support/collections.ts';
import { device, SIZES, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

const sizes = Object.keys(SIZES) as (keyof typeof SIZES)[];

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

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(sizes)('series and periodicals, %s', async (size) => {
    const { house, livre, cycle, serie, revue, numero } = await fullHouse();
    const phone = await device(house, { size, theme });
    const page = await phone.open();
    const faults: string[] = [];
    const look = async (where: string) => {
      for (const fault of await accessibilityFaults(page)) faults.push(`${where} ${fault}`);
    };
    const numeroDe = `/revues/${revue.id}/numeros/${numero.id}`;
    const routes = [
      `/series/${cycle.id}`,
      '/series/ajouter',
      '/series/999',
      '/revues',
      '/revues?recherche=comete',
      `/revues/${revue.id}`,
      `/revues/${revue.id}/modifier`,
      `/revues/${revue.id}/numeros/ajouter`,
      numeroDe,
      `${numeroDe}/modifier`,
      '/revues/ajouter',
      '/revues/999',
      `/livres/${livre.id}`,
    ];
    for (const route of routes) {
      await page.goto(phone.portal.url + route);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await look(route);
    }
    await page.goto(`${phone.portal.url}/series`);
    await page.getByRole('button', { name: /Séries de/ }).click();
    await look('unfolded');
    await page.goto(`${phone.portal.url}/series/${serie.id}`);
    await page.getByRole('heading', { name: 'Seconde Fondation' }).waitFor();
    await look('series');
    await page.getByRole('button', { name: 'Changer l’ordre' }).click();
    await page.getByRole('button', { name: 'Monter' }).first().waitFor();
    await look('order');
    await page.goto(`${phone.portal.url}/series/${serie.id}/modifier`);
    await page.getByRole('button', { name: 'Préciser le volume 2' }).click();
    await page.getByRole('combobox', { name: 'Titre du volume 2' }).fill('fond');
    await page.getByRole('option', { name: /Fondation/ }).waitFor();
    await look('form');
    expect(faults).toEqual([]);
  });
});
