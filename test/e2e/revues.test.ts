import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ajouterNumero, ajouterRevue, lireNumeros } from './support/collections.ts';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

const enregistrer = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

test('a periodical and its first issue come in at once, then the next under the next number', async () => {
  const maison = await household();
  const page = await (await device(maison)).open('/revues');
  await page.getByText('Pas encore de revues').waitFor();
  await page.getByRole('button', { name: 'Nouvelle revue' }).click();
  await page.getByLabel('Titre', { exact: true }).fill('Pour la Science');
  await page.getByLabel('ISSN').fill('0153 4092');
  await page.getByLabel('Numéro', { exact: true }).fill('412');
  await page.getByLabel('Date').fill('novembre 2026');
  await page.getByRole('combobox', { name: 'Thèmes' }).fill('Astronomie;');
  await page.getByLabel('Articles').fill('Pluton, la déchue ; Mars, et après; Vénus');
  await enregistrer(page);
  await page.getByRole('link', { name: 'N° 412' }).waitFor();

  await page.getByRole('button', { name: 'Ajouter un numéro' }).click();
  await expect.poll(() => page.getByLabel('Numéro', { exact: true }).inputValue()).toBe('413');
  const themes = page.getByRole('combobox', { name: 'Thèmes' });
  await themes.pressSequentially('astro');
  await page.getByRole('option', { name: /Astronomie/ }).click();
  await themes.pressSequentially('ASTRONOMIE');
  await themes.press('Enter');
  await page.getByLabel('À la une').fill('Les poulpes');
  await enregistrer(page);
  await page.getByRole('link', { name: 'N° 413' }).waitFor();

  const [revue] = (await (await fetch(`${maison.url}/api/revues`)).json()) as [
    { id: number; titre: string; issn: string },
  ];
  expect(revue.issn).toBe('0153-4092');
  const numeros = await lireNumeros(maison, revue);
  expect(numeros.map(({ numero, date, themes: t }) => [numero, date, t])).toEqual([
    ['412', '2026-11', ['Astronomie']],
    ['413', null, ['Astronomie']],
  ]);
  expect(numeros[0]?.articles).toEqual(['Pluton, la déchue', 'Mars, et après', 'Vénus']);
});

test('a scanned code leads to the issue form, of a known periodical or of a new one', async () => {
  const maison = await household();
  const revue = await ajouterRevue(maison, { titre: 'La Hulotte', issn: '0337-2154' });
  await ajouterNumero(maison, revue, { numero: 'HS 3' });
  const page = await (await device(maison)).open('/revues/ajouter?issn=0337-2154&titre=Hulotte');
  await page.waitForURL(new RegExp(`/revues/${String(revue.id)}/numeros/ajouter$`));
  await expect.poll(() => page.getByLabel('Numéro', { exact: true }).inputValue()).toBe('HS 4');

  const issn = '0153-4092';
  await page.goto(new URL(`/revues/ajouter?issn=${issn}&titre=Pour+la+Science`, page.url()).href);
  await expect
    .poll(() => page.getByLabel('Titre', { exact: true }).inputValue())
    .toBe('Pour la Science');
  expect(await page.getByLabel('ISSN').inputValue()).toBe(issn);
  await page.getByLabel('Numéro', { exact: true }).fill('560');
  await enregistrer(page);
  await page.getByRole('link', { name: 'N° 560' }).waitFor();
});

