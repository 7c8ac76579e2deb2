import { expect, test } from 'vitest';
import { firstCode } from '#server/subjects/identity/invitations';
import { Authenticator } from '../support/authenticator.ts';
import {
  addPasskey,
  arrive,
  askForOne,
  openNamed,
  ORIGIN,
  signInBy,
  THERE,
} from './passkey-support.ts';
import { jetonOf, pass, PASSWORD, whoReads, type Browser, type Home } from './support.ts';

const firstJeton = ({ context }: Home) => context.database.write((tx) => firstCode(tx)) ?? '';
const ofClaire = { nom: 'Claire', identifiant: 'claire' };

const listOf = async (browser: Browser) => (await browser.ask('GET', '/api/moi/cles-acces')).body;

test('the first member needs no more than a passkey', async () => {
  const home = await openNamed();
  const { reply, authenticator, browser } = await arrive(home, firstJeton(home), ofClaire);
  expect(reply.status).toBe(201);
  expect(await listOf(browser)).toMatchObject({
    avecMotDePasse: false,
    cles: [{ nom: 'Firefox, Android' }],
  });
  expect((await signInBy(home, authenticator)).reply.status).toBe(200);
  for (const wrong of ['', PASSWORD, 'null'])
    expect((await home.device().signIn('claire', wrong)).status).not.toBe(200);
});

test('an invitation wants a password or a passkey', async () => {
  const home = await openNamed();
  const invitation = { jeton: firstJeton(home), ...ofClaire };
  const nothing = await home.device().ask('POST', '/api/connexion/arrivee', invitation, THERE);
  expect(nothing.status).toBe(400);
});

test('an invitation wants a passkey made for it', async () => {
  const home = await openNamed();
  const jeton = firstJeton(home);
  const path = '/api/connexion/arrivee';
  const { browser, cleAcces } = await arrive(home, jeton, ofClaire);
  const other = jetonOf(await browser.ask('POST', '/api/invitations', { nom: 'Luc' }));
  const replayed = await home.device().ask('POST', path, { jeton: other, cleAcces }, THERE);
  expect(replayed.body).toMatchObject({ code: 'CLE_ACCES_REFUSEE' });
  expect((await arrive(home, other)).reply.status).toBe(201);
  const gone = await home.device().ask('POST', `${path}/defi`, { jeton: other }, THERE);
  expect(gone.body).toMatchObject({ code: 'INVITATION_FINIE' });
});

test('a member’s new invitation ends their password with their passkeys', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const before = await addPasskey(luc);
  const jeton = jetonOf(
    await claire.ask('POST', '/api/invitations', { membreId: 2, motDePasse: PASSWORD }),
  );
  const { authenticator, reply } = await arrive(home, jeton);
  expect(reply.body).toMatchObject({ utilisateur: 'luc' });
  expect(await whoReads(luc)).toBe('CONNEXION_REQUISE');
  expect((await home.device().signIn('luc')).status).toBe(401);
  expect((await signInBy(home, before)).reply.status).toBe(401);
  expect((await signInBy(home, authenticator)).reply.status).toBe(200);
});

test('a new passkey wants the password in an open session', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  for (const body of [{}, { motDePasse: 'pas la bonne phrase' }]) {
    const reply = await claire.ask('POST', '/api/moi/cles-acces/defi', body, THERE);
    expect(reply.body).toMatchObject({ code: 'IDENTIFIANTS_REFUSES' });
  }
});

test('without a password new credentials want a recent sign-in', async () => {
  const home = await openNamed();
  const { browser, authenticator } = await arrive(home, firstJeton(home), ofClaire);
  pass(6);
  const reply = [
    await browser.ask('POST', '/api/moi/cles-acces/defi', {}, THERE),
    await browser.ask('PUT', '/api/moi/mot-de-passe', { nouveau: PASSWORD }),
  ];
  for (const { body } of reply) expect(body).toMatchObject({ code: 'CONNEXION_ANCIENNE' });
  const { browser: again } = await signInBy(home, authenticator);
  const set = await again.ask('PUT', '/api/moi/mot-de-passe', { nouveau: PASSWORD });
  expect(set.status).toBe(204);
  expect((await home.device().signIn('claire')).status).toBe(200);
});

test('a passkey created for another’s session is not stored', async () => {
  const home = await openNamed();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  const created = new Authenticator(ORIGIN).make(await askForOne(claire));
  const body = { nom: 'Clé', cleAcces: created };
  const stolen = await luc.ask('POST', '/api/moi/cles-acces', body, THERE);
  expect(stolen.body).toMatchObject({ code: 'CLE_ACCES_REFUSEE' });
  const again = await claire.ask('POST', '/api/moi/cles-acces', body, THERE);
  expect(again.body).toMatchObject({ code: 'CLE_ACCES_REFUSEE' });
  expect(await listOf(luc)).toMatchObject({ cles: [] });
});

test('an unverified or foreign passkey is not kept', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  for (const lie of [{ isVerified: false }, { origin: 'https://evil.example' }, { rpId: 'x' }]) {
    const cleAcces = new Authenticator(ORIGIN).make(await askForOne(claire), lie);
    const reply = await claire.ask('POST', '/api/moi/cles-acces', { nom: 'Clé', cleAcces }, THERE);
    expect(reply.body).toMatchObject({ code: 'CLE_ACCES_REFUSEE' });
  }
});

test('a passkey with too long a list is refused briefly', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const created = new Authenticator(ORIGIN).make(await askForOne(claire));
  const transports = Array<string>(20_001).fill('usb');
  const cleAcces = { ...created, response: { ...created.response, transports } };
  const reply = await claire.ask('POST', '/api/moi/cles-acces', { nom: 'Clé', cleAcces }, THERE);
  expect(reply.status).toBe(400);
  expect(JSON.stringify(reply.body).length).toBeLessThan(1_000);
});

test('only its owner names or removes a passkey', async () => {
  const home = await openNamed();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  const authenticator = await addPasskey(claire);
  const path = '/api/moi/cles-acces/1';
  expect((await luc.ask('PUT', path, { nom: 'À moi' })).status).toBe(404);
  expect((await luc.ask('DELETE', path)).status).toBe(404);
  expect((await claire.ask('PUT', path, { nom: 'Le portable' })).body).toMatchObject({
    nom: 'Le portable',
  });
  expect((await claire.ask('DELETE', path)).status).toBe(204);
  expect((await signInBy(home, authenticator)).reply.status).toBe(401);
});

test('the last passkey of who has no password stays', async () => {
  const home = await openNamed();
  const { browser } = await arrive(home, firstJeton(home), ofClaire);
  const reply = await browser.ask('DELETE', '/api/moi/cles-acces/1');
  expect(reply.body).toMatchObject({ code: 'DERNIERE_CLE_ACCES' });
});

test('a member who was shut out has no passkey once let in again', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const passkey = await addPasskey(await home.member('Luc'));
  const change = (exclu: boolean) =>
    claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu });
  await change(true);
  await change(false);
  expect((await signInBy(home, passkey)).reply.status).toBe(401);
  expect(home.context.database.value('SELECT count(*) FROM CleAcces')).toBe(0);
});

test('a removed member leaves no passkey', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const passkey = await addPasskey(await home.member('Luc'));
  await claire.ask('DELETE', '/api/membres/2');
  expect((await signInBy(home, passkey)).reply.status).toBe(401);
  expect(home.context.database.value('SELECT count(*) FROM CleAcces')).toBe(0);
});
