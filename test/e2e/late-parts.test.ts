import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { addField, unfold } from './support/add.ts';
import { showAs } from './support/catalogue.ts';
import { startSelection } from './support/selection.ts';
import { openCover } from './support/covers.ts';
import { device, type Device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { recordUnannounced, unannounced } from './support/live-regions.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

// Some components are loaded when they are first shown. A device without a service worker requests them from the
// server, which may be slow or unreachable.

const SENTENCE = /Cette partie de l’écran ne s’est pas chargée/;
const CODE = '**/_app/immutable/**';

/** The list of French files: the folder may contain other languages. */
const { files: french } = JSON.parse(readFileSync('build/client/files.fr.json', 'utf8')) as {
  files: string[];
};

const chunkWith = (text: string): string | undefined =>
  french
    .filter((path) => path.includes('/chunks/') && path.endsWith('.js'))
    .map((path) => `build/client${path}`)
    .find((file) => readFileSync(file, 'utf8').includes(text));

/** The chunk that the frame loads after the first screen: keyboard shortcuts and the bar. */
const late = chunkWith('main [name="emprunteur"]');
const isLate = (path: string): boolean => late?.endsWith(path) === true;

/** The chunk that stores thumbnails, which is loaded last. */
const keeper = chunkWith('savesData');

/** The chunk of « Ajouter », with code shared by other screens. */
const sheet = chunkWith('class="add-sheet');

const isCode = (path: string): boolean => path.startsWith('/_app/immutable/');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A device that caches nothing, as over an insecure connection. */
async function keepingNothing(house: Household): Promise<Device> {
  const opened = await device(house, { size: 'desk' });
  await opened.context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
  });
  return opened;
}

/** A device whose pages defer everything after their first paint until `paint` is called. */
async function beforePaint(house: Household): Promise<Device> {
  const opened = await keepingNothing(house);
  await opened.context.addInitScript(() => {
    const native = globalThis.requestAnimationFrame.bind(globalThis);
    const callbacks: FrameRequestCallback[] = [];
    globalThis.requestAnimationFrame = (callback) => callbacks.push(callback);
    addEventListener('paint', () => {
      globalThis.requestAnimationFrame = native;
      for (const callback of callbacks) native(callback);
    });
  });
  return opened;
}

const paint = (page: Page) => page.evaluate(() => dispatchEvent(new Event('paint')));

async function houseWithRegain(): Promise<{ house: Household; path: string }> {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Regain' });
  await house.souhaiter('alice', { titre: 'Que ma joie demeure' });
  return { house, path: `/livres/${String(id)}` };
}

interface Part {
  readonly name: string;
  /** Shown on the screen of the book instead of the catalogue. */
  readonly ofLivre?: true;
  /** The address records that the part is shown. */
  readonly inAddress?: true;
  readonly show: (page: Page) => Promise<unknown>;
  readonly shown: (page: Page) => Promise<unknown>;
  /** Closes the part, for the ones after it. */
  readonly leave?: (page: Page) => Promise<unknown>;
}

const PARTS: readonly Part[] = [
  {
    name: 'the list of keys',
    show: (page) => page.keyboard.press('?'),
    shown: (page) => page.getByRole('dialog', { name: 'Raccourcis du clavier' }).waitFor(),
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'the other ways to add',
    show: (page) => button(page, 'Autres façons d’ajouter').click(),
    shown: (page) => page.getByRole('link', { name: 'Importer une liste' }).waitFor(),
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'the wall of covers',
    inAddress: true,
    show: (page) => showAs(page, 'Couvertures'),
    shown: (page) =>
      page
        .getByRole('main')
        .locator('.tile')
        .getByRole('link', { name: /Regain/ })
        .waitFor(),
    leave: (page) => showAs(page, 'Liste'),
  },
  {
    name: 'the panel of filters',
    show: (page) => page.getByRole('button', { name: 'Filtres' }).click(),
    shown: (page) => page.getByRole('group', { name: 'Lecture' }).waitFor(),
  },
  {
    name: 'the bar of a selection',
    show: startSelection,
    shown: (page) => page.getByRole('region', { name: 'Actions sur la sélection' }).waitFor(),
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'the global search',
    inAddress: true,
    show: (page) => page.getByRole('searchbox').fill('joie'),
    shown: (page) => page.getByRole('link', { name: 'Que ma joie demeure' }).waitFor(),
  },
  {
    name: 'the history of a book',
    ofLivre: true,
    show: (page) => page.getByText('Historique', { exact: true }).click(),
    shown: (page) => page.getByRole('list', { name: 'Historique' }).waitFor(),
  },
];

