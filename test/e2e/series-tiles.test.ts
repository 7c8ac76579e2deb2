import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterSerie, lireSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const souhaitTitres = async (url: string) => {
  const response = await fetch(`${url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
  return ((await response.json()) as { titre: string }[]).map(({ titre }) => titre);
};

test('each tile of a series leads to its book, or to the actions on a missing volume', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Astérix le Gaulois', auteurs: ['René Goscinny'] });
  const { id } = await ajouterSerie(house, {
    titre: 'Astérix',
    places: [
      { titre: 'Astérix le Gaulois', numero: '1', livreId: livre.id },
      { titre: 'La Serpe d’or', numero: '2', auteur: 'René Goscinny' },
      { titre: 'Astérix gladiateur', numero: '4', auteur: 'René Goscinny' },
    ],
  });
  const phone = await device(house);
  const page = await phone.open(`/series/${String(id)}`);
  const tiles = page.getByRole('list', { name: 'Volumes' });
  await tiles.getByRole('link', { name: 'Astérix le Gaulois' }).click();
  await page.getByRole('heading', { name: 'Astérix le Gaulois', level: 1 }).waitFor();
  await page.goBack();

  const sheet = page.getByRole('dialog');
  const tile = tiles.getByRole('button', { name: 'La Serpe d’or, ce volume manque' });
  await tile.press('Enter');
  await sheet.getByText('Astérix, tome 2').waitFor();
  expect(await accessibilityFaults(page, '/series/[id]: a missing volume')).toEqual([]);
  await sheet.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await sheet.getByRole('link', { name: 'Sur ma liste' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => tile.evaluate((one) => one === document.activeElement)).toBe(true);

  // A missing volume known by number alone gets its place together with the wish.
  await tiles.getByRole('button', { name: 'Astérix, tome 3, ce volume manque' }).click();
  await sheet.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await sheet.getByRole('link', { name: 'Sur ma liste' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await souhaitTitres(house.url)).toEqual(['La Serpe d’or', 'Astérix, tome 3']);
  const { places } = await lireSerie(house, id);
  expect(places.map(({ numero }) => numero)).toEqual(['1', '2', '3', '4']);

  await tiles.getByRole('button', { name: 'Astérix gladiateur, ce volume manque' }).click();
  await sheet.getByRole('button', { name: 'Ajouter ce volume' }).click();
  await expect
    .poll(() => page.getByLabel('Titre', { exact: true }).inputValue())
    .toBe('Astérix gladiateur');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page
    .getByText('Livre ajouté : Astérix gladiateur, dans la série Astérix')
    .first()
    .waitFor();
  await follow(page, `/series/${String(id)}`);
  await tiles.getByRole('link', { name: 'Astérix gladiateur' }).waitFor();

  await phone.cutNetwork();
  await page
    .getByText(/^Hors ligne/)
    .first()
    .waitFor();
  await tile.click();
  const add = sheet.getByRole('button', { name: 'Ajouter ce volume' });
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
  const reason = await add.getAttribute('aria-describedby');
  await sheet.locator(`#${reason ?? 'none'}`).waitFor();
});

test('series and readings use the width of a desk, also a series of two hundred volumes', async () => {
  const house = await household();
  const titre =
    'Une série dont le titre est si long qu’il ne tient sur aucune ligne d’aucun écran de cette maison';
  await ajouterSerie(house, {
    titre,
    places: Array.from({ length: 200 }, (_, i) => ({
      titre: `${titre}, volume ${String(i + 1)}`,
      numero: String(i + 1),
    })),
  });
  const livre = await house.ajouter({ titre: 'Dune', nombrePages: 400 });
  await house.noter('alice', { livreId: livre.id, debut: '2026-11-01', page: 120 });
  const page = await (await device(house, { size: 'desk' })).open('/series');
  const endOf = (name: string) =>
    page
      .getByRole('list', { name })
      .evaluate((list) => Math.round(list.getBoundingClientRect().right));
  const edge = await page.evaluate(() => innerWidth - 60);
  await page.getByRole('link', { name: titre }).waitFor();
  expect(await endOf('Séries')).toBeGreaterThan(edge);
  await page.getByRole('link', { name: titre }).click();
  const tiles = page.getByRole('list', { name: 'Volumes' }).getByRole('button');
  await tiles.getByText('tomes 1 à 200').first().click();
  await expect.poll(() => tiles.count()).toBe(200);
  expect(await endOf('Il manque')).toBeGreaterThan(edge);
  const isWithin = await page.evaluate(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  );
  expect(isWithin).toBe(true);
  await follow(page, '/lectures');
  await page.getByRole('list', { name: 'En cours' }).getByRole('link', { name: 'Dune' }).waitFor();
  expect(await endOf('En cours')).toBeGreaterThan(edge);
});

test('many adjacent missing volumes are folded into one tile, which hides no book', async () => {
  const house = await household();
  const owned = await Promise.all(
    ['30', '31', '60'].map(async (numero) => {
      const titre = `Les Cahiers ${numero}`;
      return { titre, numero, livreId: (await house.ajouter({ titre })).id };
    }),
  );
  const { id } = await ajouterSerie(house, { titre: 'Les Cahiers', places: owned });
  const page = await (await device(house)).open(`/series/${String(id)}`);
  const tiles = page.getByRole('list', { name: 'Volumes' }).getByRole('listitem');
  await expect
    .poll(() => tiles.locator('.tile-link').allTextContents())
    .toEqual([
      'tomes 1 à 29',
      'Les Cahiers 30',
      'Les Cahiers 31',
      'tomes 32 à 59',
      'Les Cahiers 60',
    ]);
  expect(await accessibilityFaults(page, '/series/[id]: folded volumes')).toEqual([]);

  const second = page.getByRole('button', { name: 'tomes 32 à 59, ces volumes manquent' });
  expect(await second.getAttribute('aria-expanded')).toBe('false');
  await second.press('Enter');
  await page.getByRole('button', { name: 'Les Cahiers, tome 32, ce volume manque' }).waitFor();
  await expect.poll(() => tiles.count()).toBe(32);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
    .toBe('Les Cahiers, tome 32, ce volume manque');
});
