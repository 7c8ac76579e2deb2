import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { hasCover, photo, photograph } from './support/covers.ts';
import { device } from './support/device.ts';
import { expectFeedback, view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const RED = '#aa3322';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Takes a picture in the form of a new record. */
async function photographNew(page: Page, image: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Photographier la couverture').click();
  await (await chooser).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: image });
  await button(page, 'Utiliser l’image').click();
  await page.getByRole('img', { name: 'La couverture prise' }).waitFor();
}

describe('a cover photographed while adding', () => {
  test('becomes the new book’s or wish’s, never an issue’s', async () => {
    const house = await household();
    const page = await (await device(house)).open('/livres/ajouter');
    await unfold(page);
    await page.getByLabel('Titre', { exact: true }).fill('Désert');
    await photographNew(page, await photo(RED));
    expect(await accessibilityFaults(page, '/livres/ajouter: a picture to cut')).toEqual([]);
    await button(page, 'Ajouter').click();
    await view(page, 'Livre ajouté : Désert');
    await expect.poll(() => hasCover(page.getByRole('article'))).toBe(true);

    await follow(page, '/revues/ajouter');
    await page.getByLabel('Titre').fill('Géo');
    await page.getByLabel('Numéro').fill('500');
    await page.getByLabel('Adresse de la couverture').waitFor();
    expect(await button(page, 'Photographier la couverture').count()).toBe(0);
    await button(page, 'Enregistrer').click();
    await page.getByRole('listitem').filter({ hasText: '500' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: /500/ }).waitFor();
    expect(await button(page, 'Photographier la couverture').count()).toBe(0);

    await follow(page, '/souhaits/ajouter');
    await unfold(page);
    await page.getByLabel('Titre', { exact: true }).fill('Regain');
    await photographNew(page, await photo('#334488'));
    await button(page, 'Ajouter').click();
    await view(page, 'Souhait ajouté au rang 1 : Regain');
    const wish = page.getByRole('listitem').filter({ hasText: 'Regain' });
    await expect.poll(() => hasCover(wish)).toBe(true);
    await page.getByRole('button', { name: /^Annuler/ }).click();
    await wish.waitFor({ state: 'detached' });
  });

  test('has its book wait while it is read', async () => {
    const house = await household();
    const phone = await device(house);
    await phone.context.addInitScript(() => {
      HTMLImageElement.prototype.decode = async function () {
        const loaded = new Promise((done) => this.addEventListener('load', done));
        await new Promise((resume) => addEventListener('decode', resume, { once: true }));
        await loaded;
      };
    });
    const page = await phone.open('/livres/ajouter');
    await unfold(page);
    await page.getByLabel('Titre', { exact: true }).fill('Désert');
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Photographier la couverture').click();
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo(RED) };
    await (await chooser).setFiles(file);
    await page.getByRole('progressbar').waitFor();
    await button(page, 'Ajouter').click();
    expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Désert');
    await page.evaluate(() => dispatchEvent(new Event('decode')));
    await button(page, 'Utiliser l’image').click();
    await button(page, 'Ajouter').click();
    await view(page, 'Livre ajouté : Désert');
    await expect.poll(() => hasCover(page.getByRole('article'))).toBe(true);
  });

  test('is sent again when its answer is lost or refused', async () => {
    const house = await household();
    const { id } = await house.ajouter({ titre: 'Regain' });
    const page = await (await device(house)).open(`/livres/${String(id)}`);
    await button(page, 'Changer la couverture').waitFor();
    expect(await hasCover(page.getByRole('article'))).toBe(false);
    await photograph(page, await photo(RED));
    await expectFeedback(page, 'Couverture changée : Regain');
    await expect.poll(() => hasCover(page.getByRole('article'))).toBe(true);

    await follow(page, '/livres/ajouter');
    await unfold(page);
    await page.route('**/api/livres/*/couverture', (route) => route.abort(), { times: 1 });
    await page.getByLabel('Titre', { exact: true }).fill('Antigone');
    await photographNew(page, await photo('#226644'));
    await button(page, 'Ajouter').click();
    await view(page, 'Livre ajouté : Antigone');
    await expect.poll(() => hasCover(page.getByRole('article', { name: 'Antigone' }))).toBe(true);

    await follow(page, '/livres/ajouter');
    await unfold(page);
    const refusal = {
      statusCode: 400,
      error: 'Bad Request',
      code: 'IMAGE_INVALIDE',
      message: 'Ce fichier n’est pas une image.',
    };
    await page.route('**/api/livres/*/couverture', (route) =>
      route.fulfill({ status: 400, json: refusal }),
    );
    await page.getByLabel('Titre', { exact: true }).fill('Désert');
    await photographNew(page, await photo(RED));
    await button(page, 'Ajouter').click();
    await page
      .getByText(/«\sDésert\s» est ajouté, mais l’envoi de sa couverture a échoué/)
      .waitFor();
    expect(await house.titres()).toEqual(['Antigone', 'Désert', 'Regain']);
    await page.unroute('**/api/livres/*/couverture');
    await view(page, 'Livre ajouté : Désert');
    await button(page, 'Renvoyer la couverture').click();
    const record = page.getByRole('article', { name: 'Désert' });
    await expect.poll(() => hasCover(record)).toBe(true);
    await button(page, 'Renvoyer la couverture').waitFor({ state: 'detached' });
  });
});
