import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ajouterEachKind } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { openSheet } from './support/souhaits.ts';

interface DisabledControls {
  readonly disabled: number;
  /** Disabled controls whose reason is not visible, or not announced. */
  readonly silent: readonly string[];
}

/** The disabled controls of the open sheet, otherwise of the screen. */
const disabledControls = (page: Page): Promise<DisabledControls> =>
  page.evaluate(() => {
    const dialog = document.querySelector('dialog[open]');
    const disabled = [
      ...(dialog ?? document).querySelectorAll<HTMLElement>(
        'button:disabled, input:disabled, [aria-disabled=true]',
      ),
    ].filter((control) => control.checkVisibility());
    const isInSight = (reason: HTMLElement) =>
      reason.checkVisibility() && reason.innerText.trim() !== '' && reason.clientHeight > 8;
    const silent = disabled.filter((control) => {
      const ids = (control.getAttribute('aria-describedby') ?? '').split(' ');
      const reasons = ids.flatMap((id) => document.getElementById(id) ?? []);
      // A reason behind a sheet cannot be reached.
      return !reasons.some((one) => isInSight(one) && (dialog === null || dialog.contains(one)));
    });
    const names = silent.map((one) => one.ariaLabel ?? one.textContent.trim());
    return { disabled: disabled.length, silent: [...new Set(names)] };
  });

test('offline each disabled control has a reason, announced and visible', async () => {
  const house = await household();
  const { livre, paths } = await ajouterEachKind(house);
  await house.preter(livre, 'Luc');
  for (const titre of ['Sido', 'Chéri', 'Gigi']) await house.souhaiter('alice', { titre });
  await house.souhaiterRevue('alice', { titre: 'Science & Vie' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open('/souhaits');
  await page.getByRole('listitem', { name: 'Sido' }).waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page
    .getByText(/Hors ligne/)
    .first()
    .waitFor();

  for (const titre of ['Sido', 'Chéri', 'Science & Vie']) {
    const sheet = await openSheet(page, titre);
    await sheet.getByRole('button', { name: 'Je l’ai acheté' }).waitFor();
    await expect
      .poll(async () => (await disabledControls(page)).disabled, { message: titre })
      .toBeGreaterThan(2);
    expect(await disabledControls(page), titre).toMatchObject({ silent: [] });
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  }

  const screens = [
    ...Object.keys(paths),
    '/rangement',
    '/prets',
    '/souhaits',
    '/importer',
    '/importer/a-completer',
    '/reglages',
    '/a-propos',
  ];
  for (const path of screens) {
    await follow(page, path);
    await page
      .getByText(/Hors ligne/)
      .first()
      .waitFor();
    expect(await disabledControls(page), path).toMatchObject({ silent: [] });
  }
});

test('offline a book gives the reason beside its loan form', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Colline' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${String(id)}`);
  const pret = page.locator('form:has([name=emprunteur])');
  await pret.getByRole('button', { name: 'Prêter', exact: true }).waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await pret.getByText(/^Hors ligne/).waitFor();
  for (const name of ['Prêter', 'Changer la date', 'Fixer un retour'])
    expect(await pret.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
});
