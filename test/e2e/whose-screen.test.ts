import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { device } from './support/device.ts';
import { everyScreen } from './support/every-screen.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** Forty screens, each with a change of reader. */
const LONG_MS = 600_000;

/** A word in everything that belongs to the first reader. */
const SECRET = 'inavouable';

const TEXTS = {
  titre: 'Désert',
  numero: '12',
  auteur: 'Le Clézio',
  emprunteur: 'Luc',
  emplacement: 'Salon',
  theme: 'mer',
};

/** The texts, values, names and the address that a page exposes. */
const wordsOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [
      document.documentElement.outerHTML,
      ...fields.map(({ value }) => value),
      decodeURIComponent(location.href),
    ].join('\n');
  });

/** Types the secret into the first field of a screen, or chooses a file with that name. */
async function leaveWords(page: Page): Promise<void> {
  const field = page.locator('main :is(input[type=search], input[type=text], textarea):enabled');
  if ((await field.count()) > 0) await field.first().fill(SECRET);
  const file = page.locator('main input[type=file]');
  const named = {
    name: `${SECRET}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from('Titre;Auteur\nSido;Colette\n'),
  };
  if (new URL(page.url()).pathname === '/importer') {
    await file.first().setInputFiles(named);
    await page.getByText(/livre/).first().waitFor();
  }
}

const readerOf = (page: Page) =>
  page.evaluate(() => localStorage.getItem('rayonnage.reader') ?? '');

test(
  'no screen keeps a word of who read before, once another tab has learnt who reads',
  { timeout: LONG_MS },
  async () => {
    const house = await household();
    const { routes } = await everyScreen(house, TEXTS);
    await house.souhaiter('alice', { titre: `Souhait ${SECRET}` });
    await house.noter('alice', { titre: `Lecture ${SECRET}`, debut: '2026-02-01' });
    const tablet = await device(house);
    const here = await tablet.open('/aide');
    const other = await tablet.open('/');
    const change = async (user: string) => {
      tablet.portal.user = user;
      await here.bringToFront();
      await here.reload();
      await expect.poll(() => readerOf(here)).toContain(user);
    };
    const leaks: string[] = [];
    for (const path of atLeastOne([...routes, `/?recherche=${SECRET}`])) {
      await change('alice');
      await other.bringToFront();
      await follow(other, path);
      await leaveWords(other);
      if ((await wordsOf(other)).includes(SECRET)) leaks.push(path);
      await change('bruno');
      await expect.poll(() => wordsOf(other), { message: path }).not.toContain(SECRET);
      await other.bringToFront();
      await other.getByRole('heading', { level: 1 }).first().waitFor();
      expect(await wordsOf(other), path).not.toContain(SECRET);
    }
    // Most screens had something to hide.
    expect(leaks.length).toBeGreaterThan(routes.length / 3);
    expect(leaks).toEqual(expect.arrayContaining(['/importer', '/souhaits', '/lectures']));
  },
);
