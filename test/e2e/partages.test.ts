import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { chezNous } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

/** A household in which Alice reads two books, one of them on a full shelf, and Bruno another one. */
async function readingHouse(): Promise<Household> {
  const house = await household();
  for (let i = 0; i < 26; i++) {
    const livre = await house.ajouter({ titre: `Livre ${String(i).padStart(2, '0')}` });
    if (i === 3) await house.setStatut(livre, 'alice', 1);
    if (i === 4) await house.setStatut(livre, 'bruno', 1);
  }
  await house.noter('alice', { titre: 'Lu ailleurs', debut: '2024-03-12' });
  return house;
}

test('a switch shows one’s readings to the others, and hides them at once', async () => {
  const house = await readingHouse();
  const phone = await device(house, { user: 'alice' });
  const desk = await device(house, { user: 'bruno', size: 'desk' });
  const place = await desk.open();
  await chezNous(place);
  const mine = place.getByRole('list', { name: 'En cours' });
  await mine.getByRole('link', { name: 'Livre 04' }).waitFor();

  const compte = await phone.open('/reglages/compte');
  const shown = compte.getByRole('switch', { name: /^Ce que je lis/ });
  expect(await shown.isChecked()).toBe(false);
  await compte.getByText('sans étoiles, ni avis, ni page').waitFor();
  await shown.check();
  const all = place.getByRole('list', { name: 'alice · 2' });
  await all.getByRole('link', { name: 'Livre 03' }).waitFor();
  expect(await all.innerText()).toMatch(/Livre 03\s+Lu ailleurs/);
  await mine.getByRole('link', { name: 'Livre 04' }).waitFor();
  expect(await accessibilityFaults(compte, '/reglages/compte: what is shown')).toEqual([]);
  expect(await accessibilityFaults(place, '/: what others read')).toEqual([]);
  await all.getByRole('link', { name: 'Livre 03' }).click();
  await place.getByText(/^alice le lit depuis le \d/).waitFor();
  expect(await accessibilityFaults(place, '/livres/[id]: who reads it')).toEqual([]);

  await shown.uncheck();
  await place.getByText(/^alice le lit/).waitFor({ state: 'detached' });
  await place.goBack();
  await mine.getByRole('link', { name: 'Livre 04' }).waitFor();
  expect(await place.getByText(/alice|Lu ailleurs/).count()).toBe(0);
});

test('offline the switch keeps its state, and gives the reason why it is disabled', async () => {
  const house = await readingHouse();
  const phone = await device(house, { user: 'alice' });
  const page = await phone.open('/reglages/compte');
  const shown = page.getByRole('switch', { name: /^Ce que je lis/ });
  await shown.check();
  await expect.poll(() => shown.isChecked()).toBe(true);
  await phone.cutNetwork();
  const group = page.getByRole('group', { name: 'Partagé avec la maison' });
  await expect.poll(() => group.getAttribute('aria-disabled')).toBe('true');
  await expect.poll(() => shown.getAttribute('aria-describedby')).toMatch(/ /);
  const [text, reason] = (await shown.getAttribute('aria-describedby'))?.split(' ') ?? [];
  await page
    .locator(`#${text ?? 'none'}`)
    .getByText(/sans étoiles/)
    .waitFor();
  await page
    .locator(`#${reason ?? 'none'}`)
    .getByText(/Hors ligne/)
    .waitFor();
  await shown.click({ force: true });
  expect(await shown.isChecked()).toBe(true);
});

test('the others reserve gifts on a shared list, which its owner never sees', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: 'Triste tigre', auteur: 'Neige Sinno' });
  await house.souhaiter('alice', { titre: 'Une chambre à soi', auteur: 'Virginia Woolf' });
  const phone = await device(house, { user: 'alice' });
  const desk = await device(house, { user: 'bruno', size: 'desk' });
  const third = await device(house, { user: 'carl' });
  const compte = await phone.open('/reglages/compte');
  await compte.getByRole('switch', { name: /^Ma liste/ }).check();

  const place = await desk.open('/souhaits');
  const maison = place.getByRole('region', { name: 'À la maison' });
  await maison.getByText('2 souhaits').waitFor();
  expect(await accessibilityFaults(place, '/souhaits: lists of the house')).toEqual([]);
  await maison.getByRole('link', { name: 'alice' }).click();
  await place.getByRole('heading', { level: 1, name: 'Souhaits d’alice' }).waitFor();
  await place.getByText('alice ne voit pas qui offre quoi').waitFor();
  const give = place.getByRole('button', { name: 'Je l’offre' });
  await give.first().click();
  await place.getByRole('button', { name: 'Je l’offre', pressed: true }).waitFor();
  expect(await accessibilityFaults(place, '/souhaits/de/[id]: one is given')).toEqual([]);

  const other = await third.open('/souhaits');
  await other.getByRole('region', { name: 'À la maison' }).getByRole('link').click();
  await other.getByText('bruno l’offre').waitFor();
  expect(await other.getByRole('button', { name: 'Je l’offre' }).count()).toBe(1);

  // Two readers press at the same moment: the second learns who was faster.
  await fetch(`${house.url}/api/souhaits/2/offre`, {
    method: 'PUT',
    headers: { SSO_USER: 'dora' },
  });
  await other.getByRole('button', { name: 'Je l’offre' }).click();
  await other.getByText('dora l’offre déjà.').waitFor();
  await other.getByText('dora l’offre', { exact: true }).waitFor();
  await fetch(`${house.url}/api/souhaits/2/offre`, {
    method: 'DELETE',
    headers: { SSO_USER: 'dora' },
  });
  await other.reload();

  await follow(compte, '/souhaits');
  await compte.getByRole('button', { name: 'Triste tigre', exact: true }).click();
  await compte.getByRole('dialog').waitFor();
  expect(await compte.getByText(/offre|bruno/i).count()).toBe(0);
  await compte.keyboard.press('Escape');

  // Offline the list is shown, and the button gives its reason.
  await third.cutNetwork();
  const offer = other.getByRole('button', { name: 'Je l’offre' }).last();
  await expect.poll(() => offer.getAttribute('aria-disabled')).toBe('true');
  await other.getByText('Vous verrez qui offre quoi une fois en ligne.').waitFor();

  // A list that is no longer shared disappears from an open screen.
  await follow(compte, '/reglages/compte');
  await compte.getByRole('switch', { name: /^Ma liste/ }).uncheck();
  await place.getByRole('heading', { name: 'Cette liste n’est pas partagée' }).waitFor();
  expect(await place.getByText('Triste tigre').count()).toBe(0);
});

