import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults, faultsInEveryLook, resize } from './support/accessibility.ts';
import { resultCard, searchForBook } from './support/add.ts';
import { livreRow } from './support/catalogue.ts';
import { device, SIZES } from './support/device.ts';
import { feedback, expectFeedback, undo, UNDONE } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { fullHouse, press, stateOf } from './support/undo.ts';

test('a change of screen keeps the bar', async () => {
  const { house, path } = await fullHouse();
  const before = await stateOf(house);
  const phone = await device(house);
  const page = await phone.open(path.dune);
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await expectFeedback(page, 'Marqué comme lu : Dune');
  await page.getByRole('link', { name: 'Auteurs', exact: true }).click();
  await page.getByRole('heading', { name: 'Auteurs' }).waitFor();
  await feedback(page).hover();
  await page.getByRole('link', { name: 'Prêts', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prêts' }).waitFor();

  await phone.cutNetwork();
  const button = feedback(page).getByRole('button', { name: 'Annuler' });
  await expect.poll(() => button.isDisabled(), { message: 'offline' }).toBe(true);
  const described = await button.getAttribute('aria-describedby');
  expect(await page.locator(`#${String(described)}`).innerText()).toMatch(/hors ligne/i);
  await phone.restoreNetwork();
  await expect.poll(() => button.isDisabled(), { timeout: 60_000 }).toBe(false);
  await undo(page);
  expect(await stateOf(house)).toEqual(before);
});

test('an act is undone by the keyboard alone', async () => {
  const { house, path } = await fullHouse();
  const before = await stateOf(house);
  const page = await (await device(house, { size: 'desk' })).open(path.dune);
  await page.getByRole('button', { name: 'Supprimer' }).focus();
  await page.keyboard.press('Enter');
  await expectFeedback(page, 'Livre supprimé : Dune');
  await page.keyboard.press('Control+z');
  await expectFeedback(page, UNDONE);
  await livreRow(page, 'Dune').waitFor();
  expect(await stateOf(house)).toEqual(before);

  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  await livreRow(page, 'Sido').getByRole('link').press('Enter');
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await expectFeedback(page, 'Marqué comme lu : Sido');
  await search.press('Control+z');
  await feedback(page).getByRole('button', { name: 'Annuler' }).waitFor();

  const button = feedback(page).getByRole('button', { name: 'Annuler' });
  await button.focus();
  await page.keyboard.press('Shift+Tab');
  expect(await page.locator('main').evaluate((main) => main.contains(document.activeElement))).toBe(
    true,
  );
  await page.keyboard.press('Tab');
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await expectFeedback(page, UNDONE);
  expect(await page.locator('main').evaluate((main) => main.contains(document.activeElement))).toBe(
    true,
  );
  expect(await stateOf(house)).toEqual(before);
});

test('an undisturbed deletion asks for no confirmation', async () => {
  const { house, path } = await fullHouse();
  const page = await (await device(house, { size: 'desk' })).open(path.dune);
  const button = page.getByRole('button', { name: 'Supprimer' });
  await button.waitFor();
  await page.evaluate(() => {
    const look = () => {
      if (document.querySelector('dialog[open]') !== null) document.body.dataset['asked'] = '';
    };
    const within = { childList: true, subtree: true, attributes: true, attributeFilter: ['open'] };
    new MutationObserver(look).observe(document.body, within);
  });
  await button.click();
  await expectFeedback(page, 'Livre supprimé : Dune');
  await livreRow(page, 'Dune').waitFor({ state: 'detached' });
  expect(await page.locator('body[data-asked]').count()).toBe(0);
});

test('an undo beside a form’s « Annuler » names its act', async () => {
  const { house, path } = await fullHouse();
  const before = await stateOf(house);
  const page = await (await device(house)).open(path.dune);
  const named = (name: string) => page.getByRole('button', { name, exact: true });
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await expectFeedback(page, 'Marqué comme lu : Dune');
  await feedback(page).hover();
  expect(await named('Annuler').count()).toBe(1);
  await press(page, 'Modifier');
  await page.getByLabel('Année').fill('1965');
  expect(await named('Annuler').count()).toBe(1);
  const undoButton = named('Annuler\u00a0: Marqué comme lu\u00a0: Dune');
  expect(await undoButton.innerText()).toBe('Annuler');
  // Hovering keeps the bar open: on a busy machine the check takes longer than its timeout.
  await undoButton.hover();
  expect(await accessibilityFaults(page, '/livres/[id]/modifier: an act above the form')).toEqual(
    [],
  );
  await undoButton.click();
  await expectFeedback(page, UNDONE);
  expect(await stateOf(house)).toEqual(before);
  expect(await page.getByLabel('Année').inputValue()).toBe('1965');
  await named('Annuler').click();
  await page.getByRole('radio', { name: 'Lu', exact: true }).waitFor();
  expect(await stateOf(house)).toEqual(before);

  await page.getByLabel('Emprunteur').fill('Zoé');
  await press(page, 'Prêter');
  await expectFeedback(page, 'Prêté à Zoé : Dune');
  await feedback(page).hover();
  const pret = await fetch(`${house.url}/api/prets/2/retour`, { method: 'POST' });
  expect(pret.ok).toBe(true);
  const returned = await stateOf(house);
  await named('Annuler').click();
  await expectFeedback(page, 'Le livre a été rendu depuis.');
  expect(await feedback(page).getByRole('button').count()).toBe(0);
  expect(await stateOf(house)).toEqual(returned);
});

const overlapsOf = (page: Page): Promise<string[]> =>
  feedback(page).evaluate((bar) => {
    const box = bar.getBoundingClientRect();
    return [...document.querySelectorAll('nav a, form [type=submit]')]
      .filter((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        return top < box.bottom && bottom > box.top && left < box.right && right > box.left;
      })
      .map((element) => element.textContent);
  });

/** Runs a check at both sizes and text sizes. The pointer keeps the bar open. */
async function atEverySize(page: Page, look: (where: string) => Promise<void>): Promise<void> {
  for (const [name, size] of Object.entries(SIZES))
    for (const text of ['100%', '200%']) {
      await page.evaluate((value) => (document.documentElement.style.fontSize = value), text);
      await resize(page, size);
      await feedback(page).hover();
      await look(`${name}, ${text}`);
    }
}

test('« Annuler » shows its word or its icon at every text size, beside a screen and in « Ajouter »', async () => {
  const { house } = await householdWithCatalogues();
  const { id } = await house.ajouter({ titre: 'Dune' });
  const page = await (await device(house)).open(`/livres/${id}`);
  const undoButton = feedback(page).getByRole('button', { name: 'Annuler' });
  const expectSeen = async (where: string) => {
    const parts = await undoButton
      .locator('svg, span')
      .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().width));
    expect(Math.max(...parts), where).toBeGreaterThan(10);
  };
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await expectFeedback(page, 'Marqué comme lu : Dune');
  await atEverySize(page, (where) => expectSeen(`book, ${where}`));
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  await follow(page, '/livres/ajouter');
  await searchForBook(page, '9782948012017');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  await searchForBook(page, '9782948012253');
  await resultCard(page).getByLabel('Titre', { exact: true }).waitFor();
  await atEverySize(page, (where) => expectSeen(`« Ajouter », ${where}`));
});

