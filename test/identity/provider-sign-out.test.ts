import { expect, test } from 'vitest';
import { addPasskey } from './passkey-support.ts';
import { bind, LISTED, openFront, signIn } from './provider-support.ts';
import type { Browser } from './support.ts';

const signOut = (browser: Browser) => browser.ask('DELETE', '/api/connexion');
const addressIn = ({ body }: { body: unknown }) => (body as { adresse: string | null }).adresse;

test('a sign-in by the provider ends at its sign-out', async () => {
  const front = await openFront(LISTED);
  const { browser } = await signIn(front, '1');
  const address = new URL(addressIn(await signOut(browser)) ?? '');
  expect(address.origin).toBe(front.provider.issuer);
  expect(Object.fromEntries(address.searchParams)).toEqual({ client_id: 'rayonnage' });
  expect((await fetch(address)).status).toBe(200);
});

test('a sign-in by password ends at no provider', async () => {
  const front = await openFront(LISTED);
  const luc = await front.home.member('Luc');
  expect((await signOut(luc)).body).toEqual({ adresse: null });
});

test('a silent provider does not prevent signing out', async () => {
  const front = await openFront(LISTED);
  const { browser } = await signIn(front, '1');
  await front.provider.close();
  expect((await signOut(browser)).status).toBe(200);
  expect((await browser.ask('GET', '/api/moi')).status).toBe(401);
});

test('a bound member removes the last passkey without a password', async () => {
  const front = await openFront(LISTED);
  const camille = await front.home.member('Camille');
  await addPasskey(camille);
  await bind(front, camille, '1');
  front.home.context.database.write((tx) => tx.run('UPDATE Membre SET motDePasse = NULL'));
  expect((await camille.ask('DELETE', '/api/moi/cles-acces/1')).status).toBe(204);
  expect((await signIn(front, '1')).reply.body).toMatchObject({ moi: { utilisateur: 'camille' } });
});
