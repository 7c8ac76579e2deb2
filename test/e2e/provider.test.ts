import { expect, test } from 'vitest';
import { CLIENT, openProvider } from '../support/oidc-provider.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const PASSWORD = 'une longue phrase';

test('a member can sign in at the provider', async () => {
  const settings: Record<string, string> = { ACCOUNTS: 'oui' };
  const house = await household(settings);
  const phone = await device(house, { user: null, size: 'desk' });
  const provider = await openProvider([`${phone.portal.url}/connexion/retour`]);
  provider.people.set('1', { preferred_username: 'camille', name: 'Camille' });
  Object.assign(settings, {
    OIDC_ISSUER: provider.issuer,
    OIDC_NAME: 'chez nous',
    OIDC_ALLOWED: 'camille',
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  });
  await house.stop();
  await house.start();

  const page = await phone.open('/prets');
  const button = page.getByRole('button', { name: 'Se connecter avec chez nous' });
  await button.waitFor();
  expect(await accessibilityFaults(page, '/connexion: a provider')).toEqual([]);
  await button.click();
  await page.getByRole('alert').getByText('n’a pas abouti').waitFor();
  expect(await accessibilityFaults(page, '/connexion/retour: a sign-in that failed')).toEqual([]);
  await page.getByRole('link', { name: 'Se connecter' }).click();

  provider.signsIn = '1';
  await page.goto(`${phone.portal.url}/prets`);
  await button.click();
  await page.waitForURL(`${phone.portal.url}/prets`);
  await page.getByRole('heading', { level: 1, name: 'Prêts' }).waitFor();
  await page.getByRole('link', { name: 'Camille Changer de lecteur' }).waitFor();
  // The address with the provider's code is not in the history.
  await page.goBack();
  expect(page.url()).not.toContain('code=');
});

test('a member with a password binds the provider', async () => {
  const settings: Record<string, string> = { ACCOUNTS: 'oui' };
  const house = await household(settings);
  const phone = await device(house, { user: null, size: 'desk' });
  const page = await phone.open(house.firstPath);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await page.getByLabel('Choisir un mot de passe').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrer dans la bibliothèque' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  const provider = await openProvider([`${phone.portal.url}/connexion/retour`]);
  provider.people.set('1', { preferred_username: 'c.martin' });
  provider.signsIn = '1';
  Object.assign(settings, {
    OIDC_ISSUER: provider.issuer,
    OIDC_NAME: 'chez nous',
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  });
  await house.stop();
  await house.start();

  await page.goto(`${phone.portal.url}/reglages/compte`);
  await page.getByRole('button', { name: 'Se connecter avec chez nous' }).click();
  const section = page.getByRole('dialog', { name: 'Se connecter avec chez nous' });
  await section.getByLabel('Mot de passe actuel').fill(PASSWORD);
  await section.getByRole('button', { name: 'Relier mon compte chez nous' }).click();
  await page.getByRole('button', { name: 'Se connecter avec chez nous relié' }).waitFor();
  await page.waitForLoadState();
  expect(await accessibilityFaults(page, '/reglages/compte: bound to a provider')).toEqual([]);

  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByRole('button', { name: 'Effacer la copie' }).click();
  await page.getByRole('button', { name: 'Se connecter avec chez nous' }).click();
  await page.getByRole('link', { name: 'Claire Changer de lecteur' }).waitFor();
  // Signing out of a session opened by the provider ends it there, too.
  await follow(page, '/reglages/compte');
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByRole('button', { name: 'Effacer la copie' }).click();
  await page.waitForURL(`${provider.issuer}/**`);
});
