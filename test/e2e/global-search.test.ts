import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { livreRow, livreTitles, searchFor } from './support/catalogue.ts';
import { ajouterNumero, ajouterRevue, ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';

/** Albums of a series with a gap, whose titles do not name the series; wishes; a periodical. */
async function fullHouse(): Promise<Household> {
  const house = await household();
  const albums = [];
  for (const titre of ['Le Lotus bleu', 'L’Oreille cassée', 'L’Île noire'])
    albums.push(await house.ajouter({ titre, auteurs: ['Hergé'] }));
  await house.ajouter({ titre: 'L’Étranger', auteurs: ['Albert Camus'], isbn: '9782070360024' });
  await house.ajouter({ titre: 'Astérix le Gaulois', auteurs: ['René Goscinny'] });
  await ajouterSerie(house, {
    titre: 'Les Aventures de Tintin',
    places: albums.map(({ id, titre }, index) => ({
      titre,
      numero: String(index + 5),
      livreId: id,
    })),
  });
  await ajouterSerie(house, {
    titre: 'Astérix',
    places: [{ titre: 'Le Combat des chefs', numero: '7', auteur: 'René Goscinny' }],
  });
  await house.souhaiter('alice', { titre: 'Le Combat ordinaire', auteur: 'Manu Larcenet' });
  const revue = await ajouterRevue(house, { titre: 'Pour la Science', issn: '0153-4092' });
  await ajouterNumero(house, revue, { numero: '560', une: 'Le combat des étoiles' });
  return house;
}

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('the search finds wishes, gaps, issues and albums', async () => {
  const house = await fullHouse();
  const page = await (await device(house)).open();
  await livreRow(page, 'Le Lotus bleu').waitFor();
  await searchFor(page, 'combat');
  await section(page, 'Sur ma liste').getByRole('link', { name: 'Le Combat ordinaire' }).waitFor();
  await section(page, 'Numéros')
    .getByRole('link', { name: /^Pour la Science/ })
    .waitFor();
  const gaps = section(page, 'Volumes manquants');
  await gaps.getByText('Manque à Astérix, tome 7').waitFor();
  await gaps.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await expect
    .poll(() => house.souhaits('alice'))
    .toEqual(['Le Combat ordinaire', 'Le Combat des chefs']);
  await section(page, 'Sur ma liste').getByRole('link', { name: 'Le Combat des chefs' }).waitFor();

  await searchFor(page, 'tintin');
  const albums = section(page, 'Livres de ces séries').getByRole('link');
  await expect.poll(() => albums.count()).toBe(3);
  expect(await livreTitles(page)).toEqual([]);
  expect(await page.getByRole('listitem').count()).toBe(0);
  await section(page, 'Séries').getByRole('link', { name: 'Les Aventures de Tintin' }).click();
  await page.getByRole('heading', { name: 'Les Aventures de Tintin' }).waitFor();

  await page.goBack();
  for (let i = 1; i <= 5; i++) await house.souhaiter('alice', { titre: `Fondation ${i}` });
  await searchFor(page, 'fondation');
  const wishes = section(page, 'Sur ma liste');
  await wishes.getByRole('button', { name: 'Tout voir (5)' }).waitFor();
  expect(await wishes.getByRole('link').count()).toBe(3);
  await wishes.getByRole('button', { name: 'Tout voir (5)' }).click();
  await expect.poll(() => wishes.getByRole('link').count()).toBe(5);
});

test('a code finds its book however it is written', async () => {
  const house = await fullHouse();
  const page = await (await device(house)).open();
  for (const code of ['9782070360024', '978-2-07-036002-4', '2070360024', '2-07-036002-4']) {
    await searchFor(page, '');
    await livreRow(page, 'Le Lotus bleu').waitFor();
    await searchFor(page, code);
    await expect.poll(() => livreTitles(page), { message: code }).toEqual(['L’Étranger']);
  }
  await searchFor(page, '9770153409005');
  await section(page, 'Revues').getByRole('link', { name: 'Pour la Science' }).waitFor();

  for (const typed of ['letranger', 'etrangr', 'l etrnager']) {
    await searchFor(page, '');
    await livreRow(page, 'Le Lotus bleu').waitFor();
    await searchFor(page, typed);
    const near = section(page, 'Vouliez-vous dire').getByRole('link', { name: 'L’Étranger' });
    await expect.poll(() => near.count(), { message: typed }).toBe(1);
    await near.click();
    await page.getByRole('heading', { name: 'L’Étranger' }).waitFor();
    await page.getByRole('link', { name: 'Retour au catalogue' }).click();
  }

  await searchFor(page, '9770988248015');
  await page.getByRole('button', { name: 'Ajouter cette revue' }).click();
  await expect.poll(() => page.getByLabel('ISSN', { exact: true }).inputValue()).toBe('0988-2480');
  await page.goBack();
  await page.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await expect.poll(() => page.getByLabel('ISSN', { exact: true }).inputValue()).toBe('0988-2480');
  await page.goBack();

  await searchFor(page, 'La Vouivre');
  await page.getByText('Aucun résultat').waitFor();
  expect(
    await page
      .getByRole('main')
      .getByText(/filtre/)
      .count(),
  ).toBe(0);
  await page.getByRole('button', { name: 'Ajouter ce livre' }).click();
  await expect
    .poll(() => page.getByLabel('Titre', { exact: true }).inputValue())
    .toBe('La Vouivre');
  await page.goBack();
  await page.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await page.getByLabel('Titre', { exact: true }).waitFor();
  await expect
    .poll(() => page.getByLabel('Titre', { exact: true }).inputValue())
    .toBe('La Vouivre');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expect.poll(() => house.souhaits('alice')).toEqual(['Le Combat ordinaire', 'La Vouivre']);
});