/**
 * Presses « Réessayer » until the part is shown. Browsers that cache a failed module for the page's life (Firefox,
 * some versions of Chromium) reload the page; then the part is opened again.
 */
async function retry(
  page: Page,
  shown: () => Promise<unknown>,
  askAgain: () => Promise<unknown>,
): Promise<void> {
  const done = Promise.any([
    shown(),
    page.waitForEvent('domcontentloaded').then(askAgain).then(shown),
  ]).then(() => true);
  const again = button(page, 'Réessayer').first();
  // More presses are needed while the page does not know that the server is back.
  do if (await again.isVisible()) await again.click();
  while (!(await Promise.race([done, page.waitForTimeout(500).then(() => false)])));
}

/** The number of controls with `aria-expanded` whose element is not on the page. */
const controlsOfNothing = (page: Page): Promise<number> =>
  page
    .locator('[aria-expanded=true][aria-controls]')
    .evaluateAll(
      (all) =>
        all.filter((one) => !document.getElementById(one.getAttribute('aria-controls') ?? ''))
          .length,
    );

const showsRegain = (page: Page): Promise<void> =>
  page.getByRole('main').getByText('Regain', { exact: true }).first().waitFor();

const says = (page: Page): Promise<boolean> => page.getByText(SENTENCE).first().isVisible();

/** Opens and closes the sheet of orders, a lazily loaded component, from which the wall is chosen. */
async function knowOrders(page: Page): Promise<void> {
  const orders = page.getByRole('button', { name: /tri et affichage$/ });
  if ((await orders.count()) === 0) return;
  await orders.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a part that cannot be loaded can be tried again', async () => {
  const { house, path } = await houseWithRegain();
  const desk = await keepingNothing(house);
  const page = await desk.open();
  await showsRegain(page);
  for (const part of PARTS) {
    if (part.ofLivre) await follow(page, path);
    await showsRegain(page);
    await knowOrders(page);
    desk.portal.breaks = (_, path) => isCode(path);
    await part.show(page);
    await expect.poll(() => says(page), { message: part.name }).toBe(true);
    expect(await controlsOfNothing(page), part.name).toBe(0);
    desk.portal.breaks = null;
    await retry(
      page,
      () => part.shown(page),
      async () => {
        if (part.inAddress) return;
        await showsRegain(page);
        await part.show(page);
      },
    );
    expect(await says(page), part.name).toBe(false);
    await part.leave?.(page);
  }

  await desk.cutNetwork();
  await page.getByRole('link', { name: 'Prêts' }).click();
  await page.getByText('Cette page n’est pas sur cet appareil').waitFor();
  await desk.restoreNetwork();
  await retry(
    page,
    () => page.getByText('Rien n’est prêté').waitFor(),
    () => page.getByRole('link', { name: 'Prêts' }).click(),
  );
});

test('a module deleted with its version reloads the page', async () => {
  const { house } = await houseWithRegain();
  const desk = await keepingNothing(house);
  const page = await desk.open();
  await page.getByRole('link', { name: 'Regain', exact: true }).waitFor();
  let isGone = true;
  desk.portal.breaks = (_, path) => {
    if (path === '/') isGone = false;
    return isGone && isCode(path);
  };
  await page.keyboard.press('?');
  await page.getByText(SENTENCE).first().waitFor();
  const loaded = page.waitForEvent('domcontentloaded');
  await button(page, 'Réessayer').click();
  await loaded;
  await page.getByRole('link', { name: 'Regain', exact: true }).click();
  await page.getByRole('heading', { name: 'Regain', exact: true }).waitFor();

  desk.portal.breaks = (_, path) => isCode(path);
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 300 } });
  const choose = async () => {
    await openCover(page);
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Choisir une image').click();
    await (await chooser).setFiles({ name: 'une.png', mimeType: 'image/png', buffer });
  };
  await choose();
  await page.getByText(SENTENCE).first().waitFor();
  desk.portal.breaks = null;
  const frame = page.getByRole('dialog', { name: 'Cadrer la couverture' });
  await retry(page, () => frame.waitFor(), choose);
  await button(page, 'Enregistrer').click();
  await expectFeedback(page, 'Couverture changée : Regain');
});

