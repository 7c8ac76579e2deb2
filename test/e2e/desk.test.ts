import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { livreRow } from './support/catalogue.ts';
import { ajouterNumero, ajouterRevue, ajouterSerie } from './support/collections.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** The text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent.trim() ?? '');

test('the keys of a desk walk, open and explain themselves', async () => {
  const house = await household();
  for (const titre of ['Antigone', 'Désert', 'Fondation']) await house.ajouter({ titre });
  const page = await (await device(house, { size: 'desk' })).open();
  await livreRow(page, 'Antigone').waitFor();
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('n?/');
  expect(await search.inputValue()).toBe('n?/');
  await search.fill('');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Antigone');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Désert');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Désert' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Désert');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Raccourcis du clavier' });
  await help.getByText('Rechercher').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Ajouter', exact: true }).waitFor();
});

test('the keys of a desk act on the open book', async () => {
  const house = await household();
  for (const titre of ['Antigone', 'Désert', 'Fondation']) await house.ajouter({ titre });
  const page = await (await device(house, { size: 'desk' })).open();
  await livreRow(page, 'Antigone').getByRole('link', { name: 'Antigone' }).click();
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  await expect.poll(() => focused(page)).toBe('Antigone');
  await heading('Antigone').waitFor();
  for (const titre of ['Désert', 'Fondation']) {
    await page.keyboard.press('ArrowDown');
    await heading(titre).waitFor();
    await expect.poll(() => focused(page)).toBe(titre);
  }
  // Digits typed by a scanner must not change the status.
  await page.keyboard.type('4234');
  await page.waitForFunction(
    (since) => performance.now() > since + 400,
    await page.evaluate(() => performance.now()),
  );
  const radio = (name: string) => page.getByRole('radio', { name, exact: true });
  expect(
    await page
      .getByRole('group', { name: 'Ma lecture' })
      .getByRole('radio', { checked: true })
      .getAttribute('value'),
  ).toBe('aucun');
  await page.keyboard.press('3');
  await page
    .getByRole('group', { name: 'Ma lecture' })
    .getByRole('radio', { name: 'En cours', checked: true })
    .waitFor();
  await page.keyboard.press('p');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('emprunteur');
  await page.keyboard.type('e1');
  await page.keyboard.press('Tab');
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'Modifier' }).waitFor();
  expect(await radio('En cours').count()).toBe(0);
  await page.goBack();
  await heading('Fondation').waitFor();
  // Moving through the list has added a single history entry.
  await page.goBack();
  await heading('Fondation').waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('désert');
  await page.getByText('1 livre sur 3').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
});

test('arrows, Enter and Escape walk every list', async () => {
  const house = await household();
  const names = ['Antigone', 'Désert'];
  for (const titre of names) {
    const livre = await house.ajouter({ titre, auteurs: [`${titre} Auteur`] });
    await house.preter(livre, 'Luc');
    await ajouterSerie(house, { titre, places: [] });
    await ajouterRevue(house, { titre });
    await house.souhaiter('alice', { titre: `${titre}, la suite` });
  }
  const revue = await ajouterRevue(house, { titre: 'Désert' });
  for (const [numero, date] of [
    ['3', '2026-03'],
    ['2', '2026-02'],
    ['1', '2025-01'],
  ])
    await ajouterNumero(house, revue, { numero: numero ?? '', date: date ?? null });
  const page = await (await device(house, { size: 'desk' })).open();
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['/auteurs', names.map((titre) => `${titre} Auteur`)],
    ['/series', names],
    ['/revues', names],
    ['/prets', names],
  ];
  for (const [route, [first = '', second = '']] of lists) {
    await follow(page, route);
    await page.getByRole('main').getByRole('link', { name: second, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page), { message: route }).toBe(first);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page), { message: route }).toBe(second);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page), route).toBe(second);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: second, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), { message: route }).toBe(second);
  }
  await follow(page, '/souhaits');
  await page.getByRole('button', { name: 'Désert, la suite', exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('Désert, la suite');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Désert, la suite' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Désert, la suite');

  await follow(page, `/revues/${String(revue.id)}`);
  await page.getByRole('link', { name: 'N°\u00a01', exact: true }).waitFor();
  for (const [key, numero] of [
    ['ArrowDown', '3'],
    ['ArrowRight', '2'],
    ['ArrowDown', '1'],
    ['ArrowUp', '3'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page), { message: key }).toBe(`N°\u00a0${numero}`);
  }
});

test('« Ajouter » adds the kind of record of its screen', async () => {
  const house = await household();
  const { id } = await ajouterRevue(house, { titre: 'Pour la Science' });
  const livre = await house.ajouter({ titre: 'Antigone' });
  const phone = await device(house);
  const page = await phone.open();
  const targets: Record<string, string> = {
    '/': '/livres/ajouter',
    '/auteurs': '/livres/ajouter',
    '/souhaits': '/souhaits/ajouter',
    '/series': '/series/ajouter',
    '/revues': '/revues/ajouter',
    [`/revues/${id}`]: `/revues/${id}/numeros/ajouter`,
  };
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const [route, target] of Object.entries(targets)) {
      await follow(page, route);
      const where = `${route}, ${size}`;
      const add = page.getByRole('link', { name: 'Ajouter', exact: true });
      await expect.poll(() => add.count(), { message: where }).toBe(1);
      await expect.poll(() => add.getAttribute('href'), { message: where }).toBe(target);
      const position = await add.evaluate((link) => getComputedStyle(link).position);
      expect(position, where).toBe('static');
    }
  }

  await page.setViewportSize(SIZES.phone);
  await follow(page, '/reglages');
  await page.getByRole('button', { name: 'Exporter' }).click();
  await page.getByRole('link', { name: 'Voir ma liste' }).click();
  await page.getByRole('heading', { name: 'Souhaits' }).waitFor();

  const routes = [`/livres/${livre.id}`, `/livres/${livre.id}/modifier`, '/series/ajouter'];
  // Without the service worker, only visited screens are available offline.
  for (const route of routes) await follow(page, route);
  await phone.cutNetwork();
  for (const route of routes) {
    await follow(page, route);
    await page.getByText(/Hors ligne, dernière/).waitFor();
    await page
      .getByText(/consultation seule/i)
      .first()
      .waitFor();
    const shown = await page
      .getByText(/Hors ligne/)
      .evaluateAll((texts) => texts.filter((text) => !text.matches('.sr-only')).length);
    expect(shown, route).toBe(1);
  }
});