test('the giver of a changed or deleted wish is notified', async () => {
  const house = await household();
  for (const titre of ['Triste tigre', 'Nadja']) await house.souhaiter('alice', { titre });
  await house.partager('alice', { lectures: false, souhaits: true });
  const ask = (user: string, method: string, path: string, body?: object) =>
    fetch(`${house.url}/api/souhaits/${path}`, {
      method,
      headers: { SSO_USER: user, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  for (const id of ['1', '2']) await ask('bruno', 'PUT', `${id}/offre`);
  await ask('alice', 'PUT', '1', { titre: 'Le Rêveur' });
  await ask('alice', 'DELETE', '2');

  const phone = await device(house, { user: 'bruno' });
  const page = await phone.open('/souhaits');
  const gifts = page.getByRole('region', { name: 'Vous offrez' });
  await gifts.getByText(/^Pour alice · était\s: Triste tigre$/).waitFor();
  await gifts.getByText('Pour alice · n’est plus sur la liste').waitFor();
  expect(await accessibilityFaults(page, '/souhaits: gifts that have changed')).toEqual([]);
  for (const titre of ['Le Rêveur', 'Nadja'])
    await gifts.getByRole('listitem').filter({ hasText: titre }).getByRole('button').click();
  await gifts.waitFor({ state: 'detached' });
});

test('a link shows the list to visitors, who reserve a book by a first name', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: 'Triste tigre', auteur: 'Neige Sinno' });
  const phone = await device(house, { user: 'alice' });
  const compte = await phone.open('/reglages/compte');
  await compte.getByRole('switch', { name: /^Ma liste/ }).check();
  await compte.getByRole('button', { name: 'Créer un lien' }).click();
  await compte.getByText('Copiez ou envoyez ce lien maintenant').waitFor();
  const address = await compte.getByText(/\/liste\/[\w-]{32}$/).innerText();
  expect(await accessibilityFaults(compte, '/reglages/compte: a link that was made')).toEqual([]);

  // A visitor without an account, on a device of their own.
  const tablet = await device(house, { user: null });
  const page = await tablet.open(new URL(address).pathname);
  await page.getByRole('heading', { level: 1, name: 'Souhaits d’alice' }).waitFor();
  const name = page.getByLabel('Votre prénom');
  // Neither Enter in the field nor a press without a name reserves the gift.
  await name.press('Enter');
  await page.getByRole('button', { name: 'Je l’offre' }).click();
  expect(await page.getByText('C’est noté').count()).toBe(0);
  await name.fill('Mamie');
  await name.press('Enter');
  expect(await page.getByText('C’est noté').count()).toBe(0);
  await page.getByRole('button', { name: 'Je l’offre' }).click();
  await page.getByText('Vous offrez « Triste tigre »').waitFor();

  const desk = await device(house, { user: 'bruno', size: 'desk' });
  const place = await desk.open('/souhaits');
  await place.getByRole('region', { name: 'À la maison' }).getByRole('link').click();
  await place.getByText('Mamie l’offre').waitFor();

  await page.getByRole('link', { name: 'Revenir à la liste' }).click();
  expect(await page.getByText('Mamie').count()).toBe(0);
  expect(await page.getByText('Déjà offert', { exact: true }).count()).toBe(0);
  // The owner allows it from the list itself.
  await follow(compte, '/souhaits');
  await compte.getByRole('button', { name: 'Autres actions' }).click();
  await compte.getByText('Lien pour les proches', { exact: true }).click();
  const telling = compte.getByRole('switch', { name: /^Montrer ce qui est déjà offert/ });
  await telling.check();
  await compte.getByLabel('Savoir qui offre quoi à partir du').fill('2099-12-25');
  expect(await accessibilityFaults(compte, '/souhaits: the link and what it tells')).toEqual([]);
  await page.reload();
  await page.getByText('Déjà offert', { exact: true }).waitFor();
  expect(await page.getByText('Mamie').count()).toBe(0);
  await page.getByText('alice ne le verra pas avant le 25 décembre 2099').waitFor();
  await compte.getByText('Vous ne le voyez pas avant le 25 décembre 2099.').waitFor();
  await place.reload();
  await place.getByText('alice ne voit pas qui offre quoi avant le 25 décembre 2099.').waitFor();
  await compte.getByRole('button', { name: 'Désactiver le lien' }).click();
  await compte.getByRole('button', { name: 'Désactiver le lien' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Cette liste n’est pas partagée, ou ne l’est plus.').waitFor();
});