test('the code of « Ajouter » is preloaded after the list, no other screen’s is', async () => {
  const { house } = await houseWithRegain();
  const desk = await device(house, { size: 'desk' });
  const paths: string[] = [];
  desk.context.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await desk.context.clock.install();
  const page = await desk.open();
  await showsRegain(page);
  expect(keeper).toBeDefined();
  await expect.poll(() => paths.some((path) => keeper?.endsWith(path))).toBe(true);
  await expect.poll(() => button(page, 'Autres façons d’ajouter').isEnabled()).toBe(true);
  // Longer than the delay before books with a code are completed.
  await desk.context.clock.fastForward(60_000);
  await page.waitForLoadState('networkidle');
  expect(paths.filter(isLate)).toHaveLength(1);
  expect(sheet).toBeDefined();
  await expect.poll(() => paths.filter((path) => sheet?.endsWith(path)).length).toBe(1);
  const nodes = paths.filter((path) => /\/nodes\/.*\.js$/.test(path));
  paths.splice(0);
  await button(page, 'Autres façons d’ajouter').press('Escape');
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await addField(page).waitFor();
  expect(
    paths.filter((path) => sheet?.endsWith(path) === true || path.includes('/nodes/')),
  ).toEqual([]);
  // The layouts and pages: the frame, the error page, the catalogue (two) and « Ajouter ».
  expect(nodes).toHaveLength(5);
});

/** A device whose service worker fails to load, and its requests so far. */
async function withoutWorker() {
  const { house } = await houseWithRegain();
  const desk = await device(house, { size: 'desk', serviceWorker: true });
  const asked: string[] = [];
  desk.portal.breaks = (_, path) => path === '/service-worker.js' && asked.push(path) > 0;
  const page = await desk.open();
  await showsRegain(page);
  return { house, desk, page, asked };
}

test('a service worker that fails to load is asked again', async () => {
  const { house, desk, page, asked } = await withoutWorker();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  desk.portal.breaks = null;
  await house.ajouter({ titre: 'Colline' });
  await page.getByRole('main').getByText('Colline', { exact: true }).first().waitFor();
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registered).toBe(1);
});

test('a service worker that never loads is asked thrice', async () => {
  const { house, page, asked } = await withoutWorker();
  for (const titre of ['Colline', 'Jean le Bleu', 'Le Hussard', 'Un roi']) {
    await house.ajouter({ titre });
    await page.getByRole('main').getByText(titre, { exact: true }).first().waitFor();
  }
  await expect.poll(() => asked.length).toBe(3);
});

test('Escape gives up a part that is on its way', async () => {
  const { house, path } = await houseWithRegain();
  const desk = await keepingNothing(house);
  const page = await desk.open(path);
  await page.getByRole('heading', { name: 'Regain', exact: true }).waitFor();
  const keys = Promise.withResolvers<undefined>();
  desk.portal.delay = (at) => (isCode(at) ? keys.promise : Promise.resolve());
  const asked = page.waitForRequest(CODE);
  await page.keyboard.press('?');
  await asked;
  await page.keyboard.press('Escape');
  const answered = page.waitForResponse(CODE);
  keys.resolve(undefined);
  await answered;
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Raccourcis du clavier' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { name: 'Regain', exact: true }).count()).toBe(1);
});

test('a print part that cannot load leaves the page working', async () => {
  const { house } = await houseWithRegain();
  const desk = await keepingNothing(house);
  await desk.context.clock.install();
  const isOfPaper = (address: string): boolean => address.includes('/assets/quiet.');
  const broken = desk.context.waitForEvent('requestfailed', {
    predicate: (request) => isOfPaper(request.url()),
  });
  desk.portal.breaks = (_, path) => isOfPaper(path);
  const page = await desk.open();
  await showsRegain(page);
  await broken;
  await page.evaluate(() => Reflect.set(globalThis, 'isSamePage', true));
  desk.portal.breaks = null;
  // The delay before a failed start is tried again.
  await desk.context.clock.runFor(1000);
  await page.getByRole('link', { name: 'Prêts' }).click();
  await page.getByText('Rien n’est prêté').waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage') === true)).toBe(true);
});

test('a scan before its code is there is kept', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  await house.ajouter({ titre: 'Regain' });
  const desk = await keepingNothing(house);
  const code = Promise.withResolvers<undefined>();
  desk.portal.delay = (path) => (isLate(path) ? code.promise : Promise.resolve());
  const opening = desk.context.waitForEvent('page');
  // The page's `load` event needs the delayed file.
  const isOpen = desk.open();
  const page = await opening;
  await showsRegain(page);
  const field = page.getByRole('searchbox');
  await field.focus();
  await (
    await deskScanner(page)
  )('9782070408504');
  expect(await field.inputValue()).toBe('9782070408504');
  code.resolve(undefined);
  await isOpen;
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  expect(await field.inputValue()).toBe('');
});

