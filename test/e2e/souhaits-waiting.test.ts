import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { errorBody } from '#server/plumbing/common/error-body';
import { Refusal } from '#shared/refusals';
import { unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, type Device, useBrowserWith } from './support/device.ts';
import { feedback, expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { expectList } from './support/souhaits.ts';

// The tabs run concurrently, each in its own process.
useBrowserWith();

const WAITING = 'Notés sur cet appareil';

const waiting = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: WAITING }).getByRole('listitem').allInnerTexts();

/** Opens the wishes by a link, which works offline. */
const showList = (page: Page) => follow(page, '/souhaits');

/** Sends the noted wishes by one press: nothing is sent automatically. */
async function send(page: Page, count: number): Promise<void> {
  const text =
    count === 1 ? '1 souhait noté hors ligne' : `${String(count)} souhaits notés hors ligne`;
  await page.getByText(text, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click();
  await page.getByText(text, { exact: true }).waitFor({ state: 'detached' });
}

async function offline(phone: Device, page: Page): Promise<void> {
  await phone.cutNetwork();
  await page.getByRole('button', { name: 'Noter pour plus tard' }).waitFor();
}

async function note(page: Page, titre: string): Promise<void> {
  await page.getByLabel('Titre', { exact: true }).fill(titre);
  await page.getByRole('button', { name: 'Noter pour plus tard' }).click();
  await page.getByText(`« ${titre} » est noté`).waitFor();
}

/** The idempotency keys of the sent wishes. */
function keysOf(page: Page): string[] {
  const keys: string[] = [];
  page.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/souhaits'))
      keys.push(request.headers()['idempotency-key'] ?? '');
  });
  return keys;
}

test('a wish noted without a network is sent later', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: 'Colline' });
  const phone = await device(house);
  // Without the service worker, only visited screens are available offline.
  const page = await phone.open('/souhaits/ajouter');
  await unfold(page);
  await showList(page);
  await expectList(page, 'Livres', ['Colline']);
  await phone.cutNetwork();
  await page.getByRole('link', { name: 'Noter un souhait pour plus tard' }).click();
  await unfold(page);
  await note(page, 'Regain');
  await page.getByRole('link', { name: 'Une revue' }).click();
  await note(page, 'Topo');
  expect(await accessibilityFaults(page, '/souhaits/ajouter: without a network')).toEqual([]);
  await showList(page);
  await expect.poll(() => waiting(page)).toHaveLength(2);
  expect((await waiting(page))[0]).toMatch(/^Regain\s+pas encore envoyé/);
  expect(await accessibilityFaults(page, '/souhaits: wishes that wait')).toEqual([]);
  expect(await house.souhaits('alice')).toEqual(['Colline']);

  await phone.restoreNetwork();
  await page.getByText('2 souhaits notés hors ligne', { exact: true }).waitFor();
  expect(await accessibilityFaults(page, '/souhaits: wishes to send')).toEqual([]);
  expect(await house.souhaits('alice')).toEqual(['Colline']);
  await send(page, 2);
  await expectList(page, 'Livres', ['Colline', 'Regain']);
  await expectList(page, 'Revues', ['Topo']);
  expect(await waiting(page)).toEqual([]);

  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  phone.portal.state = 'expired';
  phone.portal.cut();
  await page.getByText('Session expirée').first().waitFor();
  await note(page, 'Malpertuis');
  expect(await house.souhaits('alice')).toEqual(['Colline', 'Regain']);
  await page
    .getByRole('button', { name: /se reconnecter/i })
    .first()
    .click();
  await send(page, 1);
  await expect.poll(() => house.souhaits('alice')).toEqual(['Colline', 'Regain', 'Malpertuis']);
});

test('an answer that is lost adds no wish twice', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/souhaits/ajouter');
  await unfold(page);
  const keys: string[] = [];
  await phone.context.route('**/api/souhaits', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await offline(phone, page);
  await note(page, 'Regain');
  await phone.restoreNetwork();
  await send(page, 1);
  await expectFeedback(page, 'Souhait ajouté : Regain');
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect(await house.souhaits('alice')).toEqual(['Regain']);

  await offline(phone, page);
  await note(page, 'Colline');
  await house.souhaiter('alice', { titre: 'Colline' });
  await phone.restoreNetwork();
  await send(page, 1);
  await expectFeedback(page, 'Déjà sur votre liste : Colline');
  await showList(page);
  await expectList(page, 'Livres', ['Regain', 'Colline']);
  expect(await waiting(page)).toEqual([]);
});

