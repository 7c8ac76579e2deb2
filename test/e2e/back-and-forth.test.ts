import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { random, runs, SEED } from '../support/random.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const TITRES = ['Antigone', 'Désert', 'Fondation', 'Regain'];

/** A press, and its delay after the previous one. */
interface Press {
  readonly of: 'link' | 'back' | 'forward';
  /** Chooses among the visible links, as a share of their number. */
  readonly share: number;
  readonly afterMs: number;
}

/** Presses links of the current screen, at human speed and faster. */
const press = (page: Page, presses: readonly Press[], screens: readonly string[]): Promise<void> =>
  page.evaluate(
    async ([all, paths]) => {
      for (const { of, share, afterMs } of all) {
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        const links = [
          ...document.querySelectorAll<HTMLAnchorElement>(
            'main a.row-link, nav a, a[data-shortcut]',
          ),
        ].filter((link) => link.checkVisibility() && paths.includes(link.pathname));
        if (of === 'back') history.back();
        else if (of === 'forward') history.forward();
        else links[Math.floor(share * links.length)]?.click();
      }
    },
    [presses, screens] as const,
  );

/** SvelteKit's index of the current history entry. */
const entries = (page: Page): Promise<number> =>
  page.evaluate(() => Number(Reflect.get(Object(history.state), 'sveltekit:history')));

/** The page's path and heading, once both have been stable for twenty frames. */
const settled = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const now = () =>
      `${location.pathname} ${document.querySelector('h1')?.textContent.trim() ?? ''}`;
    let last = now();
    for (let frames = 0; frames < 20; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (now() !== last) frames = 0;
      last = now();
    }
    return last;
  });

test('address and screen agree after any presses', { tags: ['random'] }, async () => {
  const { integer, fraction, oneOf } = random(SEED);
  const house = await household();
  const headings = new Map([
    ['/', 'Catalogue'],
    ['/auteurs', 'Auteurs'],
    ['/series', 'Séries'],
    ['/prets', 'Prêts'],
    ['/souhaits', 'Souhaits'],
  ]);
  for (const titre of TITRES) {
    const { id } = await house.ajouter({ titre });
    headings.set(`/livres/${String(id)}`, titre);
  }
  const screens = Array.from(headings, ([path, heading]) => `${path} ${heading}`);
  const phone = await device(house);
  const page = await phone.open();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.locator('main a.row-link').first().waitFor();
  const first = await entries(page);
  const slow = await phone.context.newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  for (let round = 0; round < runs(20); round += 1) {
    // Stop at the first entry: before it is the blank page.
    let behind = (await entries(page)) - first;
    const presses = Array.from({ length: 2 + integer(4) }, (): Press => {
      const of = oneOf(['link', 'link', 'back', 'back', 'forward'] as const);
      const isOut = of === 'back' && (behind -= 1) < 0;
      return {
        of: isOut ? 'link' : of,
        share: fraction(),
        afterMs: oneOf([0, 10, 20, 30, 50, 150, 400]),
      };
    });
    await press(page, presses, [...headings.keys()]);
    await expect
      .poll(() => settled(page), { message: JSON.stringify(presses), timeout: 10_000 })
      .toBeOneOf(screens);
  }
});

test('Back while a book opens shows the catalogue', async () => {
  const house = await household();
  for (const titre of TITRES) await house.ajouter({ titre });
  const phone = await device(house);
  const page = await phone.open();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.locator('main a.row-link').first().waitFor();
  const slow = await phone.context.newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  for (const titre of TITRES) {
    await page.evaluate(async (name) => {
      const links = document.querySelectorAll<HTMLAnchorElement>('main a.row-link');
      const link = [...links].find(({ textContent }) => textContent.trim() === name);
      link?.click();
      // Go back as soon as the address has changed, some frames before the book's screen appears.
      while (location.pathname === '/') await new Promise((resolve) => setTimeout(resolve));
      history.back();
    }, titre);
    await expect.poll(() => settled(page), { message: titre, timeout: 10_000 }).toBe('/ Catalogue');
  }
});

/** Types into the search, then types again just before leaving the page. */
const typeAndLeave = (page: Page, way: 'back' | 'link'): Promise<void> =>
  page.evaluate(async (by) => {
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const type = (text: string) => {
      const field = document.querySelector<HTMLInputElement>('main input[type=search]');
      if (field === null) throw new Error('There is no search');
      field.value = text;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    type('a');
    while (location.search === '') await pause(0);
    if (by === 'back') {
      type('an');
      history.back();
    } else {
      document.querySelector<HTMLAnchorElement>('nav a[href$="/souhaits"]')?.click();
      await pause(150);
      type('an');
    }
    // Longer than the delay before the address is updated.
    await pause(600);
  }, way);

test('text typed before Back stays out of other addresses', async () => {
  const house = await household();
  for (const titre of TITRES) await house.ajouter({ titre });
  const page = await (await device(house, { size: 'desk' })).open('/series');
  await page.getByRole('heading', { name: 'Séries', exact: true }).waitFor();
  await follow(page, '/');
  await page.locator('main a.row-link').first().waitFor();
  await typeAndLeave(page, 'back');
  await page.getByRole('heading', { name: 'Séries', exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('typing while a screen loads ends no navigation', async () => {
  const house = await household();
  for (const titre of TITRES) await house.ajouter({ titre });
  const page = await (await device(house, { size: 'desk' })).open();
  await page.locator('main a.row-link').first().waitFor();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/_app/immutable/**', async (route) => {
    await released;
    await route.continue();
  });
  await typeAndLeave(page, 'link');
  expect(new URL(page.url()).pathname).toBe('/');
  release();
  await page.getByRole('heading', { name: 'Souhaits', exact: true }).waitFor();
  await page.waitForURL((url) => url.pathname === '/souhaits' && url.search === '');
});

test('a clock that is set back holds no search up', async () => {
  const page = await (await device(await household(), { size: 'desk' })).open('/series');
  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  await search.fill('a');
  await page.waitForURL(/recherche=a$/);
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
  });
  await search.fill('an');
  await page.waitForURL(/recherche=an$/, { timeout: 10_000 });
});
