import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { deskScanner, FRENCH_KEYBOARD } from './support/recherche.ts';

const ISBN = '9782070408504';

/** A shelf in a room, a box in the cellar, and a book on the shelf. */
async function furnished(house: Household) {
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const etagere = await ajouterEmplacement(house, { nom: 'Étagère 3', parentId: salon.id });
  const carton = await ajouterEmplacement(house, { nom: 'Carton 12' });
  const livre = await house.ajouter({ titre: 'Désert', isbn: ISBN });
  await rangerLivre(house, livre.id, etagere.id);
  return { salon, etagere, carton, livre };
}

/** What printers and the cameras of phones resolve, in dots to the inch; the screen has 96. */
const RESOLUTIONS = [150, 300];
const SCREEN_DPI = 96;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const labelOf = ({ id }: { id: number }) => `https://livres.maison/biblio/rangement/${String(id)}`;
const idle = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).blur());

test.each([
  ['a plain', {}],
  ['a French', FRENCH_KEYBOARD],
])('on %s keyboard a scanned label opens its location wherever one is', async (_what, keyboard) => {
  const house = await household();
  const { etagere, carton, livre } = await furnished(house);
  const page = await (await device(house, { size: 'desk' })).open('/');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  const scan = await deskScanner(page, keyboard);
  await scan(labelOf(etagere));
  await heading(page, 'Étagère 3').waitFor();
  // The keys of an address are no shortcuts: « / » goes to the search, « n » to a new book, « e » to the form.
  await scan(labelOf(carton));
  await heading(page, 'Carton 12').waitFor();
  await page.goto(new URL(`/livres/${String(livre.id)}`, page.url()).href);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.getByRole('searchbox').focus();
  await scan(labelOf(carton));
  await heading(page, 'Carton 12').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  await scan('https://livres.maison/rangement/999');
  await heading(page, 'Cet emplacement n’est pas dans la maison').waitFor();
});

test('while books are put away or counted a scanned label chooses the location', async () => {
  const house = await household();
  const { salon, etagere, carton } = await furnished(house);
  const page = await (await device(house, { size: 'desk' })).open('/rangement/ranger');
  await field(page, 'Emplacement').selectOption('Salon');
  const scan = await deskScanner(page, FRENCH_KEYBOARD);
  // The choice has the focus, and the letters would choose in it.
  await scan(labelOf(carton));
  await page.getByText(/^Ici maintenant\s: Carton 12$/).waitFor();
  expect(await field(page, 'Emplacement').inputValue()).toBe(String(carton.id));
  await scan(ISBN);
  await page
    .getByText(/^Rangé\s: Désert$/)
    .first()
    .waitFor();
  await scan('https://livres.maison/rangement/999');
  await page.getByText('Cet emplacement n’est pas dans la maison').waitFor();
  expect(await field(page, 'Emplacement').inputValue()).toBe(String(carton.id));

  await page.goto(new URL('/rangement/recolement', page.url()).href);
  await page.getByRole('button', { name: 'Commencer' }).waitFor();
  await idle(page);
  await scan(labelOf(carton));
  await page.getByText('0 sur 1', { exact: true }).waitFor();
  await scan(labelOf(salon));
  await page.getByText('0 sur 0', { exact: true }).waitFor();
  await scan(labelOf(etagere));
  await page.getByText('Salon › Étagère 3').waitFor();
  await scan(ISBN);
  await page.getByText('Il n’est pas attendu ici.').waitFor();
});

test('in a text and in a dialog a scanned label stays text, and the field of codes stays as it is', async () => {
  const house = await household();
  const { etagere, livre } = await furnished(house);
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  const scan = await deskScanner(page);
  await field(page, 'Titre').fill('Sido ');
  await page.keyboard.press('End');
  await scan(labelOf(etagere));
  await expect.poll(() => field(page, 'Titre').inputValue()).toBe(`Sido ${labelOf(etagere)}`);
  await field(page, 'ISBN').fill(ISBN);
  await scan(labelOf(etagere));
  await heading(page, 'Étagère 3').waitFor();

  await page.goto(new URL(`/livres/${String(livre.id)}`, page.url()).href);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await scan(labelOf(etagere));
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
});

test('the code of each printed label leads to its location, on every sheet', async () => {
  const house = await household();
  let parentId: number | null = null;
  const emplacements = [];
  for (let count = 1; count <= 66; count++) {
    const nom = count === 66 ? 'M'.repeat(190) : `Étagère ${count}`;
    emplacements.push(await ajouterEmplacement(house, { nom, parentId }));
    if (count < 5) parentId = emplacements.at(-1)?.id ?? null;
  }
  const reader = await device(house, { size: 'desk' });
  const page = await reader.open('/aide');
  // The name of a host that makes a code as dense as one is in a house.
  const origin = reader.portal.url.replace(
    '127.0.0.1',
    'bibliotheque.de-la-famille-dupont.localhost',
  );
  await page.goto(`${origin}/rangement/etiquettes?emplacement=1`);
  await page.emulateMedia({ media: 'print' });
  const scanner = await reader.context.newPage();
  await scanner.goto(`${origin}/rangement`);
  const images = page.locator('.sheet img');
  for (const [sheet, count] of [
    ['21', 66],
    ['24', 66],
    ['65', 66],
    ['Une seule', 1],
  ] as const) {
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('radio', { name: sheet }).check();
    await expect.poll(() => images.count()).toBe(count);
    await page.emulateMedia({ media: 'print' });
    const pages = Math.ceil(count / Number(sheet === 'Une seule' ? 1 : sheet));
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(pages);
    const label = page.locator('.sheet li').last();
    const id = count === 1 ? 1 : (emplacements.at(-1)?.id ?? 0);
    for (const dpi of RESOLUTIONS) {
      await follow(scanner, '/livres/ajouter?scanner=verifier');
      await scanner.getByLabel('Photo d’un code').setInputFiles({
        name: 'label.png',
        mimeType: 'image/png',
        buffer: await pictureOf(page, label, dpi),
      });
      await scanner.waitForURL(`${origin}/rangement/${String(id)}`);
    }
  }
});

test('a screen that is printed after the labels is itself', async () => {
  const house = await household();
  const { etagere } = await furnished(house);
  const page = await (await device(house, { size: 'desk' })).open('/rangement/etiquettes');
  await expect.poll(() => page.locator('.sheet img').count()).toBe(3);
  await page.getByRole('link', { name: 'Retour au rangement' }).click();
  await page.getByRole('link', { name: 'Salon', exact: true }).click();
  await heading(page, 'Salon').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('link', { name: etagere.nom, exact: true }).isVisible()).toBe(true);
});

/** A part of the page as it is printed and looked at. */
async function pictureOf(page: Page, part: Locator, dpi: number): Promise<Buffer> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('not shown');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    captureBeyondViewport: true,
    clip: { ...box, scale: dpi / SCREEN_DPI },
  });
  return Buffer.from(data, 'base64');
}