test('the bar is accessible and covers no action', async () => {
  const { house, path } = await fullHouse();
  const page = await (await device(house)).open(path.dune);
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await expectFeedback(page, 'Marqué comme lu : Dune');
  await feedback(page).getByRole('button', { name: 'Annuler' }).focus();
  expect(await faultsInEveryLook(page, '/livres/[id]: the bar')).toEqual([]);
  const expectApart = async (where: string) => {
    // The pointer keeps the bar open; another size moves the bar.
    await feedback(page).hover();
    expect(await overlapsOf(page), where).toEqual([]);
  };
  for (const [name, size] of Object.entries(SIZES)) {
    await resize(page, size);
    await expectApart(`book, ${name}`);
  }
  await resize(page, SIZES.phone);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const last = await page.getByRole('button', { name: 'Supprimer' }).boundingBox();
  const bar = await feedback(page).boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await press(page, 'Modifier');
  await page.getByLabel('Année').waitFor();
  for (const [name, size] of Object.entries(SIZES)) {
    await resize(page, size);
    await expectApart(`form, ${name}`);
  }

  await resize(page, SIZES.phone);
  await follow(page, path.dune);
  await page.clock.install();
  await page.getByRole('radio', { name: 'En cours', exact: true }).check();
  await expectFeedback(page, 'Marqué en cours : Dune');
  await press(page, 'Modifier');
  await page.getByLabel('Année').waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const save = page.getByRole('button', { name: 'Enregistrer' });
  const isApart = async () => {
    const [button, shown] = [await save.boundingBox(), await feedback(page).boundingBox()];
    if (button === null || shown === null) return null;
    return button.y + button.height <= shown.y || shown.y + shown.height <= button.y;
  };
  await expect.poll(isApart, { message: 'the end of a form' }).toBe(true);
  const { x = 0, y = 0 } = (await feedback(page).boundingBox()) ?? {};
  await page.clock.fastForward(11_000);
  await feedback(page).waitFor({ state: 'detached' });

  await follow(page, path.dune);
  const radio = page.getByRole('radio', { name: 'À lire', exact: true });
  await radio.waitFor();
  await page.mouse.move(x + 60, y + 10);
  await radio.press('Space');
  await expectFeedback(page, 'Marqué à lire : Dune');
  // Browsers report an element that appears under a resting pointer as a move of no distance.
  await page.mouse.move(x + 60, y + 10);
  expect(await feedback(page).evaluate((bar) => bar.matches(':hover'))).toBe(true);
  await page.clock.fastForward(11_000);
  await feedback(page).waitFor({ state: 'detached' });
});

