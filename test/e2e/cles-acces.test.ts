import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const PASSWORD = 'une longue phrase';

/** Opens a page at `localhost`, with Chromium's virtual authenticator: passkeys need a host name, not an address. */
async function openNamed(phone: Device, path: string): Promise<Page> {
  return (await openWithAuthenticator(phone, path)).page;
}

async function openWithAuthenticator(phone: Device, path: string) {
  const page = await phone.context.newPage();
  const session = await phone.context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(localhost(phone) + path);
  return { page, session, authenticatorId };
}

const localhost = ({ portal }: Device) => portal.url.replace('127.0.0.1', 'localhost');

async function toAccount(page: Page): Promise<void> {
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByRole('button', { name: 'Garder la copie' }).click();
}

test('the first member signs in by the passkey they made', async () => {
  const house = await household({ ACCOUNTS: 'oui' });
  const phone = await device(house, { user: null });
  const page = await openNamed(phone, house.firstPath);
  const choose = page.getByRole('button', { name: 'Choisir une clé d’accès' });
  await choose.waitFor();
  expect(await accessibilityFaults(page, '/invitation: a passkey')).toEqual([]);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await choose.click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();

  await toAccount(page);
  await page.getByRole('button', { name: 'Clés d’accès' }).click();
  await page.getByRole('listitem').filter({ hasText: 'jamais utilisée' }).waitFor();
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('button', { name: 'Mot de passe aucun' }).click();
  await page.getByText('Vous n’en avez pas encore').waitFor();
  await page.getByLabel('Choisir un mot de passe').fill(PASSWORD);
  await page.getByRole('button', { name: 'Choisir un mot de passe' }).click();
  await page.getByRole('button', { name: 'Mot de passe', exact: true }).click();
  await page.getByLabel('Nouveau mot de passe').waitFor();
  expect(await accessibilityFaults(page, '/reglages/compte: a new password')).toEqual([]);
  await page.getByRole('button', { name: 'Fermer' }).click();

  await signOut(page);
  await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
});

test('a passkey that may be copied signs in, and its owner reads so', async () => {
  const house = await household({ ACCOUNTS: 'oui' });
  const phone = await device(house, { user: null });
  const { page, session, authenticatorId } = await openWithAuthenticator(phone, house.firstPath);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await page.getByRole('button', { name: 'Choisir une clé d’accès' }).click();
  const start = page.getByRole('heading', { name: 'Les rayons sont vides' });
  await start.waitFor();
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
  const [credential] = credentials;
  if (credential === undefined) throw new Error('no passkey');
  // Lower the counter, as of an authenticator restored from an old backup.
  const { credentialId } = credential;
  await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
  const older = { ...credential, signCount: 0 };
  await session.send('WebAuthn.addCredential', { authenticatorId, credential: older });

  const useKey = page.getByRole('button', { name: 'Utiliser une clé d’accès' });
  await toAccount(page);
  await signOut(page);
  await useKey.click();
  await page.getByRole('heading', { name: 'Clé d’accès copiée' }).waitFor();
  expect(await accessibilityFaults(page, '/connexion: a copied passkey')).toEqual([]);
  await page.getByRole('button', { name: 'Compris' }).click();
  await start.waitFor();
  await toAccount(page);
  await page.getByRole('button', { name: 'Clés d’accès' }).click();
  await page.getByRole('listitem').filter({ hasText: 'copiée peut-être' }).waitFor();
  await page.getByRole('button', { name: 'Fermer' }).click();

  // The warning is shown once.
  await signOut(page);
  await useKey.click();
  await start.waitFor();
});

test('a member adds, names and removes a passkey', async () => {
  const house = await household({ ACCOUNTS: 'oui' });
  const phone = await device(house, { user: null });
  const page = await openNamed(phone, house.firstPath);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await page.getByLabel('Choisir un mot de passe').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrer dans la bibliothèque' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  await toAccount(page);

  await page.getByRole('button', { name: 'Clés d’accès' }).click();
  const keys = page.getByRole('dialog', { name: 'Clés d’accès' });
  await keys.getByLabel('Nom de la clé d’accès').fill('Ce téléphone');
  await keys.getByLabel('Mot de passe actuel').fill(PASSWORD);
  await keys.getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
  await keys.getByText('Ce téléphone').waitFor();
  // This device already has a passkey.
  await keys.getByLabel('Nom de la clé d’accès').fill('Encore');
  await keys.getByLabel('Mot de passe actuel').fill(PASSWORD);
  await keys.getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
  await keys.getByRole('alert').getByText('déjà une clé d’accès').waitFor();

  await keys.getByRole('button', { name: 'Modifier la clé d’accès Ce téléphone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ce téléphone' });
  expect(await accessibilityFaults(page, '/reglages/compte: a passkey')).toEqual([]);
  await dialog.getByLabel('Nom de la clé d’accès').fill('Mon portable');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await keys.getByRole('button', { name: 'Modifier la clé d’accès Mon portable' }).click();
  await page.getByRole('button', { name: 'Retirer cette clé d’accès' }).click();
  await expect.poll(() => keys.getByRole('listitem').count()).toBe(0);
  await page.getByRole('button', { name: 'Fermer' }).click();

  await signOut(page);
  await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
  await page.getByRole('alert').getByText('pas reconnue').waitFor();
});

test('a passkey works below a path', async () => {
  const house = await household({ ACCOUNTS: 'oui', BASE_PATH: '/biblio' });
  const { origin } = new URL(house.url);
  const phone = await device(house, { user: null, upstream: (path) => origin + path });
  const page = await openNamed(phone, `/biblio${house.firstPath}`);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await page.getByRole('button', { name: 'Choisir une clé d’accès' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  await page.context().clearCookies();
  await page.goto(`${localhost(phone)}/biblio/connexion`);
  await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
  await page.waitForURL(`${localhost(phone)}/biblio/`);
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
});

test('a browser without passkeys is offered the password alone', async () => {
  const house = await household({ ACCOUNTS: 'oui' });
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await page.getByLabel('Choisir un mot de passe').waitFor();
  expect(await page.getByText('clé d’accès').count()).toBe(0);
});
