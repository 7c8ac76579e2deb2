import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { pass } from '../identity/support.ts';
import { unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { photo } from './support/covers.ts';
import { acceptInvitation, householdWithAccounts, PASSWORD } from './support/comptes.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { allStoredData, storedDataWith } from './support/stored-data.ts';

async function signIn(page: Page, identifiant: string): Promise<void> {
  await page.getByLabel('Identifiant').fill(identifiant);
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

/** Invites a member from the settings; returns the path of the invitation. */
async function invite(page: Page, nom: string): Promise<string> {
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Membres' }).click();
  await page.getByLabel('Nom', { exact: true }).fill(nom);
  await page.getByRole('button', { name: 'Inviter', exact: true }).click();
  await page.getByRole('img', { name: `Code de l’invitation de ${nom}` }).waitFor();
  return shownLink(page);
}

/** The path of the invitation on the page. */
async function shownLink(page: Page): Promise<string> {
  const link = await page.getByText(/\/invitation#/).textContent();
  return /\/invitation#\S+/.exec(link ?? '')?.[0] ?? '';
}

async function wish(page: Page, titre: string): Promise<void> {
  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill(titre);
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page.getByRole('link', { name: titre }).or(page.getByText(titre)).first().waitFor();
}

test('two people on two phones read in their own names, the second by the latest code of an invitation', async () => {
  const house = await householdWithAccounts();
  const [first, second] = [
    await device(house, { user: null }),
    await device(house, { user: null }),
  ];
  const claire = await first.open(house.firstPath);
  await claire.getByLabel('Choisir un mot de passe').waitFor();
  expect(await accessibilityFaults(claire, '/invitation: the first member')).toEqual([]);
  await acceptInvitation(claire, 'Claire');

  // One that is withdrawn waits no longer.
  await invite(claire, 'Zoé');
  await claire.getByRole('button', { name: 'Retirer l’invitation', exact: true }).click();
  await claire.getByRole('heading', { level: 1, name: 'Membres' }).waitFor();
  await claire
    .getByRole('button', { name: 'Retirer l’invitation de Zoé' })
    .waitFor({ state: 'detached' });
  expect(await claire.getByRole('heading', { name: 'Invitations en attente' }).count()).toBe(0);

  const former = await invite(claire, 'Luc');
  await claire.getByText('ne fonctionne que sur cet ordinateur').waitFor();
  expect(await accessibilityFaults(claire, '/reglages/membres: an invitation')).toEqual([]);
  await claire.getByRole('link', { name: 'Membres' }).click();
  await claire.getByRole('button', { name: 'Nouveau code pour Luc' }).click();
  await claire.getByRole('img', { name: 'Code de l’invitation de Luc' }).waitFor();
  const path = await shownLink(claire);
  expect(path).not.toBe(former);
  const luc = await second.open(former);
  await luc.getByRole('alert').getByText('a déjà servi').waitFor();
  await luc.goto('about:blank');
  await luc.goto(second.portal.url + path);
  await luc.getByRole('heading', { name: 'Luc' }).waitFor();
  await acceptInvitation(luc);
  await wish(luc, 'Ulysse');
  await follow(claire, '/souhaits');
  await claire.getByText('Aucun souhait').waitFor();
  expect(await claire.getByText('Ulysse').count()).toBe(0);
  const again = await second.open(path);
  await again.getByRole('alert').getByText('a déjà servi').waitFor();
});

test('a stranger signs in and is led back, and a session ended on another device keeps typed text', async () => {
  const house = await householdWithAccounts();
  const [phone, desk] = [await device(house, { user: null }), await device(house, { user: null })];
  const claire = await phone.open(house.firstPath);
  await acceptInvitation(claire, 'Claire');
  const page = await desk.open('/livres/ajouter');
  const enter = page.getByRole('button', { name: 'Se connecter' });
  await enter.waitFor();
  expect(await accessibilityFaults(page, '/connexion: as it is')).toEqual([]);
  await enter.click();
  const nom = page.getByLabel('Identifiant');
  expect(await nom.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe(
    'Remplissez ce champ.',
  );
  await nom.fill('claire');
  await page.getByLabel('Mot de passe', { exact: true }).fill('pas la bonne');
  await enter.click();
  await page.getByText('ou mot de passe incorrect').waitFor();
  await signIn(page, 'claire');
  await page.waitForURL(`${desk.portal.url}/livres/ajouter`);

  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Chéri');
  await follow(claire, '/reglages');
  await claire.getByRole('link', { name: 'Mon compte' }).click();
  await claire.getByRole('button', { name: 'Appareils connectés 2' }).click();
  await claire.getByRole('button', { name: /^Déconnecter/ }).click();
  const expired = page.getByRole('button', { name: 'Session expirée, se reconnecter' });
  await expired.first().click();
  await signIn(page, 'claire');
  await page.waitForURL(`${desk.portal.url}/livres/ajouter`);
  await expect.poll(() => page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Chéri');
});

test('members who share a tablet change readers by a press, and a first code there needs its owner’s password', async () => {
  const house = await householdWithAccounts();
  const tablet = await device(house, { user: null, size: 'desk' });
  const page = await tablet.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  await wish(page, 'Nadja');
  const path = await invite(page, 'Luc');
  await page.goto(tablet.portal.url + path);
  await page.getByLabel('Choisir un mot de passe').waitFor();
  await page.getByLabel('Choisir un mot de passe').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrer dans la bibliothèque' }).click();
  await page.getByRole('link', { name: 'Luc Changer de lecteur' }).waitFor();
  await follow(page, '/souhaits');
  expect(await page.getByText('Nadja').count()).toBe(0);

  pass(6);
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Code sur un appareil partagé' }).click();
  const sheet = page.getByRole('dialog', { name: 'Code sur un appareil partagé' });
  await sheet.getByText('D’autres personnes utilisent cet appareil').waitFor();
  expect(
    await accessibilityFaults(page, '/reglages/compte: a first code on a common tablet'),
  ).toEqual([]);
  const code = sheet.getByLabel('Code', { exact: true });
  // Keeps password managers from storing the code as the member's password.
  const marks = ['type', 'autocomplete', 'data-1p-ignore', 'data-bwignore', 'data-lpignore'];
  expect(await Promise.all(marks.map((mark) => code.getAttribute(mark)))).toEqual([
    null,
    'off',
    'true',
    'true',
    'true',
  ]);
  await code.fill('4711');
  await sheet.getByLabel('Votre mot de passe', { exact: true }).fill('pas la bonne');
  await sheet.getByRole('button', { name: 'Demander ce code' }).click();
  await sheet.getByText('ou mot de passe incorrect').waitFor();
  await sheet.getByLabel('Votre mot de passe', { exact: true }).fill(PASSWORD);
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/moi/code'));
  await sheet.getByRole('button', { name: 'Demander ce code' }).click();
  // The request names the page's reader; the server refuses another one.
  expect((await sent).headers()['x-lecteur']).toBe('luc');
  await page.getByText('Code enregistré.').first().waitFor();
  await page.getByRole('link', { name: 'Luc Changer de lecteur' }).click();
  await page.getByRole('button', { name: 'Luc avec un code' }).waitFor();
  expect(await accessibilityFaults(page, '/reglages/compte: other readers')).toEqual([]);

  await page.getByRole('button', { name: 'Claire' }).click();
  await page.getByRole('link', { name: 'Claire Changer de lecteur' }).waitFor();
  await follow(page, '/souhaits');
  await page.getByText('Nadja').first().waitFor();

  await page.getByRole('link', { name: 'Claire Changer de lecteur' }).click();
  await page.getByRole('button', { name: 'Luc avec un code' }).click();
  const ofLuc = page.getByRole('dialog', { name: 'Code de Luc' });
  await ofLuc.getByLabel('Code').fill('1234');
  await ofLuc.getByRole('button', { name: 'Entrer' }).click();
  await ofLuc.getByText('Code incorrect').waitFor();
  await ofLuc.getByLabel('Code').fill('4711');
  await ofLuc.getByRole('button', { name: 'Entrer' }).click();
  await page.getByRole('link', { name: 'Luc Changer de lecteur' }).waitFor();
});

test('settings that grant more access ask for the password, and before a member is removed, the screen lists what stays', async () => {
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  const luc = await (await device(house, { user: null })).open(await invite(page, 'Luc'));
  await acceptInvitation(luc);
  await wish(luc, 'Ulysse');
  await page.getByRole('link', { name: 'Membres' }).click();
  await page.getByRole('button', { name: 'Luc', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Luc' });
  const password = dialog.getByLabel('Votre mot de passe', { exact: true });
  expect(await password.count()).toBe(0);
  await dialog.getByLabel('Gère la maison').check();
  await password.fill('pas la bonne');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await dialog.getByRole('alert').getByText('ou mot de passe incorrect').waitFor();
  await dialog.getByLabel('Gère la maison').uncheck();
  await dialog.getByRole('button', { name: 'Nouvelle invitation' }).click();
  await password.fill(PASSWORD);
  expect(await accessibilityFaults(page, '/reglages/membres: a new invitation')).toEqual([]);
  await dialog.getByRole('button', { name: 'Inviter' }).click();
  await page.getByRole('img', { name: 'Code de l’invitation de Luc' }).waitFor();

  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  const row = page.getByRole('main').getByRole('button', { name: 'Code sur un appareil partagé' });
  const ofCode = page.getByRole('dialog', { name: 'Code sur un appareil partagé' });
  await row.click();
  await ofCode.getByLabel('Code', { exact: true }).fill('4711');
  await ofCode.getByRole('button', { name: 'Demander ce code' }).click();
  await page.getByRole('button', { name: 'Code sur un appareil partagé demandé' }).click();
  await ofCode.getByLabel('Code actuel').fill('4711');
  await ofCode.getByLabel('Nouveau code').fill('1234');
  await ofCode.getByRole('button', { name: 'Changer le code' }).click();
  await ofCode.waitFor({ state: 'detached' });
  await row.click();
  await ofCode.getByRole('button', { name: 'Code oublié' }).click();
  await ofCode.getByLabel('Votre mot de passe', { exact: true }).fill(PASSWORD);
  expect(await accessibilityFaults(page, '/reglages/compte: a forgotten code')).toEqual([]);
  await ofCode.getByRole('button', { name: 'Ne plus demander de code' }).click();
  await page.getByText('Le code n’est plus demandé.').first().waitFor();
  await page.getByRole('button', { name: 'Code sur un appareil partagé', exact: true }).click();
  await ofCode.getByLabel('Code', { exact: true }).waitFor();

  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Membres' }).click();
  await page.getByRole('button', { name: 'Luc', exact: true }).click();
  await page.getByRole('button', { name: 'Retirer de la maison' }).click();
  await dialog.getByText('gardés trente jours sous « luc »').waitFor();
  expect(await accessibilityFaults(page, '/reglages/membres: a removal')).toEqual([]);
  await dialog.getByRole('button', { name: 'Retirer Luc' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Luc', exact: true }).count()).toBe(0);
});

test('keys are a manager’s, a calendar’s address is everyone’s, and the history names people', async () => {
  const house = await householdWithAccounts();
  const page = await (await device(house, { user: null })).open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  const other = await device(house, { user: null });
  const luc = await other.open(await invite(page, 'Luc'));
  await acceptInvitation(luc);
  await follow(page, '/reglages/compte');
  await page.getByRole('button', { name: 'Clés pour scripts' }).waitFor();
  await follow(luc, '/reglages/compte');
  await luc.getByRole('button', { name: 'Appareils connectés 1' }).waitFor();
  await luc.getByRole('button', { name: 'Agenda des retours' }).click();
  expect(await luc.getByRole('button', { name: 'Clés pour scripts' }).count()).toBe(0);
  await luc.getByLabel('Mot de passe actuel').fill(PASSWORD);
  await luc.getByRole('button', { name: 'Créer l’adresse' }).click();
  const address = await luc.getByText(/echeances\.ics\?cle=/).textContent();
  expect(await accessibilityFaults(luc, '/reglages/compte: the address of a calendar')).toEqual([]);
  const calendar = await fetch(address?.trim() ?? '');
  expect(await calendar.text()).toContain('BEGIN:VCALENDAR');

  // By the name, and not by what she signs in with.
  await page.evaluate(() =>
    fetch('/api/revues', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ titre: 'La Hulotte' }),
    }),
  );
  await follow(page, '/modifications');
  const act = page.getByRole('listitem').filter({ hasText: 'La Hulotte' });
  await act.getByText(/Claire,/).waitFor();
  await act.getByRole('link').first().click();
  await page
    .getByText(/Claire/)
    .first()
    .waitFor();
});

test('a member who got a code can no longer be chosen on a shared device', async () => {
  const house = await householdWithAccounts();
  const tablet = await device(house, { user: null, size: 'desk' });
  const page = await tablet.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Code sur un appareil partagé' }).click();
  await page.getByLabel('Code', { exact: true }).fill('4711');
  await page.getByRole('button', { name: 'Demander ce code' }).click();
  await page.getByText('Code enregistré.').first().waitFor();
  await page.route(
    '**/api/connexion/lecteur',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.goto(`${tablet.portal.url}/connexion`);
  await page.getByRole('button', { name: 'Réessayer' }).waitFor();
  tablet.portal.breaks = (_, path) => path.startsWith('/api/');
  await page.goto(`${tablet.portal.url}/reglages/compte`);
  await page.getByText('Rayonnage ne sait pas qui vous êtes').first().waitFor();
});

test('a form left open is not kept for another reader', async () => {
  const house = await householdWithAccounts();
  const tablet = await device(house, { user: null, size: 'desk' });
  const page = await tablet.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  const path = await invite(page, 'Luc');
  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Nadja');
  // As by another window whose message has not arrived yet.
  const taken = await page.evaluate(
    async ([jeton, motDePasse]) => {
      const body = JSON.stringify({ jeton, motDePasse });
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch('/api/connexion/arrivee', { method: 'POST', headers, body })).status;
    },
    [path.split('#')[1], PASSWORD],
  );
  expect(taken).toBe(201);
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await page.getByRole('button', { name: 'Sans ISBN, à la main' }).waitFor();
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('link', { name: 'Luc Changer de lecteur' }).waitFor();
  await follow(page, '/souhaits');
  await page.getByText('Aucun souhait').waitFor();
  expect(await page.getByText('Nadja').count()).toBe(0);
});

test('no store keeps anything once the last reader has deleted the copy', async () => {
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null, serviceWorker: true });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  await wish(page, 'Nadja');
  const picture = [...(await photo('#4060a0'))];
  await page.evaluate(async (bytes) => {
    const headers = { 'content-type': 'application/json' };
    const saisi = JSON.stringify({ titre: 'Désert', format: 'Physique' });
    await fetch('/api/livres', { method: 'POST', headers, body: saisi });
    const body = new Uint8Array(bytes);
    await fetch('/api/livres/1/couverture', { method: 'PUT', body });
  }, picture);
  await expect
    .poll(() => allStoredData(page))
    .toContainEqual(expect.stringMatching(/thumbnails.* house "/) as string);
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByRole('button', { name: 'Effacer la copie' }).click();
  await page.getByLabel('Identifiant').waitFor();
  // Entries of the sign-in page: no reader, an empty replica without a reader, the library's name.
  const OF_THE_DOOR =
    /^rxdb-dexie-rayonnage\|{3}|^\["(?:rayonnage\.(?:reader|bibliotheque|leaving|copy\|)"|sveltekit:)/;
  await expect
    .poll(async () => (await allStoredData(page)).filter((row) => !OF_THE_DOOR.test(row)))
    .toEqual([]);
  for (const word of ['claire', 'Nadja', 'Désert'])
    expect(await storedDataWith(page, word), word).toEqual([]);
});

test('a sign-out whose response is lost can be completed', async () => {
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  let isLost = false;
  await page.route('**/api/connexion', async (route) => {
    if (isLost || route.request().method() !== 'DELETE') return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  const erase = page.getByRole('button', { name: 'Effacer la copie' });
  await erase.click();
  await page.getByRole('alert').getByText('peut-être').waitFor();
  await page.getByText('Session expirée').first().waitFor();
  await erase.click();
  await page.getByLabel('Identifiant').waitFor();
  expect(await storedDataWith(page, 'claire')).toEqual([]);
});

test('signing out asks whether to delete the replica, and no window writes a deleted one back', async () => {
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  await wish(page, 'Nadja');
  const other = await phone.open('/souhaits');
  await other.getByText('Nadja').first().waitFor();
  // A wish noted offline, a pending scan, a yearly goal, and the reader as the first version stored it.
  await page.evaluate(() => {
    const wish = { key: 'key', date: 1, kind: 'livre', saisie: { titre: 'Colline' } };
    localStorage.setItem('rayonnage.wish||claire|key', JSON.stringify(wish));
    const scan = { code: '9782070360024', date: Date.now(), kept: {} };
    localStorage.setItem('rayonnage.scan|claire|evening|1', JSON.stringify(scan));
    localStorage.setItem('rayonnage.aim|claire|2026', '24');
    localStorage.setItem('rayonnage.lecteur', JSON.stringify({ utilisateur: 'claire' }));
  });
  await follow(page, '/importer');
  const file = { name: 'livres.csv', mimeType: 'text/csv', buffer: Buffer.from('Titre\nNadja') };
  await page.getByLabel('Fichier', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Vérifier', exact: true }).click();
  for (const place of ['livres.csv', 'thumbnails'])
    await expect
      .poll(() => storedDataWith(page, 'claire'))
      .toContainEqual(expect.stringContaining(place));
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByRole('button', { name: 'Effacer la copie' }).click();
  for (const tab of [page, other]) await tab.getByLabel('Identifiant').waitFor();
  expect(await other.getByText('Nadja').count()).toBe(0);
  await expect.poll(() => storedDataWith(page, 'claire')).toEqual([]);
  await page.goto(`${phone.portal.url}/`);
  await page.getByLabel('Identifiant').waitFor();
});