test('scans before their code is there leave the field', async () => {
  const { house } = await householdWithCatalogues();
  const desk = await beforePaint(house);
  const page = await desk.open('/livres/ajouter');
  await unfold(page);
  const field = page.getByLabel('ISBN, titre ou auteur');
  await field.focus();
  const scan = await deskScanner(page);
  const codes = ['9782948012017', '9782948012031', '9782948012048'];
  for (const one of codes) await scan(one);
  expect(await field.inputValue()).toBe(codes.join(''));
  await paint(page);
  await page.getByRole('link', { name: '2 livres cette fois', exact: true }).waitFor();
  expect(await field.inputValue()).toBe(codes[0]);
});

test('an early scan into a code field saves its form', async () => {
  const { house, path } = await houseWithRegain();
  const desk = await beforePaint(house);
  const page = await desk.open(`${path}/modifier`);
  const field = page.getByLabel('ISBN', { exact: true });
  await expect.poll(() => button(page, 'Enregistrer').isEnabled()).toBe(true);
  await field.focus();
  await (
    await deskScanner(page)
  )('9782948012017');
  expect(await field.inputValue()).toBe('9782948012017');
  await paint(page);
  await page.getByRole('heading', { name: 'Regain', exact: true }).waitFor();
  await page.getByText('978-2-948012-01-7', { exact: true }).waitFor();
});

test('a person’s Enter waits for no scanner', async () => {
  const desk = await beforePaint(await household());
  const page = await desk.open('/series/ajouter');
  const titre = page.getByLabel('Titre', { exact: true });
  const type = async (text: string) => {
    await expect.poll(() => button(page, 'Enregistrer').isEnabled()).toBe(true);
    await titre.focus();
    await (
      await deskScanner(page, {}, 100)
    )(text);
  };
  await type('terremer');
  await page.getByRole('heading', { name: 'terremer', exact: true }).waitFor();

  // The code decides whether digits come from a scanner.
  await follow(page, '/series/ajouter');
  await type('20262027');
  expect(await titre.inputValue()).toBe('20262027');
  await paint(page);
  await page.getByRole('heading', { name: '20262027', exact: true }).waitFor();
});

test('a scan while « Vérifier » is loaded is for it', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const desk = await keepingNothing(house);
  const page = await desk.open('/livres/ajouter');
  await unfold(page);
  await expect.poll(() => button(page, 'Ajouter').isEnabled()).toBe(true);
  const code = Promise.withResolvers<undefined>();
  desk.portal.delay = (path) => (isCode(path) ? code.promise : Promise.resolve());
  const isShown = follow(page, '/livres/ajouter?scanner=verifier');
  await addField(page).waitFor({ state: 'detached' });
  await (
    await deskScanner(page)
  )('9782070408504');
  code.resolve(undefined);
  await isShown;
  const scanned = page.getByRole('list', { name: 'Livres scannés' });
  await scanned.getByText('Déjà chez nous').waitFor();
  await follow(page, '/livres/ajouter');
  await unfold(page);
  await page.getByLabel('ISBN, titre ou auteur').waitFor();
  expect(await page.getByLabel('ISBN, titre ou auteur').inputValue()).toBe('');
});

test('an act before the bar is there is read out', async () => {
  const desk = await beforePaint(await household());
  await recordUnannounced(desk.context);
  const page = await desk.open('/series/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('Terremer');
  await button(page, 'Enregistrer').click();
  await page.getByRole('heading', { name: 'Terremer', exact: true }).waitFor();
  await paint(page);
  await expectFeedback(page, 'Série ajoutée : Terremer');
  expect(await unannounced(page, /Série ajoutée/)).toEqual([]);
});

test('keys pressed too early before the code is loaded do nothing', async () => {
  const { house } = await houseWithRegain();
  const desk = await beforePaint(house);
  const page = await desk.open();
  await showsRegain(page);
  await page.evaluate(() => {
    const pressed = new KeyboardEvent('keydown', { key: '/', bubbles: true });
    Object.defineProperty(pressed, 'timeStamp', { value: performance.now() - 31_000 });
    document.body.dispatchEvent(pressed);
  });
  await paint(page);
  await page.locator('.dock > .feedback').waitFor({ state: 'attached' });
  // In the search the key would be text.
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Raccourcis du clavier' }).waitFor();
});

test('keyboard shortcuts that cannot be loaded are reported and retried', async () => {
  const { house } = await houseWithRegain();
  const desk = await keepingNothing(house);
  desk.portal.breaks = (_, path) => isLate(path);
  const page = await desk.open();
  await showsRegain(page);
  expect(await says(page)).toBe(false);
  const press = () => page.keyboard.press('?');
  await press();
  await expect.poll(() => says(page)).toBe(true);
  desk.portal.breaks = null;
  const keys = page.getByRole('dialog', { name: 'Raccourcis du clavier' });
  await retry(
    page,
    () => keys.waitFor(),
    () => showsRegain(page).then(press),
  );
});
