import { expect, test } from 'vitest';
import { livreTitles, showAs } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

async function houseOf(count: number) {
  const house = await household();
  for (let start = 0; start < count; start += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count - start) }, (_, i) =>
        house.ajouter({
          titre: `Livre ${String(start + i).padStart(4, '0')}`,
          auteurs: [`Auteur ${String(start + i).padStart(4, '0')}`],
        }),
      ),
    );
  return house;
}

test('all rows of a list are printed and copied', async () => {
  const house = await houseOf(150);
  const phone = await device(house, { size: 'desk' });
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await phone.open('/auteurs');
  const rows = page.getByRole('list', { name: 'Auteurs' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBeGreaterThan(5);
  expect(await rows.count()).toBeLessThan(150);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => rows.count()).toBe(150);
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => rows.count()).toBeLessThan(150);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await copied()).match(/Auteur \d{4}/g)?.length).toBe(150);
  // The text around the list is copied, too.
  expect(await copied()).toMatch(/^Auteurs$/m);
  await expect.poll(() => rows.count()).toBeLessThan(150);

  // Before the printed catalogue is loaded, the rows of the list are printed.
  await follow(page, '/');
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('list', { name: 'Livres' }).getByText('Livre 0149').waitFor();
});

test('a list with too many rows to print reports it, and cannot be copied', async () => {
  const house = await household();
  const names = Array.from({ length: 2_001 }, (_, i) => `Livre ${String(i)},Auteur ${String(i)}`);
  const imported = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: ['Title,Author', ...names].join('\n'),
  });
  expect(imported.status).toBe(201);
  const desk = await device(house, { size: 'desk' });
  await desk.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await desk.open('/auteurs');
  const rows = page.getByRole('list', { name: 'Auteurs' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBeGreaterThan(5);
  await page.evaluate(() => navigator.clipboard.writeText('before'));
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.getByText(/^Plus de 2\s000 lignes, c’est trop pour une copie/).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('before');

  for (const path of ['/auteurs', '/']) {
    await follow(page, path);
    await page.emulateMedia({ media: 'print' });
    await page
      .getByText(/^2\s001 lignes\s: c’est trop pour une page \(2\s000 au plus\)/)
      .filter({ visible: true })
      .waitFor();
    const shown = page.getByText(/^(?:Livre|Auteur) \d/).filter({ visible: true });
    // For the catalogue, the printed version is loaded at a quiet moment.
    await expect.poll(() => shown.count(), { message: path }).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  }
});

test('tiles of two books with one title are distinguishable', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone', auteurs: ['Jean Anouilh'] });
  await house.ajouter({ titre: 'Antigone', auteurs: ['Sophocle'] });
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  const page = await (await device(house)).open();
  await expect.poll(() => livreTitles(page)).toHaveLength(3);
  await showAs(page, 'Couvertures');
  for (const name of ['Antigone, Jean Anouilh', 'Antigone, Sophocle', 'Regain'])
    await page.getByRole('link', { name, exact: true }).waitFor();
});