test('what is wrong is said at its field, and nothing is half written', async () => {
  const maison = await household();
  const revue = await ajouterRevue(maison, { titre: 'La Hulotte' });
  await ajouterNumero(maison, revue, { numero: '12' });
  const page = await (await device(maison)).open('/revues/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('Une autre');
  await page.getByLabel('ISSN').fill('0337-2155');
  await enregistrer(page);
  await page.getByText('Ce n’est pas un ISSN').waitFor();
  await page.getByLabel('Titre', { exact: true }).fill('la hulotte');
  await page.getByLabel('ISSN').fill('');
  await page.getByText(/est déjà dans la maison/).waitFor();
  const numero = page.getByLabel('Numéro', { exact: true });
  await expect.poll(() => numero.inputValue()).toBe('13');
  await numero.fill('12');
  await page.getByLabel('Articles').fill(' ; ; ');
  await page.getByLabel('Date').fill('bientôt');
  await enregistrer(page);
  await page.getByText('Il n’y a aucun titre entre ces points-virgules.').waitFor();
  await page.getByText(/Un jour, un mois ou une année/).waitFor();
  await page.getByLabel('Articles').fill('');
  await page.getByLabel('Date').fill('');
  await enregistrer(page);
  await page.getByText('Cette revue a déjà un numéro 12.').waitFor();
  expect(await numero.getAttribute('aria-invalid')).toBe('true');
  expect(await lireNumeros(maison, revue)).toHaveLength(1);
});

test('an issue is read, edited and deleted, and so is its periodical', async () => {
  const maison = await household();
  const revue = await ajouterRevue(maison, { titre: 'La Hulotte' });
  const { id } = await ajouterNumero(maison, revue, {
    numero: '112',
    date: '2026-11-20',
    articles: ['Le lierre, mode d’emploi', 'La mésange'],
    themes: ['oiseaux'],
  });
  const page = await (await device(maison)).open(`/revues/${String(revue.id)}`);
  await page.getByRole('link', { name: 'N° 112' }).click();
  const fiche = page.getByRole('article', { name: 'N° 112' });
  await fiche.getByText('20 novembre 2026').waitFor();
  await fiche.getByRole('button', { name: 'Modifier' }).click();
  const articles = page.getByLabel('Articles');
  expect(await articles.inputValue()).toBe('Le lierre, mode d’emploi ; La mésange');
  await articles.fill('Le lierre, mode d’emploi');
  await page.getByLabel('Résumé').fill('Tout sur le lierre.');
  await enregistrer(page);
  await page.getByText('Tout sur le lierre.').waitFor();
  expect((await lireNumeros(maison, revue))[0]?.articles).toEqual(['Le lierre, mode d’emploi']);

  const confirmer = async (nom: string) => {
    await page.getByRole('button', { name: 'Supprimer' }).click();
    await page
      .getByRole('dialog', { name: `Supprimer « ${nom} » ?` })
      .getByRole('button', { name: 'Supprimer' })
      .click();
  };
  await confirmer('La Hulotte, n° 112');
  await page.getByText('Aucun numéro', { exact: true }).waitFor();
  await confirmer('La Hulotte');
  await page.getByText('Pas encore de revues').waitFor();
  await page.goto(new URL(`/revues/${String(revue.id)}/numeros/${String(id)}`, page.url()).href);
  await page.getByText('Ce numéro n’est pas dans la bibliothèque').waitFor();
});

test('a search goes through all issues and keeps to a theme, in the address, without a network', async () => {
  const maison = await household();
  const science = await ajouterRevue(maison, { titre: 'Pour la Science' });
  const hulotte = await ajouterRevue(maison, { titre: 'La Hulotte' });
  await ajouterNumero(maison, science, { numero: '559', date: '2026-10', une: 'Les poulpes' });
  await ajouterNumero(maison, science, {
    numero: '560',
    date: '2026-11',
    themes: ['Climat'],
    articles: ['L’œil du poulpe'],
  });
  await ajouterNumero(maison, hulotte, { numero: '112', themes: ['climat', 'oiseaux'] });
  const appareil = await device(maison);
  const page = await appareil.open('/revues');
  await page.getByRole('link', { name: 'La Hulotte' }).waitFor();
  await appareil.untilOfflineReady(page);
  await appareil.cutNetwork();
  await page.reload();
  const liens = () => page.getByRole('list', { name: 'Numéros' }).getByRole('link').allInnerTexts();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('SCIENCE poulpe');
  await expect
    .poll(liens)
    .toEqual(['Pour la Science, n°\u00a0560', 'Pour la Science, n°\u00a0559']);
  await page.getByLabel('Thème').selectOption({ label: 'Climat (2)' });
  await expect.poll(liens).toEqual(['Pour la Science, n°\u00a0560']);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('oeil');
  await expect.poll(liens).toEqual(['Pour la Science, n°\u00a0560']);
  await page.waitForURL(/recherche=oeil/);
  await page.reload();
  await expect.poll(liens).toEqual(['Pour la Science, n°\u00a0560']);
  await page.goBack();
  await page.getByLabel('Thème').selectOption('');
  await page.goto(`${appareil.portal.url}/revues/${String(science.id)}`);
  const ajouter = page.getByRole('button', { name: 'Ajouter un numéro' });
  await expect.poll(() => ajouter.isDisabled()).toBe(true);
  const raison = await ajouter.getAttribute('aria-describedby');
  await page
    .locator(`#${raison ?? 'sans-raison'}`)
    .getByText(/Hors ligne/)
    .waitFor();
});
