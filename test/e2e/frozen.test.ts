import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { unfold } from './support/add.ts';
import { livreRow } from './support/catalogue.ts';
import { acceptInvitation, householdWithAccounts } from './support/comptes.ts';
import { device, useBrowserWith, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { storedDataWith } from './support/stored-data.ts';

// The tabs need processes of their own, which can be stopped, and the back/forward cache of a reader's browser.
useBrowserWith({ backForwardCache: true });

/** The browser's renderer processes. */
async function renderers(page: Page): Promise<number[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('a page without a browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.flatMap(({ type, id }) => (type === 'renderer' ? [id] : []));
}

/** Stops a tab's processes, as a phone does; the returned function resumes them. */
function freeze(pids: readonly number[]): () => void {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

/** Opens a tab in new processes; returns their ids. */
async function openApart(phone: Device, before: Page, path = '/'): Promise<[Page, number[]]> {
  const others = await renderers(before);
  const page = await phone.open(path);
  return [page, (await renderers(page)).filter((pid) => !others.includes(pid))];
}

/** Whether this page replicates: the leader holds the replica's lock. */
const leads = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    navigator.locks.request('who is asking', async () => {
      const { held = [] } = await navigator.locks.query();
      const clients = held.map(({ clientId }) => clientId);
      return held.length === 2 && new Set(clients).size === 1;
    }),
  );

/** A tab, and a frozen leading tab that is still visible. */
async function besideFrozen(house: Household): Promise<[Page, Page, thaw: () => void]> {
  const phone = await device(house);
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  const [frozen, pids] = await openApart(phone, page);
  await livreRow(frozen, 'Désert').waitFor();
  await expect.poll(() => leads(frozen)).toBe(true);
  expect(await leads(page)).toBe(false);
  const thaw = freeze(pids);
  onTestFinished(thaw);
  return [page, frozen, thaw];
}

/** On a busy machine; `copy/frozen` checks the three seconds with a fake clock. */
const SOON = { timeout: 15_000 };

test('a frozen tab stops no other one', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const [page, frozen, thaw] = await besideFrozen(house);
  await follow(page, `/livres/${id}`);
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByRole('button', { name: 'Prêter' }).click();
  const lent = page.getByRole('main').getByText(/^Prêté à Luc/);
  await lent.waitFor(SOON);
  expect(await leads(page)).toBe(true);
  thaw();
  await livreRow(frozen, 'Désert').getByText('prêté à Luc').waitFor();
});

test('a window frozen in view is missed by another', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const [page] = await besideFrozen(house);
  await house.ajouter({ titre: 'Colline' });
  await livreRow(page, 'Colline').waitFor(SOON);
});

test('a frozen window writes nothing of a deleted copy back', async () => {
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  const [other, pids] = await openApart(phone, page, '/livres/ajouter');
  await unfold(other);
  await other.getByLabel('Titre', { exact: true }).fill('Nadja');
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  const thaw = freeze(pids);
  try {
    await page.getByRole('button', { name: 'Effacer la copie' }).click();
    await page.getByLabel('Identifiant').waitFor();
  } finally {
    thaw();
  }
  await other.getByLabel('Identifiant').waitFor();
  const stored = () => storedDataWith(page, 'claire');
  await expect.poll(stored).toEqual([]);
  // The resumed tab has finished its pending work.
  await other.close();
  expect(await stored()).toEqual([]);
});

test('the application leaves the back-forward cache available', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    // A page with this listener is excluded from the back/forward cache, in every browser.
    const { prototype } = EventTarget;
    const listen = Reflect.get(prototype, 'addEventListener') as () => unknown;
    Reflect.set(prototype, 'addEventListener', function (this: unknown, ...given: unknown[]) {
      if (given[0] === 'unload') reportError(new Error('a listener of « unload »'));
      Reflect.apply(listen, this, given);
    });
  });
  const page = await phone.open();
  await livreRow(page, 'Désert').waitFor();
  await house.ajouter({ titre: 'Colline' });
  await livreRow(page, 'Colline').waitFor();
  await page.goto(`${phone.portal.url}/api/moi`);
  await house.ajouter({ titre: 'Sido' });
  await page.goBack({ waitUntil: 'commit' });
  await livreRow(page, 'Sido').waitFor();
  // `null` if the page was cached and restored; « masked » are internal reasons: the headless shell has no such
  // cache.
  const reasons = await page.evaluate(() => {
    const [entry = {}] = performance.getEntriesByType('navigation');
    const found = Reflect.get(entry, 'notRestoredReasons') as {
      reasons: { reason: string }[];
    } | null;
    return found?.reasons.map(({ reason }) => reason) ?? [];
  });
  expect(reasons.filter((reason) => reason !== 'masked')).toEqual([]);
});
