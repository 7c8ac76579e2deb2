import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { unfoldFields } from './support/add.ts';
import { ajouterSerie, listerSeries } from './support/collections.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

/** Lets this many writes of a device through; later ones fail. Resolves at the first failure. */
function breakAfter(phone: Device, writes: number): Promise<void> {
  let count = 0;
  return new Promise((tell) => {
    phone.portal.breaks = (method) => {
      const isBroken = method !== 'GET' && ++count > writes;
      if (isBroken) tell();
      return isBroken;
    };
  });
}

/** The titles of a book's series. */
const seriesOf = async (house: Household, id: number): Promise<string[]> =>
  (await listerSeries(house))
    .filter(({ places }) => places.some(({ livreId }) => livreId === id))
    .map(({ titre }) => titre);

const volumesOf = async (house: Household, id: number) =>
  (await listerSeries(house))
    .find((serie) => serie.id === id)
    ?.places.map(({ titre, livreId }) => [titre, livreId !== null]);

async function fillSerie(page: Page, serie: string, numero: string): Promise<void> {
  await page.getByLabel('Série', { exact: true }).fill(serie);
  await page.getByLabel('Numéro', { exact: true }).fill(numero);
}

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

test('a half-sent move leaves a book in one series', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open();
  for (const writes of [1, 2]) {
    const { id } = await house.ajouter({ titre: `Le retour ${String(writes)}` });
    const titre = `Les voyages ${String(writes)}`;
    await ajouterSerie(house, { titre, places: [{ titre: 'x', livreId: id }] });
    await follow(page, `/livres/${String(id)}`);
    await page.getByRole('link', { name: titre }).waitFor();
    await page.getByRole('button', { name: 'Modifier' }).click();
    await fillSerie(page, `Les retours ${String(writes)}`, '1');
    void breakAfter(phone, writes);
    await save(page);
    await page
      .getByRole('alert')
      .or(page.getByRole('link', { name: `Les retours ${String(writes)}` }))
      .waitFor();
    expect(await seriesOf(house, id), `${String(writes)} arrived`).toHaveLength(1);
    phone.portal.breaks = null;
  }
});

test('a book’s number finds its place in the series', async () => {
  const house = await household();
  const livres = [];
  for (const titre of ['Sept', 'Un et demi']) livres.push(await house.ajouter({ titre }));
  const numeros = ['1', '2', '7'];
  const places = numeros.map((numero) => ({ titre: `Volume ${numero}`, numero }));
  const serie = await ajouterSerie(house, { titre: 'Les voyages', places });
  const phone = await device(house);
  const page = await phone.open();
  // The book fills the missing volume with the same number, or is inserted by number.
  for (const [index, numero] of ['07', '1,5'].entries()) {
    await follow(page, `/livres/${String(livres[index]?.id)}`);
    await page.getByRole('button', { name: 'Mettre dans une série' }).click();
    await fillSerie(page, 'Les voyages', numero);
    await save(page);
    await page.getByRole('link', { name: 'Les voyages' }).waitFor();
  }
  expect(await volumesOf(house, serie.id)).toEqual([
    ['Volume 1', false],
    ['Un et demi', true],
    ['Volume 2', false],
    ['Volume 7', true],
  ]);

  // Also if the connection fails after the first write.
  const { id } = await house.ajouter({ titre: 'Désert' });
  await follow(page, `/livres/${String(id)}/modifier`);
  await unfoldFields(page);
  await fillSerie(page, 'Les retours', '1');
  await fetch(`${house.url}/api/livres/${String(id)}`, { method: 'DELETE' });
  const again = page.getByRole('button', { name: 'Ajouter de nouveau' });
  await again.waitFor();
  const broken = breakAfter(phone, 1);
  await again.click();
  const done = page.getByRole('heading', { name: 'Désert', exact: true, level: 1 }).waitFor();
  await Promise.race([done, broken]);
  phone.portal.breaks = null;
  if (await again.isVisible()) await again.click();
  await done;
  expect(await house.titres()).toEqual(['Désert', 'Sept', 'Un et demi']);
});
