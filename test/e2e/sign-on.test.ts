import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { livreRow } from './support/catalogue.ts';
import { device, type Device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import type { Habit } from './support/portal.ts';

/** How the sign-on layer ends the session, each with the title that is typed meanwhile. */
const HABITS: readonly (readonly [string, Habit])[] = [
  ['Gigi', 'here'],
  ['Mitsou', 'unauthorised'],
  ['Sido', 'home'],
  // Last, since the policy may report its redirects late.
  ['Vinca', 'elsewhere'],
];

const FORM = `/livres/ajouter?titre=${encodeURIComponent('Chéri')}&champ=titre`;

/** Opening an address meanwhile shows the application, never the page of the sign-on layer. */
async function expectApplication(phone: Device, habit: Habit): Promise<void> {
  const other = await phone.open('/');
  await livreRow(other, 'Désert').waitFor();
  const cached = await other.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const answers = await Promise.all(all.flat().map((request) => caches.match(request)));
    return Promise.all(answers.flatMap((answer) => answer?.text() ?? []));
  });
  expect(cached.length, habit).toBeGreaterThan(5);
  expect(
    cached.filter((text) => text.includes('<h1>Connexion</h1>')),
    habit,
  ).toEqual([]);
  await other.close();
}

/** A bare 401 redirects nowhere: the application reports it, and notices a session that begins in another tab. */
async function signInElsewhere({ portal }: Device, page: Page, titre: string): Promise<void> {
  const elsewhere = page.getByRole('button', {
    name: /Reconnectez-vous là où vous le faites d’habitude/,
  });
  await elsewhere.waitFor();
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe(titre);
  portal.state = 'open';
  // The application may notice the new session before the press.
  await elsewhere.click({ timeout: 5_000 }).catch(() => elsewhere.waitFor({ state: 'detached' }));
}

test('an expired session keeps typed text', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${id}`);
  const lend = async () => {
    await page.getByLabel('Emprunteur').fill('Luc');
    await page.getByRole('button', { name: 'Prêter' }).click();
  };
  const signIn = page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first();
  await page.getByLabel('Emprunteur').waitFor();
  await phone.untilOfflineReady(page);
  // Actions without a draft can be repeated after signing in, without an error.
  phone.portal.state = 'expired';
  await lend();
  await signIn.click();
  await page.waitForURL(`${phone.portal.url}/`);
  await follow(page, `/livres/${id}`);
  await lend();
  await page
    .getByRole('main')
    .getByText(/^Prêté à Luc/)
    .waitFor();

  await follow(page, FORM);
  const saved = ['Désert'];
  for (const [titre, habit] of HABITS) {
    await page.getByLabel('Auteurs').fill('Colette');
    await page.getByLabel('Titre', { exact: true }).fill(titre);
    const save = page.getByRole('button', { name: 'Ajouter', exact: true });
    await expect.poll(() => save.isEnabled(), { message: habit }).toBe(true);
    phone.portal.habit = habit;
    phone.portal.state = 'expired';
    // The search for the typed title may notice the end of the session first.
    await save.dispatchEvent('click');
    await expect.poll(() => signIn.isVisible(), { message: habit }).toBe(true);
    expect(await house.titres(), habit).toEqual(saved);
    await expectApplication(phone, habit);

    const reasons = page.getByText('Session expirée : reconnectez-vous pour modifier.');
    await expect.poll(() => reasons.count(), { message: habit }).toBeGreaterThan(1);
    expect(await page.getByText('Les catalogues ne répondent pas').count(), habit).toBe(0);
    await signIn.click();
    if (habit === 'unauthorised') await signInElsewhere(phone, page, titre);
    await expect.poll(() => phone.portal.state, { message: habit }).toBe('open');
    // Only this redirect leads to the start screen.
    if (habit === 'home') {
      await page.waitForURL(`${phone.portal.url}/`);
      await follow(page, FORM);
    }
    await page.waitForURL(/\/livres\/ajouter\?titre=/);
    const typed = () => page.getByLabel('Titre', { exact: true }).inputValue();
    await expect.poll(typed, { message: habit }).toBe(titre);
    await save.click();
    saved.push(titre);
    await expect.poll(() => house.titres(), { message: habit }).toEqual(saved);
    // Leave after the confirmation: the emptied form takes the focus first.
    await expectFeedback(page, `Livre ajouté : ${titre}`);
    await follow(page, '/');
    await follow(page, FORM);
    // The event stream follows the redirect, and is then stopped by the policy.
    const stopped = phone.faults.splice(0);
    const others = stopped.filter((fault) => !/^connect-src: http:\/\/localhost/.test(fault));
    expect(others, habit).toEqual([]);
    expect(habit === 'elsewhere' || stopped.length === 0, habit).toBe(true);
  }
  await phone.cutNetwork();
  await page.goto(`${phone.portal.url}/`);
  await livreRow(page, 'Désert').waitFor();
});

test('the session after a dead end offers to sign in', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(FORM);
  const end = async (habit: Habit) => {
    phone.portal.habit = habit;
    phone.portal.state = 'expired';
    await page.getByLabel('Titre', { exact: true }).fill(`Chéri, ${habit}`);
    await page.getByRole('button', { name: 'Ajouter', exact: true }).dispatchEvent('click');
  };
  const signIn = page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first();
  const elsewhere = page.getByRole('button', {
    name: /Reconnectez-vous là où vous le faites d’habitude/,
  });
  await page.getByLabel('Auteurs').fill('Colette');
  await end('unauthorised');
  await signIn.click();
  await elsewhere.waitFor();
  phone.portal.state = 'open';
  await elsewhere.waitFor({ state: 'detached' });
  await end('home');
  await signIn.waitFor();
});

test('the way in has room below a form’s bar', async () => {
  const phone = await device(await household());
  const page = await phone.open(FORM);
  const save = page.getByRole('button', { name: 'Ajouter', exact: true });
  await page.getByLabel('Auteurs').fill('Colette');
  await expect.poll(() => save.isEnabled()).toBe(true);
  phone.portal.state = 'expired';
  // The search for the title may notice the end of the session first.
  await save.dispatchEvent('click');
  const signIn = page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first();
  await signIn.waitFor();
  const form = page.locator('form').filter({ has: save });
  const [button, bar] = await Promise.all(
    [signIn, form.locator('.foot-bar')].map((part) => part.boundingBox()),
  );
  expect(button?.height).toBeGreaterThanOrEqual(44);
  expect((bar?.y ?? Infinity) + (bar?.height ?? Infinity)).toBeLessThanOrEqual(button?.y ?? 0);
});
