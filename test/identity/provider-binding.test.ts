import { expect, test } from 'vitest';
import { visit } from '../support/oidc-provider.ts';
import { addPasskey, THERE } from './passkey-support.ts';
import {
  begin,
  bind,
  finish,
  INTERRUPTED,
  LISTED,
  openFront,
  REFUSED,
  signIn,
} from './provider-support.ts';
import { jetonOf, keyOf, PASSWORD, whoReads, type Browser } from './support.ts';

const FAMILY = { OIDC_ALLOWED: 'groups=family' };
const UNBOUND = { status: 403, body: { code: 'FOURNISSEUR_A_RELIER' } };
const taker = (preferred_username: string) => ({ preferred_username, groups: ['family'] });

const membres = async (browser: Browser) =>
  ((await browser.ask('GET', '/api/membres')).body as { identifiant: string }[]).map(
    ({ identifiant }) => identifiant,
  );

test('who takes another’s name at the provider does not come in as them', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  front.provider.people.set('9', taker('camille'));
  expect((await signIn(front, '9')).told).toMatchObject(REFUSED);
  expect(await membres(browser)).toEqual(['camille']);
});

test('who is called otherwise at the provider stays who they are here', async () => {
  const front = await openFront(LISTED);
  await signIn(front, '1');
  await signIn(front, '2');
  front.provider.people.set('2', { preferred_username: 'camille' });
  const { told } = await signIn(front, '2');
  expect(told.body).toMatchObject({ moi: { utilisateur: 'luc' } });
});

test('a list that does not name a member any more keeps them out, whatever they call themselves', async () => {
  const front = await openFront({ OIDC_ALLOWED: 'camille' });
  const camille = await front.home.member('Camille');
  await camille.ask('POST', '/api/invitations', { nom: 'Luc' });
  const luc = await front.home.member('Luc');
  front.provider.people.set('2', { preferred_username: 'camille' });
  expect(await bind(front, luc, '2')).toMatchObject(REFUSED);
  expect((await signIn(front, '2')).told).toMatchObject(UNBOUND);
});

test.each(['a password', 'a passkey'])(
  'a member with %s is not opened by the name alone that the provider says',
  async (by) => {
    const front = await openFront(FAMILY);
    const camille = await front.home.member('Camille');
    if (by === 'a passkey') {
      await addPasskey(camille);
      front.home.context.database.write((tx) => tx.run('UPDATE Membre SET motDePasse = NULL'));
    }
    const { told, browser } = await signIn(front, '1');
    expect(told).toMatchObject(UNBOUND);
    expect(await whoReads(browser)).toBe('CONNEXION_REQUISE');
  },
);

test('a member who binds the provider in their account comes in by it, under any name', async () => {
  const front = await openFront(FAMILY);
  const camille = await front.home.member('Camille');
  front.provider.people.set('7', taker('c.martin'));
  const ways = async () => (await camille.ask('GET', '/api/moi/cles-acces')).body;
  expect(await ways()).toMatchObject({ fournisseur: { nom: 'la maison', relie: false } });
  expect(await bind(front, camille, '7')).toMatchObject({
    status: 200,
    body: { moi: { utilisateur: 'camille' }, retour: '/biblio/prets' },
  });
  expect(await ways()).toMatchObject({ fournisseur: { nom: 'la maison', relie: true } });
  expect((await signIn(front, '7')).told.body).toMatchObject({ moi: { utilisateur: 'camille' } });
  expect((await signIn(front, '1')).told).toMatchObject(REFUSED);
});

test('binding wants the password, or a sign-in of this moment, and a session', async () => {
  const { home, provider } = await openFront(FAMILY);
  const camille = await home.member('Camille');
  const ask = async (browser: Browser, more: object) =>
    (
      await browser.ask(
        'POST',
        '/api/connexion/fournisseur',
        { retour: '/', relier: true, ...more },
        THERE,
      )
    ).body;
  expect(await ask(camille, {})).toMatchObject({ code: 'IDENTIFIANTS_REFUSES' });
  expect(await ask(camille, { motDePasse: 'x' })).toMatchObject({ code: 'IDENTIFIANTS_REFUSES' });
  expect(await ask(home.device(), { motDePasse: PASSWORD })).toMatchObject({
    code: 'CONNEXION_REQUISE',
  });
  const key = await keyOf(camille, true);
  const bearer = { ...THERE, Authorization: `Bearer ${key}` };
  const body = { retour: '/', relier: true, motDePasse: PASSWORD };
  const told = await home.device().ask('POST', '/api/connexion/fournisseur', body, bearer);
  expect(told.body).toMatchObject({ code: 'SESSION_REQUISE' });
  expect(provider.signsIn).toBeNull();
});

