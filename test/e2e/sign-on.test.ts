import { expect, test } from 'vitest';
import { livreRow } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';
import type { Habit } from './support/portal.ts';

const HABITS: readonly Habit[] = ['elsewhere', 'here', 'unauthorised'];

test.each(HABITS)(
  'a sign-on that ends the session (%s) is told at once, keeps what was typed, and leads back to the place',
  async (habit) => {
    const house = await household();
    await house.ajouter({ titre: 'Désert' });
    const phone = await device(house, { serviceWorker: true });
    const page = await phone.open('/livres/ajouter?titre=Chéri');
    await phone.untilOfflineReady(page);
    await page.getByLabel('Auteurs').fill('Colette');
    await page.getByLabel('Titre').fill('Sido');
    phone.portal.habit = habit;
    phone.portal.state = 'expired';
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    const signIn = page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first();
    await signIn.waitFor();
    expect(await house.titres()).toEqual(['Désert']);

    // What is opened meanwhile is the application, and never the page of the sign-on.
    const other = await phone.open('/');
    await livreRow(other, 'Désert').waitFor();
    const kept = await other.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      const answers = await Promise.all(all.flat().map((request) => caches.match(request)));
      return Promise.all(answers.flatMap((answer) => answer?.text() ?? []));
    });
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.filter((text) => text.includes('<h1>Connexion</h1>'))).toEqual([]);
    await other.close();

    await signIn.click();
    if (habit === 'unauthorised') {
      await page.getByRole('heading', { name: 'Connexion' }).waitFor();
      phone.portal.state = 'open';
      await page.reload();
    }
    await expect.poll(() => phone.portal.state).toBe('open');
    await page.waitForURL(/\/livres\/ajouter\?titre=/);
    await expect.poll(() => page.getByLabel('Titre').inputValue()).toBe('Sido');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await expect.poll(() => house.titres()).toEqual(['Désert', 'Sido']);
    await phone.cutNetwork();
    await page.goto(`${phone.portal.url}/`);
    await livreRow(page, 'Désert').waitFor();
    // An event stream follows a redirect, which the policy then stops.
    const stopped = phone.faults.splice(0);
    expect(stopped.filter((fault) => !/^connect-src: http:\/\/localhost/.test(fault))).toEqual([]);
    expect(habit === 'elsewhere' || stopped.length === 0).toBe(true);
  },
);
