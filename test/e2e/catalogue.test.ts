import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { chercher, filtrer, ligne, lignes } from './support/catalogue.ts';
import { device, useBrowser } from './support/device.ts';
import { household, type Household } from './support/household.ts';

useBrowser();

async function etagere(): Promise<Household> {
  const maison = await household();
  const desert = await maison.ajouter({
    titre: 'Désert',
    auteurs: ['J. M. G. Le Clézio'],
    typeDocument: 'Roman',
  });
  await maison.ajouter({ titre: 'L’Œuvre au noir', auteurs: ['Marguerite Yourcenar'] });
  const asterix = await maison.ajouter({
    titre: 'Astérix le Gaulois',
    auteurs: ['René Goscinny', 'Albert Uderzo'],
    typeDocument: 'BandeDessinee',
  });
  await maison.ajouter({ titre: 'Fondation', auteurs: ['Isaac Asimov'], format: 'Numerique' });
  await maison.preter(desert, 'Luc');
  await maison.rendre(await maison.preter(asterix, 'Sophie'));
  await maison.marquer(asterix, 'alice', 2);
  await maison.marquer(desert, 'bruno', 2);
  return maison;
}

const montre = (page: Page, ...titres: string[]) =>
  expect.poll(() => lignes(page), { timeout: 10_000 }).toEqual(titres);

test('books stand in title order, with what was chosen for them', async () => {
  const page = await (await device(await etagere())).open();
  await montre(page, 'Astérix le Gaulois', 'Désert', 'Fondation', 'L’Œuvre au noir');
  await ligne(page, 'Désert').getByText('prêté à Luc').waitFor();
  await ligne(page, 'Astérix le Gaulois').getByText('Lu', { exact: true }).waitFor();
  await ligne(page, 'Fondation').getByText('Numérique').waitFor();
  expect(await page.title()).toBe('Catalogue – Rayonnage');
});

test('a search knows neither accents nor order, and stays in the address', async () => {
  const page = await (await device(await etagere())).open();
  await chercher(page, 'NOIR oeuvre');
  await montre(page, 'L’Œuvre au noir');
  await chercher(page, 'clezio');
  await montre(page, 'Désert');
  await page.waitForURL(/recherche=clezio/); // written when the typing pauses
  await page.reload();
  await montre(page, 'Désert');
  await chercher(page, 'rien de tel');
  await page.getByText('Rien ne correspond').waitFor();
});

test('filters narrow the list, count themselves, and are entries of the history', async () => {
  const page = await (await device(await etagere())).open();
  await filtrer(page, 'Disponibilité', 'Prêtés');
  await montre(page, 'Désert');
  await page.getByRole('button', { name: 'Filtres, 1 actif', exact: true }).waitFor();
  await filtrer(page, 'Type', 'Bande dessinée');
  await page.getByRole('button', { name: 'Filtres, 2 actifs', exact: true }).waitFor();
  await page.getByText('Rien ne correspond').waitFor();
  await page.goBack();
  await montre(page, 'Désert');
  await page.goBack();
  await montre(page, 'Astérix le Gaulois', 'Désert', 'Fondation', 'L’Œuvre au noir');
  await filtrer(page, 'Lecture', 'Lu');
  await montre(page, 'Astérix le Gaulois');
});

test('a filter with one value in stock is not shown', async () => {
  const maison = await household();
  await maison.ajouter({ titre: 'Désert' });
  const page = await (await device(maison)).open();
  await page.getByRole('button', { name: 'Filtres' }).click();
  await page.getByRole('group', { name: 'Lecture' }).waitFor();
  for (const groupe of ['Format', 'Type', 'Disponibilité'])
    expect(await page.getByRole('group', { name: groupe }).count()).toBe(0);
});

test('nothing owned yet is a screen of its own, with two ways on', async () => {
  const page = await (await device(await household())).open();
  await page.getByText('Les rayons sont vides').waitFor();
  await page.getByRole('button', { name: 'Importer une liste' }).waitFor();
});

test('an unknown record and an unknown page say so', async () => {
  const page = await (await device(await etagere())).open('/livres/999');
  await page.getByText('Ce livre n’est pas dans la bibliothèque').waitFor();
  await page.goto(new URL('/auteurs/999', page.url()).href);
  await page.getByText('Cet auteur n’est pas dans la bibliothèque').waitFor();
  await page.goto(new URL('/nulle-part', page.url()).href);
  await page.getByText('Cette page n’existe pas').waitFor();
});