test('only one of two tabs sends the noted wishes', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/souhaits/ajouter');
  await unfold(page);
  const other = await phone.open('/souhaits');
  await other.getByText('Aucun souhait').waitFor();
  const keys = keysOf(page);
  await offline(phone, page);
  await note(page, 'Regain');
  await note(page, 'Colline');
  await expect.poll(() => waiting(other)).toHaveLength(2);
  await phone.restoreNetwork();
  const tabs = [page, other];
  for (const tab of tabs)
    await tab.getByText('2 souhaits notés hors ligne', { exact: true }).waitFor();
  // Pressed in both tabs at once; the second one finds nothing to send.
  const press = () => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent.trim() === 'Envoyer')?.click();
  };
  await Promise.all(tabs.map((tab) => tab.evaluate(press)));
  await expectList(other, 'Livres', ['Regain', 'Colline']);
  await expect.poll(() => waiting(other)).toEqual([]);
  expect(keys).toHaveLength(2);
  expect(await house.souhaits('alice')).toEqual(['Regain', 'Colline']);

  await other.close();
  await offline(phone, page);
  await note(page, 'Fondation');
  phone.portal.user = 'bob';
  await phone.restoreNetwork();
  await page.goto(`${phone.portal.url}/souhaits`);
  await page.getByText('Aucun souhait').waitFor();
  expect(await waiting(page)).toEqual([]);
  expect(await house.souhaits('bob')).toEqual([]);
  expect(await house.souhaits('alice')).toEqual(['Regain', 'Colline']);
  phone.portal.user = 'alice';
  await page.goto(`${phone.portal.url}/souhaits`);
  await send(page, 1);
  await expectList(page, 'Livres', ['Regain', 'Colline', 'Fondation']);
  expect(await house.souhaits('bob')).toEqual([]);
});

test('a wish that waits to be sent can be given up', async () => {
  const house = await household();
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    const setItem = Reflect.get(Storage.prototype, 'setItem');
    Storage.prototype.setItem = function (name: string, value: string) {
      const isFull = Reflect.get(globalThis, 'isFull') === true;
      if (isFull && name.startsWith('rayonnage.wish'))
        throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, name, value);
    };
  });
  // Without the service worker, only visited screens are available offline.
  const page = await phone.open('/souhaits');
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Regain');
  await offline(phone, page);
  const setFull = (isFull: boolean) =>
    page.evaluate((is) => Reflect.set(globalThis, 'isFull', is), isFull);
  await setFull(true);
  await page.getByRole('button', { name: 'Noter pour plus tard' }).click();
  await page.getByText(/Ce navigateur n’a pas pu garder/).waitFor();
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Regain');
  await setFull(false);

  await note(page, 'Regain');
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expectFeedback(page, 'Souhait supprimé : Regain');
  await note(page, 'Regain');
  await page.getByLabel('Titre', { exact: true }).fill('regain');
  await page.getByRole('button', { name: 'Noter pour plus tard' }).click();
  await page.getByText('C’est déjà noté sur cet appareil.').waitFor();
  await showList(page);
  await page.getByRole('button', { name: 'Supprimer' }).click();
  await expectFeedback(page, 'Souhait supprimé : Regain');
  await expect.poll(() => waiting(page)).toEqual([]);
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expect.poll(() => waiting(page)).toHaveLength(1);
  await phone.restoreNetwork();
  await page.getByText('1 souhait noté hors ligne', { exact: true }).waitFor();
  // The first button belongs to the notice about all wishes, the next ones to single wishes.
  await page.getByRole('button', { name: 'Supprimer', exact: true }).first().click();
  await expect.poll(() => waiting(page)).toEqual([]);
  await page.getByRole('link', { name: 'Ajouter', exact: true }).first().waitFor();
  expect(await house.souhaits('alice')).toEqual([]);
});

test('a noted wish that is on the list already is removed, and a refused one gives the reason', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await unfold(page);
  await offline(phone, page);
  for (const titre of ['Regain', 'Colline']) await note(page, titre);
  await house.souhaiter('alice', { titre: 'regain' });
  const refused = new Refusal('REQUETE_INVALIDE', { champs: [] });
  await page.route('**/api/souhaits', (route) =>
    route.request().postData()?.includes('Colline') === true
      ? route.fulfill({ status: refused.status, json: errorBody(refused, 'fr') })
      : route.continue(),
  );
  await showList(page);
  await phone.restoreNetwork();
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click();
  // The wishes are sent in turn: the second one is refused some time after the first was stored.
  await expect
    .poll(() => waiting(page))
    .toEqual([expect.stringContaining(refused.message) as string]);
  const [left = ''] = await waiting(page);
  expect(left).toMatch(/^Colline/);
  expect(await house.souhaits('alice')).toEqual(['regain']);
});
