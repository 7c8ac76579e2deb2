import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import { goodreads } from '../importations/samples.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const SECRET = 'inavouable';
/** Enough rows for an import to be running when the reader changes. */
const LINES = 2000;
const PASSWORD = 'une longue phrase';

/** Sends a request as the page's reader. */
const ask = (page: Page, method: string, path: string, body?: string): Promise<string> =>
  page.evaluate(
    async ([how, where, sent]) => {
      const type = sent?.startsWith('{') ? 'application/json' : 'text/csv';
      const headers = sent === undefined ? {} : { 'Content-Type': type };
      const response = await fetch(where, { method: how, headers, body: sent ?? null });
      return response.text();
    },
    [method, path, body] as const,
  );

const readings = async (page: Page): Promise<Lecture[]> =>
  JSON.parse(await ask(page, 'GET', '/api/lectures')) as Lecture[];

async function arrive(page: Page): Promise<void> {
  await page.getByLabel('Choisir un mot de passe').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrer dans la bibliothèque' }).click();
}

/** Presses another face to change the reader; returns what `count` gives just before. */
async function change(page: Page, from: string, to: string, count = () => 0): Promise<number> {
  await page.getByRole('link', { name: `${from} Changer de lecteur` }).click();
  await page.getByRole('button', { name: to, exact: true }).waitFor();
  const before = count();
  await page.getByRole('button', { name: to, exact: true }).click();
  await page.getByRole('link', { name: `${to} Changer de lecteur` }).waitFor();
  return before;
}

/** Counts how often a page shows a text, from its first paint. */
async function watch(tablet: Device, text: string): Promise<() => number> {
  let seen = 0;
  await tablet.context.exposeFunction('tellSeen', () => void seen++);
  await tablet.context.addInitScript((wanted) => {
    const tell: unknown = Reflect.get(window, 'tellSeen');
    const look = () => {
      const isShown = document.documentElement.textContent.includes(wanted);
      if (isShown && typeof tell === 'function') Reflect.apply(tell, window, []);
    };
    new MutationObserver(look).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }, text);
  return () => seen;
}

test('members on one tablet never meet each other’s readings', async () => {
  const house = await household({ ACCOUNTS: 'oui' });
  const tablet = await device(house, { user: null, size: 'desk', serviceWorker: true });
  const seen = await watch(tablet, SECRET);
  const page = await tablet.open(house.firstPath);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await arrive(page);
  await page.getByRole('link', { name: 'Claire Changer de lecteur' }).waitFor();
  for (const titre of ['Dune', 'Sido'])
    await ask(page, 'POST', '/api/livres', JSON.stringify({ titre, format: 'Physique' }));
  const reading = { livreId: 1, fin: '2026-03', note: 9, avis: `C’est ${SECRET}.` };
  await ask(page, 'POST', '/api/lectures', JSON.stringify(reading));
  const { jeton } = JSON.parse(await ask(page, 'POST', '/api/invitations', '{"nom":"Luc"}')) as {
    readonly jeton: string;
  };
  await follow(page, '/lectures');
  await page.getByRole('link', { name: 'Dune' }).first().click();
  await page.getByText(SECRET).first().waitFor();
  await tablet.untilOfflineReady(page);

  await page.goto(`${tablet.portal.url}/invitation#${jeton}`);
  const before = seen();
  expect(before).toBeGreaterThan(0);
  await arrive(page);
  await page.getByRole('link', { name: 'Luc Changer de lecteur' }).waitFor();
  const paths = ['/lectures', '/lectures/annee', '/modifications', '/livres/1', '/?tri=note'];
  const lookAround = async () => {
    for (const path of paths) {
      await page.goto(tablet.portal.url + path);
      await page.getByRole('link', { name: 'Luc Changer de lecteur' }).waitFor();
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      expect(await page.content(), path).not.toMatch(/inavouable|4 étoiles et demie/);
    }
  };
  await lookAround();
  expect(await readings(page)).toEqual([]);
  await tablet.untilOfflineReady(page);
  await tablet.cutNetwork();
  await lookAround();
  await tablet.restoreNetwork();
  expect(seen(), 'moments').toBe(before);

  // Her import is still running when the reader changes.
  await change(page, 'Luc', 'Claire');
  await page.goto(`${tablet.portal.url}/livres/1`);
  await page.getByText(SECRET).first().waitFor();
  const other = await tablet.open('/');
  const lines = Array.from({ length: LINES }, (_, n) => ({
    Title: `Roman ${String(n)}`,
    'Exclusive Shelf': 'read',
    'My Review': `Tout ${SECRET}.`,
  }));
  const imported = ask(other, 'POST', '/api/importations?essai=false', goodreads(...lines));
  await expect.poll(() => ask(page, 'GET', '/api/importations')).not.toBe('[]');
  const meanwhile = await change(page, 'Claire', 'Luc', seen);
  await imported.catch(() => 'the tab was left');
  await lookAround();
  expect(await readings(page)).toEqual([]);
  expect(seen(), 'moments of an import').toBe(meanwhile);
  await change(page, 'Luc', 'Claire');
  expect([1, LINES + 1]).toContain((await readings(page)).length);
});
