import { chromium } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import { furnish } from './heavy-screens.ts';
import { plainHouseholdOf } from './support/household.ts';
import { longestTask, watchTasks } from './support/long-tasks.ts';
import { settle } from './support/opening.ts';
import { PHONE, slowDown } from './support/page.ts';
import { bound, print, unbounded, type Measure } from './support/report.ts';
import { addTheRest } from './support/rest.ts';

const ROUNDS = 3;
const MAX_SECONDS = 30;

/**
 * Measures « Enregistrer la copie » of a household without thumbnails, from the press to the download, on a slow
 * phone.
 */
export async function benchSavedCopy(livres: readonly LivreDocument[]): Promise<void> {
  const household = await plainHouseholdOf(livres, furnish);
  await addTheRest(household.server.url);
  const browser = await chromium.launch(await findBrowser());
  try {
    const { context, url } = await settle(browser, household.server.url, livres.length);
    const page = await context.newPage();
    await page.addInitScript(watchTasks);
    await page.goto(`${url}/reglages/compte`);
    await page.getByRole('button', { name: 'Enregistrer la copie' }).click();
    const sheet = page.getByRole('dialog', { name: 'Enregistrer la copie' });
    const press = sheet.getByRole('button', { name: 'Enregistrer la copie' });
    await slowDown(page, PHONE);
    const [seconds, tasks]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const since = await page.evaluate(() => performance.now());
      const downloading = page.waitForEvent('download', { timeout: 300_000 });
      await press.click();
      await (await downloading).path();
      await sheet.getByText(/^Le fichier est prêt/).waitFor();
      const end = await page.evaluate(() => performance.now());
      seconds.push((end - since) / 1000);
      tasks.push(await longestTask(page, since));
    }
    const measures: Measure[] = [
      bound('from the press to the file', seconds, MAX_SECONDS, 's'),
      unbounded('longest task', tasks, 'ms'),
    ];
    print(`« Enregistrer la copie », slowed down ${PHONE} times, ${livres.length} books`, measures);
  } finally {
    await browser.close();
    await household.end();
  }
}
