import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

test('readings of a deleted book are restored with it', async () => {
  const home = await household();
  const livre = await home.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  await home.setStatut(livre, 'alice', 2, '2019-09-30');
  const phone = await device(home);
  const page = await phone.open(`/livres/${String(livre.id)}`);
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  await mine.getByRole('button', { name: 'Relire' }).click();
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await mine.getByText(/^Déjà lu le /).waitFor();

  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await page.getByText('Livre supprimé : Dune').first().waitFor();
  await follow(page, '/lectures');
  const wall = page.getByRole('link', { name: 'Dune' });
  await expect.poll(() => wall.count()).toBe(2);
  expect(await wall.first().getAttribute('href')).toMatch(/\/lectures\/\d+$/);
  await follow(page, '/modifications');
  await page
    .getByRole('button', { name: /Annuler/ })
    .first()
    .click();
  await follow(page, '/lectures');
  await expect.poll(() => wall.first().getAttribute('href')).toMatch(/\/livres\/1$/);
  await wall.first().click();
  await mine.getByText(/^Déjà lu le /).waitFor();
});

test('« Mon année » stays in its place as the year changes', async () => {
  const home = await household();
  for (const annee of ['2018', '2019'])
    for (const titre of ['Zadig', 'Candide', 'Micromégas'])
      await home.noter('alice', { titre, fin: `${annee}-03-02` });
  const page = await (await device(home)).open('/lectures/annee?annee=2019');
  await page.setViewportSize({ width: 360, height: 400 });
  const figure = page.getByRole('main').getByText('3', { exact: true });
  await figure.first().waitFor();
  await page.evaluate(() => scrollTo(0, 30));
  await page.getByRole('combobox').selectOption('2018');
  await page.waitForURL('**/lectures/annee?annee=2018');
  await page.getByText(/2018/).last().waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(30);
});

const goal = (page: Page) => page.getByRole('region', { name: 'Mon objectif' });

async function setGoal(page: Page, nombre: string, unite: 'Livres' | 'Pages'): Promise<void> {
  await page.getByLabel('Nombre par an').fill(nombre);
  await page.getByLabel('En', { exact: true }).selectOption(unite);
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
}

test('a goal typed for one year is not another’s', async () => {
  const home = await household();
  for (const annee of ['2018', '2019'])
    await home.noter('alice', { titre: 'Zadig', fin: `${annee}-03-02` });
  const page = await (await device(home)).open('/lectures/annee?annee=2019');
  const open = page.getByRole('button', { name: 'Fixer un objectif' });
  await open.click();
  await page.getByLabel('Nombre par an').fill('24');
  await page.getByRole('combobox', { name: 'Année' }).selectOption('2018');
  await page.getByText(/2018/).last().waitFor();
  await open.waitFor();
  await page.goBack();
  await open.waitFor();
});

test('a goal by books or pages is its reader’s on every device, offline too', async () => {
  const home = await household();
  const livre = await home.ajouter({ titre: 'Zadig', nombrePages: 120 });
  await home.setStatut(livre, 'alice', 2, '2019-03-02');
  const first = await device(home, { serviceWorker: true });
  const page = await first.open('/lectures/annee?annee=2019');
  await page.getByRole('button', { name: 'Fixer un objectif' }).click();
  await setGoal(page, '0', 'Livres');
  await page.getByText('Indiquez un nombre entier, 1 ou plus.').first().waitFor();
  await setGoal(page, '24', 'Livres');
  await goal(page).getByText('1 sur 24 livres').waitFor();
  expect(await accessibilityFaults(page, '/lectures/annee: a goal')).toEqual([]);
  const other = await (await device(home)).open('/lectures/annee?annee=2019');
  await goal(other).getByText('1 sur 24 livres').waitFor();
  await other.getByRole('button', { name: 'Modifier l’objectif' }).click();
  await setGoal(other, '6000', 'Pages');
  await goal(other).getByText('120 sur 6 000 pages').waitFor();
  await goal(page).getByText('120 sur 6 000 pages').waitFor();
  await undo(other);
  await goal(other).getByText('1 sur 24 livres').waitFor();
  const bob = await (await device(home, { user: 'bob' })).open('/lectures/annee?annee=2019');
  await bob.getByRole('button', { name: 'Fixer un objectif' }).waitFor();

  await first.untilOfflineReady(page);
  await first.cutNetwork();
  await page.reload();
  await goal(page).getByText('1 sur 24 livres').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Modifier l’objectif' }).isDisabled())
    .toBe(true);
  await first.restoreNetwork();

  await other.getByRole('button', { name: 'Modifier l’objectif' }).click();
  await other.getByRole('button', { name: 'Retirer', exact: true }).click();
  await other.getByRole('button', { name: 'Fixer un objectif' }).waitFor();
});