/** The index of the lowest control that is entirely above the tabs or the window's edge. */
const lowest = (page: Page, name: RegExp): Promise<number> =>
  page.getByRole('button', { name }).evaluateAll((buttons) => {
    const tabs = document.querySelector('.tab-bar')?.getBoundingClientRect().top ?? innerHeight;
    return buttons.findLastIndex(
      (button) => (button.closest('li') ?? button).getBoundingClientRect().bottom <= tabs,
    );
  });

test('the bar pushes up what is used next', async () => {
  const house = await household();
  for (let i = 0; i < 30; i++)
    await house.preter(await house.ajouter({ titre: `Tome ${String(i)}` }), 'Luc');
  for (const size of ['phone', 'desk'] as const) {
    const page = await (await device(house, { size })).open('/prets');
    const RENDU = /^Rendu.: /;
    await page.getByRole('button', { name: RENDU }).first().waitFor();
    const index = await lowest(page, RENDU);
    expect(index, size).toBeGreaterThan(1);
    const names = await page
      .getByRole('button', { name: RENDU })
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
    const [pressed = '', next = ''] = [names[index], names[index + 1]];
    await page.getByRole('button', { name: pressed, exact: true }).click();
    await expectFeedback(page, pressed.replace('Rendu', 'Rendu par Luc'));
    await page.getByRole('button', { name: pressed, exact: true }).waitFor({ state: 'detached' });
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: next, exact: true }) })
      .last();
    const covers = async () => {
      const [bar, below] = [await feedback(page).boundingBox(), await row.boundingBox()];
      return bar !== null && below !== null && below.y + below.height > bar.y + 0.5;
    };
    await expect.poll(covers, { message: size }).toBe(false);
    const height = (await feedback(page).boundingBox())?.height ?? Number.POSITIVE_INFINITY;
    expect(height, size).toBeLessThan(50);
    // The bar spans the window and touches its bottom: no row shows beside or below it.
    const gaps = await feedback(page).evaluate((bar) => {
      const { left, right, bottom } = bar.getBoundingClientRect();
      const tabs = document.querySelector('.tab-bar')?.getBoundingClientRect().top ?? innerHeight;
      const rail = document.querySelector('.rail')?.getBoundingClientRect().right ?? 0;
      const { clientWidth } = document.documentElement;
      return Math.max(
        Math.abs(left - rail),
        Math.abs(clientWidth - right),
        Math.abs(tabs - bottom),
      );
    });
    // The border of the tabs.
    expect(gaps, size).toBeLessThan(1.5);
  }
});

test('the bar stays one line in every size', async () => {
  const house = await household();
  const titre = 'Le très long voyage de monsieur Perrichon et de toute sa famille aux bains de mer';
  const [first, second] = [await house.ajouter({ titre }), await house.ajouter({ titre: 'Dune' })];
  await house.preter(first, 'Luc');
  await house.preter(second, 'Zoé');
  const page = await (await device(house)).open('/prets');
  const line = feedback(page).locator('p');
  const heightInLines = () =>
    line.evaluate((element) => {
      const { height } = element.getBoundingClientRect();
      return height / Number.parseFloat(getComputedStyle(element).lineHeight);
    });
  /** The length of the visible part of the heading, in letters of average width. */
  const headLength = () =>
    line
      .locator('span')
      .first()
      .evaluate(
        (head) =>
          (2 * head.getBoundingClientRect().width) /
          Number.parseFloat(getComputedStyle(head).fontSize),
      );
  await page
    .getByRole('button', { name: /^Rendu.: / })
    .first()
    .click();
  await expectFeedback(page, `Rendu par Luc : ${titre}`);
  await atEverySize(page, async (where) => {
    expect(await heightInLines(), where).toBeLessThan(1.2);
    expect(await headLength(), where).toBeGreaterThan('Rendu par'.length);
  });
  await undo(page);
  expect(await line.innerText()).toContain('est annulé.');
  await atEverySize(page, async (where) => {
    expect(await heightInLines(), where).toBeLessThan(1.2);
    const isWhole = (tail: Element) => tail.scrollWidth <= tail.clientWidth;
    expect(await line.locator('.end').evaluate(isWhole), where).toBe(true);
  });
});

test('the bar does not cover the controls that a status brings up', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  const page = await (await device(house)).open(`/livres/${id}`);
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await expectFeedback(page, /Désert/);
  const write = page.getByRole('button', { name: 'Écrire un avis' });
  await write.waitFor();
  const isFree = () =>
    write.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return button.contains(found);
    });
  await expect.poll(isFree).toBe(true);
});
