import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { withoutNews } from './support/souhaits.ts';

/** What has the focus, by its name or its words; `BODY` where the page has it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return 'BODY';
    return (element.ariaLabel ?? element.textContent).trim().replaceAll(/\s+/g, ' ');
  });

/** Opens a sheet by the keyboard from the control of a name, and says what had the focus. */
async function openByKeyboard(page: Page, name: string | RegExp): Promise<string> {
  const opener = page.getByRole('main').getByRole('button', { name }).first();
  await opener.focus();
  const before = await focused(page);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  return before;
}

const SHEETS: readonly (readonly [path: string, opener: string | RegExp])[] = [
  ['/', /, tri et affichage$/],
  ['/livres/1', 'Changer la couverture'],
  ['/prets', /^Rappeler/],
  ['/souhaits', /Zazie/],
  ['/reglages', /^Nom de la bibliothèque/],
  ['/reglages', /^Exporter/],
  ['/reglages', /^Sauvegardes/],
];

test('the focus goes back to what opened a sheet', async () => {
  const house = await household();
  const regain = await house.ajouter({ titre: 'Regain' });
  await house.preter(regain, 'Luc');
  for (let i = 0; i < 3; i++) await house.ajouter({ titre: `Antigone ${String(i)}` });
  await house.souhaiter('alice', { titre: 'Zazie dans le métro' });
  const page = await (await device(house)).open();
  await page.getByRole('link', { name: 'Regain' }).first().waitFor();
  for (const [path, opener] of SHEETS) {
    await follow(page, path);
    const before = await openByKeyboard(page, opener);
    expect(before, String(opener)).not.toBe('BODY');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), { message: `Escape: ${String(opener)}` }).toBe(before);
    // By its state, as where an answer takes it away: nothing has closed it.
    await openByKeyboard(page, opener);
    await page.locator('dialog[open]').evaluate((sheet) => sheet.dispatchEvent(new Event('close')));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), { message: `state: ${String(opener)}` }).toBe(before);
  }
});

test('a sheet that a key opens gives the focus to nothing that was pressed before', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  await house.preter(livre, 'Luc');
  const desk = await device(house, { size: 'desk' });
  const page = await desk.open(`/livres/${String(livre.id)}`);
  const rendre = page.getByRole('button', { name: 'Rendre' });
  const returned = Promise.withResolvers<undefined>();
  desk.portal.delay = (path) => (/retour/.test(path) ? returned.promise : Promise.resolve());
  await rendre.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('BODY');
  const other = page.getByRole('navigation').getByRole('link').first();
  await other.focus();
  returned.resolve(undefined);
  await page.getByRole('button', { name: 'Prêter' }).waitFor();
  await other.evaluate((link: HTMLElement) => link.blur());
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(await focused(page)).toBe('BODY');
});

test('the focus comes back to a button that its own press has disabled', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  await house.preter(livre, 'Luc');
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(livre.id)}`);
  const rendre = page.getByRole('button', { name: 'Rendre' });
  await rendre.waitFor();
  phone.portal.breaks = (_method, path) => /retour/.test(path);
  await rendre.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await expect.poll(() => focused(page)).toMatch(/^Rendre/);
  // Where the button goes with what it has done, the focus stays in what it stood in.
  phone.portal.breaks = null;
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Prêter' }).waitFor();
  const isInSection = () =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Prêt', exact: true }) })
      .evaluate((section) => section.contains(document.activeElement));
  await expect.poll(isInSection).toBe(true);
});

test('a question about a deletion gives the focus back to what asked for it', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(id)}`);
  const supprimer = page.getByRole('button', { name: 'Supprimer' });
  await supprimer.waitFor();
  const letNewsThrough = withoutNews(phone);
  const response = await fetch(`${house.url}/api/livres/${String(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ titre: 'Désert', format: 'Physique', editeur: 'Folio' }),
  });
  expect(response.ok).toBe(true);
  await supprimer.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Supprimer « Désert » ?' });
  await dialog.getByText('Folio').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Supprimer');
  letNewsThrough();
});
