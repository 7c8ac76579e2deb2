import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import { householdOf } from './support/household.ts';
import { CALLER } from './support/load.ts';
import { openCatalogue, phone } from './support/page.ts';
import { bound, print } from './support/report.ts';

const ADDITIONS = 40;
const DEVICES = 3;
/** Lets the phones become idle before the next book is added. */
const REST_MS = 300;
/** The aim in milliseconds: the time measured when each device read the pages itself, without RxDB. */
const AIM_MS = 34;

/** Adds books in turn, and measures when three phones on the catalogue show each. */
export async function benchDevices(livres: readonly LivreDocument[]): Promise<void> {
  const household = await householdOf(livres);
  const browser = await chromium.launch(await findBrowser());
  const { url } = household.server;
  const pages: Page[] = [];
  for (let device = 0; device < DEVICES; device++) {
    const page = await (await phone(browser)).newPage();
    await openCatalogue(page, url, livres.length);
    pages.push(page);
  }
  const times: number[] = [];
  for (let n = 0; n < ADDITIONS; n++) {
    // Titles that sort first, the newest at the top, so that each is on the screen.
    const titre = `000 ${String(999 - n)}`;
    const shown = pages.map((page) => page.evaluate(whenShown, titre));
    await delay(REST_MS);
    const begun = performance.timeOrigin + performance.now();
    const { ok } = await fetch(`${url}/api/livres`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', SSO_USER: CALLER },
      body: JSON.stringify({ titre, auteurs: ['Anna'], format: 'Physique' }),
    });
    if (!ok) throw new Error('a book was refused');
    times.push(Math.max(...(await Promise.all(shown))) - begun);
  }
  await browser.close();
  await household.end();
  print(`${DEVICES} phones, ${livres.length} books`, [
    bound('a book added, until the last phone shows it', times, AIM_MS, 'ms'),
  ]);
}

/** The time at which the text appeared, in milliseconds since 1970. */
const whenShown = (text: string): Promise<number> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.body.textContent.includes(text)) return;
      observer.disconnect();
      resolve(performance.timeOrigin + performance.now());
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
