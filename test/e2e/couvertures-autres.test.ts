import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright';
import { describe, expect, onTestFinished, test } from 'vitest';
import { playUpstream } from '../../demo/upstream/server.ts';
import { accessibilityFaults, resize } from './support/accessibility.ts';
import { livreRow } from './support/catalogue.ts';
import { hasCover } from './support/covers.ts';
import { device, SIZES } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { holdWrites } from './support/hold-writes.ts';
import { household, type Household } from './support/household.ts';
import { closeSheet, pressIn } from './support/souhaits.ts';

/** An edition of the simulated catalogues. */
const ISBN = '9782948012185';

const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Autres couvertures' });

const offers = (page: Page): Locator => dialog(page).getByRole('listitem').getByRole('button');

/** A household whose catalogues know this many editions of a book, each with its own cover. */
async function houseWithSources(editions: number): Promise<{
  house: Household;
  id: number;
  state: { fail: boolean };
}> {
  const state = { fail: false };
  const intercept = (_: IncomingMessage, response: ServerResponse, { pathname }: URL): boolean => {
    if (state.fail) {
      response.writeHead(503).end();
      return true;
    }
    if (!/^\/works\/\w+\/editions\.json$/.test(pathname)) return false;
    const entries = Array.from({ length: editions }, (_each, n) => ({
      covers: [Number(ISBN.slice(3)) * 10 + n],
    }));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ entries }));
    return true;
  };
  const upstream = await playUpstream({ intercept });
  onTestFinished(() => upstream.close());
  const house = await household({
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
    OPEN_LIBRARY_COVERS_URL: upstream.openLibraryUrl,
  });
  const { id } = await house.ajouter({
    titre: 'Slow tides',
    auteurs: ['Anders Holm'],
    isbn: ISBN,
  });
  return { house, id, state };
}

async function open(page: Page): Promise<void> {
  const cover = page.getByRole('button', { name: 'Changer la couverture' });
  const others = button(page, 'Autres couvertures');
  await cover.or(others).first().waitFor();
  if (!(await others.isVisible())) await cover.click();
  await others.click();
  await dialog(page).waitFor();
}

/** The key and the source of a book's cover. */
async function coverOf(house: Household, id: number) {
  const response = await fetch(`${house.url}/api/livres/${String(id)}`);
  const { couverture } = (await response.json()) as Awaited<ReturnType<Household['ajouter']>>;
  return couverture;
}

const keyOf = (element: Element): string => /[0-9a-f]{64}/.exec(element.innerHTML)?.[0] ?? '';

describe('another cover of the sources', () => {
  test('is chosen by a press, and can be undone', async () => {
    const { house, id } = await houseWithSources(10);
    await expect.poll(async () => (await coverOf(house, id))?.source).toBe('adresse');
    const before = await coverOf(house, id);
    const bob = await (await device(house, { user: 'bob', size: 'desk' })).open();
    const row = livreRow(bob, 'Slow tides');
    await expect.poll(() => hasCover(row)).toBe(true);
    const phone = await device(house);
    const page = await phone.open(`/livres/${String(id)}`);
    await open(page);
    await offers(page).first().waitFor();
    expect(await offers(page).count()).toBe(8);
    // All of them have loaded.
    await expect
      .poll(() =>
        dialog(page)
          .getByRole('img')
          .evaluateAll(
            (images) =>
              images.filter((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)
                .length,
          ),
      )
      .toBe(8);
    expect(await accessibilityFaults(page, '/livres/[id]: other covers')).toEqual([]);

    const keys = await offers(page).evaluateAll((all) =>
      all.map(({ innerHTML }) => /[0-9a-f]{64}/.exec(innerHTML)?.[0] ?? ''),
    );
    expect(new Set(keys).size).toBe(8);
    const other = keys.findIndex((key) => key !== before?.cle);
    await offers(page).nth(other).press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await expectFeedback(page, 'Couverture changée : Slow tides');
    expect(await coverOf(house, id)).toMatchObject({ cle: keys[other], source: 'personne' });
    await expect.poll(() => row.locator('.cover').evaluate(keyOf)).toBe(keys[other]);
    await expect.poll(() => hasCover(row)).toBe(true);

    await undo(page);
    expect(await coverOf(house, id)).toEqual(before);
    await expect.poll(() => row.locator('.cover').evaluate(keyOf)).toBe(before?.cle);
    expect(
      await button(page, 'Remettre celle du catalogue : reprendre la couverture d’origine').count(),
    ).toBe(0);

    // A choice cancelled after it was sent is stored nevertheless, and the page says so.
    await open(page);
    await offers(page).nth(other).waitFor();
    const release = holdWrites(phone, /\/autres-couvertures/);
    await offers(page).nth(other).click();
    await dialog(page).getByRole('button', { name: 'Annuler' }).click();
    await page.getByText(/^L’enregistrement était déjà parti/).waitFor();
    release();
    await expectFeedback(page, 'Couverture changée : Slow tides');
    await button(page, 'Remettre celle du catalogue : reprendre la couverture d’origine').click();
    await expect.poll(() => coverOf(house, id)).toEqual(before);
    await expect.poll(() => hasCover(page.getByRole('article'))).toBe(true);
  });

  test('is chosen for a wish of its reader alone', async () => {
    const { house, id, state } = await houseWithSources(4);
    const souhait = await house.souhaiter('alice', { titre: 'Slow tides', isbn: ISBN });
    const path = `/api/souhaits/${String(souhait.id)}/autres-couvertures`;
    const asBob = await fetch(house.url + path, { headers: { SSO_USER: 'bob' } });
    expect(asBob.status).toBe(404);
    const desk = await device(house, { size: 'desk' });
    const page = await desk.open('/souhaits');
    const wish = page.getByRole('listitem').filter({ hasText: 'Slow tides' });
    await pressIn(page, 'Slow tides', 'Modifier');
    await open(page);
    await offers(page).nth(3).click();
    await dialog(page).waitFor({ state: 'detached' });
    await expectFeedback(page, 'Couverture changée : Slow tides');
    await closeSheet(page);
    await expect.poll(() => hasCover(wish)).toBe(true);

    await resize(page, SIZES.phone);
    const unknown = await house.ajouter({ titre: 'Carnet de cuisine', auteurs: ['Ninon'] });
    await follow(page, `/livres/${String(unknown.id)}`);
    await page.getByRole('heading', { name: 'Carnet de cuisine' }).waitFor();
    await open(page);
    await dialog(page).getByText('Aucune autre couverture trouvée.').waitFor();
    await dialog(page).getByRole('button', { name: 'Annuler' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    state.fail = true;
    await follow(page, `/livres/${String(id)}`);
    await page.getByRole('heading', { name: 'Slow tides' }).waitFor();
    await open(page);
    await dialog(page).getByText('Aucun autre résultat pour l’instant').waitFor();
    expect(await offers(page).count()).toBe(0);
    state.fail = false;
    await dialog(page).getByRole('button', { name: 'Annuler' }).click();
    await open(page);
    await offers(page).first().waitFor();

    await desk.cutNetwork();
    await expect.poll(() => offers(page).first().isDisabled()).toBe(true);
    const reason = await offers(page).first().getAttribute('aria-describedby');
    expect(await page.locator(`[id="${reason ?? ''}"]`).innerText()).toMatch(/hors ligne/i);
    expect((await coverOf(house, id))?.source).not.toBe('personne');
  });
});
