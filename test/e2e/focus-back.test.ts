import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { bar, select } from './support/selection.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';
import { openSheet } from './support/souhaits.ts';

/** The label or text of the focused element; `BODY` if nothing has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return 'BODY';
    return (element.ariaLabel ?? element.textContent).trim().replaceAll(/\s+/g, ' ');
  });

test('a sheet that a key opens gives the focus to nothing that was pressed before', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  await house.preter(livre, 'Luc');
  const desk = await device(house, { size: 'desk' });
  const page = await desk.open(`/livres/${String(livre.id)}`);
  const rendre = page.getByRole('button', { name: /^Rendu.: / });
  const returned = Promise.withResolvers<undefined>();
  desk.portal.delay = (path) => (/retour/.test(path) ? returned.promise : Promise.resolve());
  await rendre.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rendre.isDisabled()).toBe(true);
  expect(await focused(page)).toMatch(/^Rendu/);
  // A second press does nothing.
  await page.keyboard.press('Enter');
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

test('the focus stays on a button that its own press has disabled', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  await house.preter(livre, 'Luc');
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(livre.id)}`);
  const rendre = page.getByRole('button', { name: /^Rendu.: / });
  await rendre.waitFor();
  phone.portal.breaks = (_method, path) => /retour/.test(path);
  await rendre.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await expect.poll(() => focused(page)).toMatch(/^Rendu/);
  // If the action removes its button, the focus stays in the section.
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

test('the focus returns to any control that was disabled while focused', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  await house.preter(livre, 'Luc');
  const phone = await device(house);
  const page = await phone.open();
  await select(page, 'Regain');
  phone.portal.breaks = (_method, path) => path.endsWith('/lot');
  const rendre = bar(page).getByRole('button', { name: 'Rendre' });
  await rendre.press('Enter');
  await bar(page).getByRole('alert').waitFor();
  await expect.poll(() => focused(page)).toBe('Rendre');
  // If the action closes the bar, the focus moves on, and not to the page.
  phone.portal.breaks = null;
  await page.keyboard.press('Enter');
  await bar(page).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).not.toBe('BODY');
});

test('a row that its own button takes away leaves the focus to the next one', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (
    await device(house, { size: 'desk' })
  ).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const code of ['9782948012024', '9772917044002', '9782948012161']) await scan(code);
  await page.getByText('2 à finir').waitFor();
  await page.getByRole('button', { name: /livre cette fois/ }).click();
  const rows = page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(3);
  const focusedRow = () =>
    rows.evaluateAll((all) => all.findIndex((row) => row.contains(document.activeElement)));
  // After a row is removed, the next one has the focus; after the last, the previous one.
  await rows
    .nth(1)
    .getByRole('button', { name: /^Retirer/ })
    .press('Enter');
  await expect.poll(() => rows.count()).toBe(2);
  await expect.poll(focusedRow).toBe(1);
  await rows
    .nth(1)
    .getByRole('button', { name: /^Retirer/ })
    .press('Enter');
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(focusedRow).toBe(0);
});

test('the focus stays near a button that is not there after its press', async () => {
  const house = await household();
  for (let i = 0; i < 3; i++) await house.ajouter({ titre: `Antigone ${String(i)}` });
  const page = await (await device(house)).open('/?typeDocument=Roman');
  const all = page.getByRole('button', { name: 'Tout afficher' }).first();
  await all.press('Enter');
  await page.getByRole('link', { name: 'Antigone 0' }).waitFor();
  await expect.poll(() => focused(page)).not.toBe('BODY');
});

test('a control disabled by the network keeps the focus, does nothing, and works by the same key later', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  await house.preter(livre, 'Luc');
  await house.souhaiter('alice', { titre: 'Sido' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(livre.id)}`);
  const cases: readonly { path: string; held: string; opens: () => Promise<unknown> }[] = [
    {
      path: `/livres/${String(livre.id)}`,
      held: 'Corriger le prêt',
      opens: () => page.getByLabel('Emprunteur').waitFor(),
    },
    {
      path: '/souhaits',
      held: 'Ajouter',
      opens: () => page.waitForURL('**/souhaits/ajouter'),
    },
  ];
  for (const { path, held, opens } of cases) {
    await follow(page, path);
    const control = page
      .getByRole('button', { name: held, exact: true })
      .or(page.getByRole('link', { name: held, exact: true }))
      .filter({ visible: true })
      .first();
    await expect.poll(() => control.isEnabled(), { message: held }).toBe(true);
    await control.focus();
    await phone.cutNetwork();
    await expect.poll(() => control.isDisabled(), { message: held }).toBe(true);
    expect(await focused(page), held).toBe(held);
    await page.keyboard.press('Enter');
    expect(await focused(page), held).toBe(held);
    await phone.restoreNetwork();
    await expect.poll(() => control.isEnabled(), { message: held }).toBe(true);
    expect(await focused(page), held).toBe(held);
    await page.keyboard.press('Enter');
    await opens();
  }
});

