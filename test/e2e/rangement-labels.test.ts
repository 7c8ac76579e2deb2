import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { addField, unfold } from './support/add.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { deskScanner, FRENCH_KEYBOARD } from './support/recherche.ts';

const ISBN = '9782070408504';

/** A shelf in a room, a packed box in the cellar, and a book on the shelf. */
async function furnished(house: Household) {
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const etagere = await ajouterEmplacement(house, { nom: 'Étagère 3', parentId: salon.id });
  const carton = await ajouterEmplacement(house, { nom: 'Carton 12' });
  const livre = await house.ajouter({ titre: 'Désert', isbn: ISBN });
  await rangerLivre(house, livre.id, etagere.id);
  return { salon, etagere, carton, livre };
}

/** Resolutions of printers and of phones' cameras, in dots per inch; the screen has 96. */
const RESOLUTIONS = [150, 300];
const SCREEN_DPI = 96;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const labelOf = ({ id }: { id: number }) => `https://livres.maison/biblio/rangement/${String(id)}`;
const idle = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).blur());

const KEYBOARDS = { plain: {}, French: FRENCH_KEYBOARD };

test('a scanned label opens its location from any screen', async () => {
  const house = await household();
  const { etagere, carton, livre } = await furnished(house);
  const page = await (await device(house, { size: 'desk' })).open();
  const livreLink = page.getByRole('main').getByRole('link', { name: 'Désert' });
  for (const [name, keyboard] of Object.entries(KEYBOARDS)) {
    const scan = await deskScanner(page, keyboard);
    const expectHeading = async (text: string) => {
      await expect.poll(() => heading(page, text).isVisible(), { message: name }).toBe(true);
    };
    await livreLink.waitFor();
    await scan(labelOf(etagere));
    await expectHeading('Étagère 3');
    // The keys of a scanned address must not act as shortcuts: « / » searches, « n » adds a book, « e » edits.
    await scan(labelOf(carton));
    await expectHeading('Carton 12');
    await follow(page, `/livres/${String(livre.id)}`);
    await expectHeading('Désert');
    await page.getByRole('searchbox').focus();
    await scan(labelOf(carton));
    await expectHeading('Carton 12');
    await page.goBack();
    await expectHeading('Désert');
    expect(await page.getByRole('searchbox').inputValue(), name).toBe('');
    await scan('https://livres.maison/rangement/999');
    await expectHeading('Cet emplacement n’est pas dans la maison');
    await follow(page, '/');
  }
});

test('a scanned label chooses where books are put away', async () => {
  const house = await household();
  const { salon, etagere, carton, livre } = await furnished(house);
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  const scan = await deskScanner(page);
  await field(page, 'Titre').fill('Sido ');
  await page.keyboard.press('End');
  await scan(labelOf(etagere));
  await expect.poll(() => field(page, 'Titre').inputValue()).toBe(`Sido ${labelOf(etagere)}`);
  await addField(page).fill(ISBN);
  await scan(labelOf(etagere));
  await heading(page, 'Étagère 3').waitFor();

  await follow(page, `/livres/${String(livre.id)}`);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await scan(labelOf(etagere));
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Désert' }).waitFor();

  await follow(page, '/rangement/ranger');
  const scanFrench = await deskScanner(page, FRENCH_KEYBOARD);
  await field(page, 'Emplacement').fill('Salon');
  // The select has the focus, where letters would change the choice.
  await scanFrench(labelOf(carton));
  await page.getByText(/^Emplacement\s: Carton 12$/).waitFor();
  expect(await field(page, 'Emplacement').inputValue()).toBe('Carton 12');
  await scanFrench(ISBN);
  await page
    .getByText(/^Rangé\s: Désert$/)
    .first()
    .waitFor();
  await scanFrench('https://livres.maison/rangement/999');
  await page.getByText('Cet emplacement n’est pas dans la maison').waitFor();
  expect(await field(page, 'Emplacement').inputValue()).toBe('Carton 12');

  await follow(page, '/rangement/recolement');
  await page.getByRole('button', { name: 'Commencer' }).waitFor();
  await idle(page);
  await scanFrench(labelOf(carton));
  await page.getByText('0 vu sur 1', { exact: true }).waitFor();
  await scanFrench(labelOf(salon));
  await page.getByText('0 vu sur 0', { exact: true }).waitFor();
  await scanFrench(labelOf(etagere));
  await page.getByText('Salon › Étagère 3').waitFor();
  await scanFrench(ISBN);
  await page.getByText(/^Pas attendu ici/).waitFor();
});

test('every printed label’s code leads to its location', async () => {
  const house = await household();
  const { etagere } = await furnished(house);
  const reader = await device(house, { size: 'desk' });
  const page = await reader.open('/rangement/etiquettes');
  const images = page.locator('.sheet img');
  await expect.poll(() => images.count()).toBe(3);
  await page.getByRole('link', { name: 'Retour au rangement' }).click();
  await page.getByRole('link', { name: 'Salon', exact: true }).click();
  await heading(page, 'Salon').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('link', { name: etagere.nom, exact: true }).isVisible()).toBe(true);

  let parentId: number | null = null;
  const emplacements = [];
  for (let count = 1; count <= 66; count++) {
    const nom = count === 66 ? 'M'.repeat(190) : `Étagère ${count}`;
    emplacements.push(await ajouterEmplacement(house, { nom, parentId }));
    if (count < 5) parentId = emplacements.at(-1)?.id ?? null;
  }
  // A host name as long as a household's, so that the code is as dense.
  const origin = reader.portal.url.replace(
    '127.0.0.1',
    'bibliotheque.de-la-famille-dupont.localhost',
  );
  const [first, last] = [emplacements.at(0)?.id ?? 0, emplacements.at(-1)?.id ?? 0];
  await page.goto(`${origin}/rangement/etiquettes?emplacement=${String(first)}`);
  await page.emulateMedia({ media: 'print' });
  const scanner = await reader.context.newPage();
  await scanner.goto(`${origin}/rangement`);
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
    const id = count === 1 ? first : last;
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

test('labels that a device makes for the first time wait for the network, and say so', async () => {
  const house = await household();
  await ajouterEmplacement(house, { nom: 'Salon' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await follow(page, '/rangement/etiquettes');
  await page.getByText(/Les codes se créeront une fois en ligne/).waitFor();
  await phone.restoreNetwork();
  await expect.poll(() => page.locator('.sheet img').count(), { timeout: 20_000 }).toBe(1);
  expect(await page.getByText(/Les codes se créeront une fois en ligne/).count()).toBe(0);
  await phone.cutNetwork();
  await page.reload();
  await expect.poll(() => page.locator('.sheet img').count()).toBe(1);
});

/** A picture of a part of the page at a print resolution. */
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