test('a year shows its genres, lengths and authors as tables and as books', async () => {
  const home = await household();
  const old = await home.ajouter({ titre: 'Sido', auteurs: ['Colette'] });
  await home.setStatut(old, 'alice', 2, '2018-03-02');
  for (const [titre, auteurs, nombrePages, ...themes] of [
    ['Chéri', ['Colette'], 140, 'Amour'],
    ['La Mort de Tibère', ['Marie Martin', 'Paul Petit'], 700, 'Polar', 'Amour'],
  ] as const) {
    const livre = await home.ajouter({
      titre,
      auteurs: [...auteurs],
      nombrePages,
      themes: [...themes],
    });
    await home.setStatut(livre, 'alice', 2, '2019-05-02');
  }
  const page = await (await device(home)).open('/lectures/annee?annee=2019');
  const rows = (name: string) =>
    page
      .getByRole('table', { name })
      .getByRole('row')
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.querySelectorAll('th, td.count')].map((cell) => cell.textContent.trim()),
        ),
      );
  await expect
    .poll(() => rows('Genres'))
    .toEqual([
      ['Amour', '2'],
      ['Polar', '1'],
    ]);
  expect(await rows('Longueurs')).toEqual([
    ['moins de 150 pages', '1'],
    ['150 à 299 pages', '0'],
    ['300 à 499 pages', '0'],
    ['500 pages et plus', '1'],
  ]);
  expect(await rows('Auteurs')).toEqual([
    ['découverts', '2'],
    ['retrouvés', '1'],
  ]);
  // Each book has a bar in the chart.
  expect(await page.getByRole('table', { name: 'Genres' }).locator('g').count()).toBe(3);
  expect(await page.getByRole('table', { name: 'Auteurs' }).locator('g').count()).toBe(3);
  await page.getByRole('link', { name: 'Polar' }).click();
  await page.getByRole('heading', { name: 'Polar' }).waitFor();
});

test('the picture of a year bears a name only where its reader wants theirs', async () => {
  const home = await household({ LIBRARY_NAME: 'Chez les Dupont' });
  await home.noter('alice', { titre: 'Zadig', fin: '2019-03-02', note: 9 });
  const page = await (await device(home)).open('/lectures/annee?annee=2019');
  await page.evaluate(() => {
    const { prototype } = OffscreenCanvasRenderingContext2D;
    const write = Reflect.get(prototype, 'fillText');
    prototype.fillText = function (...args) {
      document.body.dataset['written'] += `${args[0]}\n`;
      write.apply(this, args);
    };
  });
  const textsOfPicture = async () => {
    await page.evaluate(() => (document.body.dataset['written'] = ''));
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Enregistrer l’image' }).click(),
    ]);
    return page.evaluate(() => document.body.dataset['written']);
  };
  const texts = await textsOfPicture();
  expect(texts).toMatch(/^Une année de lecture\n2019\n1\n/);
  expect(texts).toContain('\nZadig\n');
  expect(texts).not.toMatch(/alice|dupont/i);
  await page.getByRole('checkbox', { name: 'Avec mon nom' }).check();
  expect(await textsOfPicture()).toMatch(/\nalice\n/i);
});

test('a picture that failed is of its year alone', async () => {
  const home = await household();
  for (const annee of ['2018', '2019'])
    await home.noter('alice', { titre: 'Zadig', fin: `${annee}-03-02` });
  const phone = await device(home);
  const page = await phone.open('/lectures/annee?annee=2019');
  await page.evaluate(() => (OffscreenCanvas.prototype.getContext = () => null));
  await page.getByRole('button', { name: 'Enregistrer l’image' }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await alert.waitFor();
  // The error of a page is added after its content.
  await expect
    .poll(() => phone.faults.splice(0))
    .toEqual([expect.stringContaining('draws no picture')]);
  await page.getByRole('combobox').selectOption('2018');
  await page.getByText(/2018/).last().waitFor();
  await alert.waitFor({ state: 'hidden' });
});