/** Deletes a wish as another device of its reader. */
async function deleteElsewhere(url: string, id: number): Promise<void> {
  const path = `${url}/api/souhaits/${String(id)}`;
  const { ok } = await fetch(path, { method: 'DELETE', headers: { SSO_USER: 'alice' } });
  expect(ok).toBe(true);
}

test('a sheet closed by its record’s deletion, here or on another device, gives the focus back', async () => {
  const house = await household();
  const first = await house.souhaiter('alice', { titre: 'Sido' });
  for (const titre of ['Chéri', 'Gigi', 'Colline']) await house.souhaiter('alice', { titre });
  const page = await (await device(house)).open('/souhaits');
  // Deleted here: the next row gets the focus.
  const second = await openSheet(page, 'Chéri');
  await second.getByRole('button', { name: 'Supprimer' }).press('Enter');
  await second.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toMatch(/Gigi/);
  // Deleted on another device, then the sheet is closed by a key.
  const sheet = await openSheet(page, 'Sido');
  await deleteElsewhere(house.url, first.id);
  await page.getByRole('listitem', { name: 'Sido' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toMatch(/Gigi/);
});

test('a sheet closed by its record’s deletion leaves the focus nearby, or on the screen’s message', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain' });
  const pret = await house.preter(livre, 'Luc');
  const page = await (await device(house)).open(`/livres/${String(livre.id)}`);
  await page.getByRole('button', { name: 'Rappeler' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await house.rendre(pret);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Prêter' }).waitFor();
  await expect.poll(() => focused(page)).not.toBe('BODY');
  await page.getByRole('button', { name: 'Changer la couverture' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  const { ok } = await fetch(`${house.url}/api/livres/${String(livre.id)}`, { method: 'DELETE' });
  expect(ok).toBe(true);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).not.toBe('BODY');
});

test('each of five ways to close a sheet gives the focus back', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  for (const titre of ['Sido', 'Chéri', 'Gigi']) await house.souhaiter('alice', { titre });
  const page = await (await device(house)).open('/');
  await follow(page, '/souhaits');
  const sheet = page.getByRole('dialog');
  const back = async () => {
    await page.goBack();
    await page.getByRole('link', { name: 'Regain' }).waitFor();
    expect(await sheet.count()).toBe(0);
  };
  const byKey = async (titre: string) => {
    const row = page.getByRole('button', { name: titre, exact: true });
    await row.press('Enter');
    await sheet.waitFor();
  };
  // The control that Tab reaches after navigating back with the sheet closed.
  await back();
  await page.keyboard.press('Tab');
  const first = await focused(page);
  await page.goForward();

  const closers = {
    'a press': () => sheet.getByRole('button', { name: 'Fermer' }).press('Enter'),
    Escape: () => page.keyboard.press('Escape'),
    'its state': () => sheet.evaluate((one) => void one.dispatchEvent(new Event('close'))),
  };
  for (const [name, close] of Object.entries(closers)) {
    await byKey('Sido');
    await close();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), { message: name }).toBe('Sido');
  }
  await byKey('Sido');
  await sheet.getByRole('button', { name: 'Supprimer' }).press('Enter');
  await sheet.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page), { message: 'its record’s deletion' }).toMatch(/Chéri/);

  await byKey('Chéri');
  await back();
  await page.keyboard.press('Tab');
  expect(await focused(page), 'a navigation').toBe(first);
  // Going forward does not open the sheet, so its opener can have the focus.
  await page.goForward();
  await byKey('Chéri');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('Chéri');
});
