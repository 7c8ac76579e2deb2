import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

test('readings of a deleted book come back with it', async () => {
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

test('an aim typed for one year is not another’s', async () => {
  const home = await household();
  for (const annee of ['2018', '2019'])
    await home.noter('alice', { titre: 'Zadig', fin: `${annee}-03-02` });
  const page = await (await device(home)).open('/lectures/annee?annee=2019');
  const open = page.getByRole('button', { name: 'Fixer un objectif' });
  await open.click();
  await page.getByLabel('Livres par an').fill('24');
  await page.getByRole('combobox').selectOption('2018');
  await page.getByText(/2018/).last().waitFor();
  await open.waitFor();
  await page.goBack();
  await open.waitFor();
});

test('an aim is kept on its device alone', async () => {
  const home = await household();
  await home.noter('alice', { titre: 'Zadig', fin: '2019-03-02' });
  const page = await (await device(home)).open('/lectures/annee?annee=2019');
  await page.getByRole('button', { name: 'Fixer un objectif' }).click();
  await page.getByLabel('Livres par an').fill('24');
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await page.getByRole('button', { name: '1 sur 24' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: '1 sur 24' }).waitFor();
  const other = await (await device(home)).open('/lectures/annee?annee=2019');
  await other.getByRole('button', { name: 'Fixer un objectif' }).waitFor();
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
  // The page tells its error behind what it shows.
  await expect
    .poll(() => phone.faults.splice(0))
    .toEqual([expect.stringContaining('draws no picture')]);
  await page.getByRole('combobox').selectOption('2018');
  await page.getByText(/2018/).last().waitFor();
  await alert.waitFor({ state: 'hidden' });
});
