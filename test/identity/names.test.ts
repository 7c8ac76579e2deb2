import { expect, test } from 'vitest';
import { LISTED, openFront, signIn } from './provider-support.ts';
import { jetonOf, openHome, PASSWORD, type Browser } from './support.ts';

/**
 * Invisible characters: a word joiner, a zero width space, a variation selector, a Hangul filler, a soft hyphen, a
 * tag, and others.
 */
const UNSEEN = ['\u2060', '\u200b', '\ufe0f', '\u3164', '\u00ad', '\u{e0041}', '\u115f', '\u180e'];
const TAKEN = { status: 409, body: { code: 'NOM_EXISTANT' } };

const rename = (browser: Browser, id: number, nom: string, gere = false) =>
  browser.ask('PUT', `/api/membres/${id}`, { nom, gere, exclu: false });

test.each(UNSEEN)('a member takes no name that differs by %j alone', async (unseen) => {
  const home = await openHome();
  await home.member('Claire');
  const luc = await home.member('Luc');
  for (const nom of [`Cla${unseen}ire`, `${unseen}Claire`, `claire${unseen}${unseen}`])
    expect(await rename(luc, 2, nom), nom).toMatchObject(TAKEN);
});

test('an invitation with a name that looks like another is refused', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const invite = (body: object) => claire.ask('POST', '/api/invitations', body);
  expect(await invite({ nom: 'Clai\u2060re', identifiant: 'autre' })).toMatchObject(TAKEN);
  expect(await invite({ nom: 'Clai\u2060re' })).toMatchObject({ status: 409 });
  expect(await invite({ nom: 'Luc' })).toMatchObject({ status: 201 });
  expect(await invite({ nom: 'L\u200buc', identifiant: 'autre' })).toMatchObject(TAKEN);
  expect(await invite({ nom: 'Luc' })).toMatchObject({ status: 201 });
});

test('a name taken since an invitation is refused to who arrives', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { nom: 'Luc' }));
  expect(await rename(claire, 1, 'L\u2060uc', true)).toMatchObject({ status: 200 });
  const arrival = { jeton, motDePasse: PASSWORD };
  const reply = await home.device().ask('POST', '/api/connexion/arrivee', arrival);
  expect(reply).toMatchObject({ status: 409 });
});

test('a person of the provider has their identifier for a taken name', async () => {
  const front = await openFront(LISTED);
  await signIn(front, '1');
  front.provider.people.set('2', { preferred_username: 'luc', name: 'Cami\u200blle' });
  const { reply } = await signIn(front, '2');
  expect(reply).toMatchObject({
    status: 200,
    body: { moi: { utilisateur: 'luc', nomComplet: 'luc' } },
  });
});

test('no member can sign in by another’s display name', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  expect(await rename(claire, 1, 'Marie', true)).toMatchObject({ status: 200 });
  for (const nom of ['Marie', 'marié', 'Claire', 'claire'])
    expect(await rename(luc, 2, nom), nom).toMatchObject(TAKEN);
  expect((await home.device().signIn('Marie')).body).toMatchObject({ utilisateur: 'claire' });
});

test('an invisible name is refused', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  for (const nom of ['\u3164', '\u200b\u2060', '\u115f \u3164'])
    expect(await rename(claire, 1, nom, true), nom).toMatchObject({
      status: 400,
      body: { code: 'REQUETE_INVALIDE' },
    });
});

test('two who have one name from before keep it and change the rest', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await home.member('Luc');
  home.context.database.write((tx) => tx.run("UPDATE Membre SET nom = 'Camille'"));
  const change = { nom: 'Camille', gere: true, exclu: false, motDePasse: PASSWORD };
  expect((await claire.ask('PUT', '/api/membres/2', change)).status).toBe(200);
  expect((await home.device().signIn('Camille')).status).toBe(401);
  expect((await home.device().signIn('luc')).status).toBe(200);
});