test('a binding that another member ends binds neither', async () => {
  const front = await openFront(FAMILY);
  const tablet = await front.home.member('Camille');
  await front.home.member('Luc');
  front.provider.signsIn = '1';
  const asked = { relier: true, motDePasse: PASSWORD };
  const query = await visit((await begin(tablet, asked)).href);
  await tablet.signIn('luc');
  expect(await finish(tablet, query)).toMatchObject(INTERRUPTED);
  expect((await signIn(front, '1')).told).toMatchObject(UNBOUND);
});

test('whoever binds signs in at the provider anew, though somebody is signed in there', async () => {
  const { home } = await openFront(FAMILY);
  const camille = await home.member('Camille');
  const binding = await begin(camille, { relier: true, motDePasse: PASSWORD });
  expect(binding.searchParams.get('prompt')).toBe('login');
  expect((await begin(camille)).searchParams.has('prompt')).toBe(false);
});

test('one person of the provider is one member', async () => {
  const front = await openFront(FAMILY);
  const camille = await front.home.member('Camille');
  const luc = await front.home.member('Luc');
  await bind(front, camille, '1');
  expect(await bind(front, luc, '1')).toMatchObject({
    status: 409,
    body: { code: 'COMPTE_FOURNISSEUR_PRIS' },
  });
  expect((await signIn(front, '1')).told.body).toMatchObject({ moi: { utilisateur: 'camille' } });
});

test('who was removed does not come back by the provider, under no name, and nobody under theirs', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  const luc = (await signIn(front, '2')).browser;
  await luc.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  expect((await browser.ask('DELETE', '/api/membres/2')).status).toBe(204);
  expect((await signIn(front, '2')).told).toMatchObject(REFUSED);
  front.provider.people.set('2', taker('lucas'));
  front.provider.people.set('8', taker('luc'));
  for (const sub of ['2', '8']) expect((await signIn(front, sub)).told).toMatchObject(REFUSED);
  expect(await membres(browser)).toEqual(['camille']);
});

test('who was removed comes back by an invitation, finds their lists, and binds the provider again', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  const gone = (await signIn(front, '2')).browser;
  await gone.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  await browser.ask('DELETE', '/api/membres/2');
  const jeton = jetonOf(await browser.ask('POST', '/api/invitations', { nom: 'Luc' }));
  const luc = front.home.device();
  await luc.ask('POST', '/api/connexion/arrivee', { jeton, motDePasse: PASSWORD });
  expect((await bind(front, luc, '2')).status).toBe(200);
  const { told, browser: phone } = await signIn(front, '2');
  expect(told.body).toMatchObject({ moi: { utilisateur: 'luc' } });
  expect((await phone.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Ulysse' }]);
});

test('an invitation for a member takes the provider away with all other ways in', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  await signIn(front, '2');
  const jeton = jetonOf(await browser.ask('POST', '/api/invitations', { membreId: 2 }));
  const arrival = { jeton, motDePasse: PASSWORD };
  await front.home.device().ask('POST', '/api/connexion/arrivee', arrival);
  expect((await signIn(front, '2')).told).toMatchObject(UNBOUND);
});

test('a name that differs by case or accents alone is not another member', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  for (const name of ['Camille', 'CAMILLE', 'camillé']) {
    front.provider.people.set('9', taker(name));
    expect((await signIn(front, '9')).told, name).toMatchObject(REFUSED);
  }
  expect(
    (await browser.ask('POST', '/api/invitations', { nom: 'x', identifiant: 'Camille' })).body,
  ).toMatchObject({ code: 'IDENTIFIANT_EXISTANT' });
  expect(await membres(browser)).toEqual(['camille']);
});

test('whose lists a sign-on named finds them under the equal identifier', async () => {
  const front = await openFront(FAMILY);
  front.home.context.database.write((tx) =>
    tx.run(
      `INSERT INTO Souhait (titre, cleOeuvre, rang, dateAjout, utilisateur) VALUES ('Nadja', 'nadja', 1, '2026-01-01T00:00:00Z', 'camille')`,
    ),
  );
  const { browser } = await signIn(front, '1');
  expect((await browser.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Nadja' }]);
});

test('another provider in the settings does not make its people those of the one before', async () => {
  const front = await openFront(FAMILY);
  const camille = await front.home.member('Camille');
  await bind(front, camille, '1');
  const { database } = front.home.context;
  database.write((tx) => tx.run("UPDATE CompteFournisseur SET issuer = 'https://avant.example'"));
  expect((await signIn(front, '1')).told).toMatchObject(UNBOUND);
});

test('a session is no proof for long where there is no password', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  front.home.context.database.write((tx) => tx.run('UPDATE Session SET debut = debut - 660000'));
  const body = { retour: '/', relier: true };
  const told = await browser.ask('POST', '/api/connexion/fournisseur', body, THERE);
  expect(told.body).toMatchObject({ code: 'CONNEXION_ANCIENNE' });
});
