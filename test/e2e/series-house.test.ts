import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ajouterSerie, lireSerie, listerSeries } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { pressIn, souhaitRow } from './support/souhaits.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

const parentTitre = (page: Page, titre: string) =>
  page.getByRole('main').getByRole('link', { name: titre, exact: true });

test('« Je l’ai acheté » fills the place of the wish', async () => {
  const house = await household();
  const { id } = await ajouterSerie(house, {
    titre: 'Astérix',
    places: [
      { titre: 'La Serpe d’or', numero: '2', auteur: 'René Goscinny' },
      { titre: 'Le Combat des chefs', numero: '7', auteur: 'René Goscinny' },
    ],
  });
  await house.souhaiter('alice', { titre: 'Le combat des chefs', auteur: 'Goscinny, René' });
  const page = await (await device(house)).open(`/series/${String(id)}`);
  await page
    .getByRole('list', { name: 'Il manque' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'La Serpe d’or' }) })
    .getByRole('button', { name: 'Mettre sur ma liste' })
    .click();
  await page.getByText('Sur ma liste', { exact: true }).first().waitFor();
  await follow(page, '/souhaits');
  await pressIn(page, 'La Serpe d’or', 'Je l’ai acheté');
  await page.getByText('Livre ajouté : La Serpe d’or, dans la série Astérix').waitFor();
  await souhaitRow(page, 'La Serpe d’or').waitFor({ state: 'detached' });
  await pressIn(page, 'Le combat des chefs', 'Je l’ai acheté');
  await page.getByText('Livre ajouté : Le combat des chefs, dans la série Astérix').waitFor();
  const { places } = await lireSerie(house, id);
  expect(places.map(({ livreId }) => livreId !== null)).toEqual([true, true]);
});

test('a series put into a cycle keeps its volumes', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Fondation' });
  const cycle = await ajouterSerie(house, { titre: 'Robots et empires' });
  const { id } = await ajouterSerie(house, {
    titre: 'Fondation',
    places: [
      { titre: 'Fondation', numero: '1', livreId: livre.id },
      { titre: 'Seconde Fondation' },
    ],
  });
  const page = await (await device(house)).open(`/series/${String(cycle.id)}`);
  await page.getByRole('button', { name: 'Ajouter une série existante' }).click();
  const field = page.getByRole('combobox', { name: 'Série à mettre dans ce cycle' });
  await field.fill('personne');
  await page.getByText('Aucune autre série de ce titre ne peut entrer dans ce cycle.').waitFor();
  await field.fill('fond');
  await page.getByRole('option', { name: 'Fondation' }).waitFor();
  await field.press('Enter');
  await page.getByRole('list', { name: 'Séries' }).getByRole('link', { name: 'Fondation' }).click();
  await parentTitre(page, 'Robots et empires').waitFor();
  const volumes = page.getByRole('list', { name: 'Volumes' });
  const owned = volumes.getByRole('link', { name: 'Fondation' });
  expect((await owned.boundingBox())?.width).toBeGreaterThan(40);
  const missing = volumes.getByRole('button', {
    name: 'Seconde Fondation, ce volume manque',
  });
  expect((await missing.boundingBox())?.width).toBeGreaterThan(40);
  const serie = await lireSerie(house, id);
  expect(serie.parentId).toBe(cycle.id);
  expect(serie.places.map(({ titre, numero }) => [titre, numero])).toEqual([
    ['Fondation', '1'],
    ['Seconde Fondation', null],
  ]);

  const empire = await ajouterSerie(house, { titre: 'Empire', places: [{ titre: 'Un' }] });
  await follow(page, `/series/ajouter?dans=${String(cycle.id)}`);
  await page.getByLabel('Titre', { exact: true }).fill('Empire');
  await page.getByRole('button', { name: 'La mettre dans ce cycle' }).click();
  await page.waitForURL(new RegExp(`/series/${String(cycle.id)}$`));
  expect(await lireSerie(house, empire.id)).toMatchObject({
    parentId: cycle.id,
    places: [{ titre: 'Un' }],
  });
});

test('a second series of the same title is a question', async () => {
  const house = await household();
  const { id } = await ajouterSerie(house, { titre: 'Fondation', places: [{ titre: 'Un' }] });
  const page = await (await device(house)).open('/series/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('fondation');
  await page.getByRole('link', { name: 'Ouvrir « Fondation »' }).waitFor();
  await save(page);
  const titre = page.getByLabel('Titre', { exact: true });
  await expect.poll(() => titre.getAttribute('aria-invalid')).toBe('true');
  expect((await listerSeries(house)).map((serie) => serie.id)).toEqual([id]);
  await page.getByRole('button', { name: 'Créer quand même' }).click();
  await save(page);
  await page.waitForURL(/\/series\/\d+$/);
  expect(await listerSeries(house)).toHaveLength(2);

  await follow(page, '/series/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('Une série');
  await page.getByRole('button', { name: 'Coller une liste' }).click();
  await page.getByLabel('Titres, un par ligne').fill('1. Un\n2. Deux\n02. Autre');
  await page.getByRole('button', { name: 'Ajouter ces volumes' }).click();
  await page.getByText('Le numéro 2 est donné à plusieurs volumes.').waitFor();
  await save(page);
  await page.getByRole('heading', { name: 'Une série' }).waitFor();
  await page.getByText('Le numéro 2 est donné à plusieurs volumes.').waitFor();
});
