import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { spokenHere } from './support/messages.ts';

spokenHere('en');

const databases = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name).sort());

async function chooseEnglish(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Langue/ }).click();
  await page.getByRole('radio', { name: 'English' }).check();
  await page.getByRole('button', { name: 'Lire dans cette langue' }).click();
  await page.locator('html[lang=en]').waitFor();
}

test('a French and an English reader share one household, with a network and without', async () => {
  const house = await household();
  const dune = await house.ajouter({ titre: 'Dune' });
  const [first, second] = [
    await device(house, { serviceWorker: true }),
    await device(house, { user: 'bob', serviceWorker: true }),
  ];
  const alice = await first.open('/modifications');
  await alice
    .getByText(/^Livre ajouté\s: Dune/)
    .first()
    .waitFor();
  const bob = await second.open('/reglages/compte');
  await second.untilOfflineReady(bob);
  const kept = await databases(bob);
  await chooseEnglish(bob);
  await bob.getByRole('button', { name: /^Language.*English/i }).waitFor();
  // The copy is the same: nothing was filled anew.
  expect(await databases(bob)).toEqual(kept);

  await house.preter(dune, 'Luc');
  await follow(bob, '/modifications');
  await bob.getByText('Lent to Luc: Dune').first().waitFor();
  await alice
    .getByText(/^Prêté à Luc\s: Dune/)
    .first()
    .waitFor();

  await second.cutNetwork();
  await bob.goto(`${second.portal.url}/modifications`);
  await bob.getByText('Lent to Luc: Dune').first().waitFor();
  expect(await bob.locator('html').getAttribute('lang')).toBe('en');
  await second.restoreNetwork();

  // What the server refuses is said in the reader's language, too.
  await follow(bob, '/reglages/compte');
  await bob.getByRole('button', { name: /^Language/ }).click();
  await bob.getByRole('radio', { name: 'français' }).check();
  await bob.getByRole('button', { name: 'Read in this language' }).click();
  await bob.locator('html[lang=fr]').waitFor();
  await follow(bob, '/modifications');
  await bob
    .getByText(/^Prêté à Luc\s: Dune/)
    .first()
    .waitFor();
});

test('a reader’s language comes to their other devices with their name', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune' });
  await chooseEnglish(await (await device(house, { user: 'bob' })).open('/reglages/compte'));
  const other = await device(house, { user: 'bob' });
  const page = await other.open();
  await expect
    .poll(() => page.evaluate(() => document.cookie), { message: 'noted on the device' })
    .toContain('langue=en');
  await page.reload();
  await page.locator('html[lang=en]').waitFor();
  await page.getByRole('link', { name: 'Dune' }).first().waitFor();
});
