import { expect, test } from 'vitest';
import { visit } from '../support/oidc-provider.ts';
import { addPasskey, arrive, THERE } from './passkey-support.ts';
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

const PROOF = { motDePasse: PASSWORD };
const FAMILY = { OIDC_ALLOWED: 'groups=family' };
const UNBOUND = { status: 403, body: { code: 'FOURNISSEUR_A_RELIER' } };
const taker = (preferred_username: string) => ({ preferred_username, groups: ['family'] });

const membres = async (browser: Browser) =>
  ((await browser.ask('GET', '/api/membres')).body as { identifiant: string }[]).map(
    ({ identifiant }) => identifiant,
  );

test('another’s name at the provider does not open their account', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  front.provider.people.set('9', taker('camille'));
  expect((await signIn(front, '9')).reply).toMatchObject(REFUSED);
  expect(await membres(browser)).toEqual(['camille']);
});

test('a new name at the provider changes no member', async () => {
  const front = await openFront(LISTED);
  await signIn(front, '1');
  await signIn(front, '2');
  front.provider.people.set('2', { preferred_username: 'camille' });
  const { reply } = await signIn(front, '2');
  expect(reply.body).toMatchObject({ moi: { utilisateur: 'luc' } });
});

test('a member the list omits stays out under any name', async () => {
  const front = await openFront({ OIDC_ALLOWED: 'camille' });
  const camille = await front.home.member('Camille');
  await camille.ask('POST', '/api/invitations', { nom: 'Luc' });
  const luc = await front.home.member('Luc');
  front.provider.people.set('2', { preferred_username: 'camille' });
  expect(await bind(front, luc, '2')).toMatchObject(REFUSED);
  expect((await signIn(front, '2')).reply).toMatchObject(UNBOUND);
});

test.each(['a password', 'a passkey'])(
  'a provider’s name alone opens no member with %s',
  async (by) => {
    const front = await openFront(FAMILY);
    const camille = await front.home.member('Camille');
    if (by === 'a passkey') {
      await addPasskey(camille);
      front.home.context.database.write((tx) => tx.run('UPDATE Membre SET motDePasse = NULL'));
    }
    const { reply, browser } = await signIn(front, '1');
    expect(reply).toMatchObject(UNBOUND);
    expect(await whoReads(browser)).toBe('CONNEXION_REQUISE');
  },
);

test('a bound provider opens the account under any name', async () => {
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
  expect((await signIn(front, '7')).reply.body).toMatchObject({ moi: { utilisateur: 'camille' } });
  expect((await signIn(front, '1')).reply).toMatchObject(REFUSED);
});

test('binding wants a session with its password given again', async () => {
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
  const reply = await home.device().ask('POST', '/api/connexion/fournisseur', body, bearer);
  expect(reply.body).toMatchObject({ code: 'SESSION_REQUISE' });
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
  expect((await signIn(front, '1')).reply).toMatchObject(UNBOUND);
});

test('binding asks for a new sign-in at the provider', async () => {
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
  expect((await signIn(front, '1')).reply.body).toMatchObject({ moi: { utilisateur: 'camille' } });
});

test('a removed member cannot return by the provider', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  const luc = (await signIn(front, '2')).browser;
  await luc.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  expect((await browser.ask('DELETE', '/api/membres/2')).status).toBe(204);
  expect((await signIn(front, '2')).reply).toMatchObject(REFUSED);
  front.provider.people.set('2', taker('lucas'));
  front.provider.people.set('8', taker('luc'));
  for (const sub of ['2', '8']) expect((await signIn(front, sub)).reply).toMatchObject(REFUSED);
  expect(await membres(browser)).toEqual(['camille']);
});

test('a removed member returns by invitation and binds again', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  const gone = (await signIn(front, '2')).browser;
  await gone.ask('POST', '/api/souhaits', { titre: 'Ulysse' });
  await browser.ask('DELETE', '/api/membres/2');
  const jeton = jetonOf(await browser.ask('POST', '/api/invitations', { nom: 'Luc' }));
  const luc = front.home.device();
  await luc.ask('POST', '/api/connexion/arrivee', { jeton, motDePasse: PASSWORD });
  expect((await bind(front, luc, '2')).status).toBe(200);
  const { reply, browser: phone } = await signIn(front, '2');
  expect(reply.body).toMatchObject({ moi: { utilisateur: 'luc' } });
  expect((await phone.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Ulysse' }]);
});

test('a member’s invitation takes the provider away', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  await signIn(front, '2');
  const jeton = jetonOf(await browser.ask('POST', '/api/invitations', { membreId: 2 }));
  const arrival = { jeton, motDePasse: PASSWORD };
  await front.home.device().ask('POST', '/api/connexion/arrivee', arrival);
  expect((await signIn(front, '2')).reply).toMatchObject(UNBOUND);
});

test('a readmitted member is not bound by name', async () => {
  const front = await openFront();
  const claire = await front.home.member('Claire');
  const jeton = jetonOf(await claire.ask('POST', '/api/invitations', { nom: 'Luc' }));
  await arrive(front.home, jeton);
  for (const exclu of [true, false])
    await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu, ...PROOF });
  expect((await signIn(front, '2')).reply).toMatchObject(REFUSED);
  const again = jetonOf(await claire.ask('POST', '/api/invitations', { membreId: 2, ...PROOF }));
  const luc = front.home.device();
  await luc.ask('POST', '/api/connexion/arrivee', { jeton: again, motDePasse: PASSWORD });
  expect((await bind(front, luc, '2')).status).toBe(200);
});

test('a name with other case or accents is no newcomer', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  for (const name of ['Camille', 'CAMILLE', 'camillé']) {
    front.provider.people.set('9', taker(name));
    expect((await signIn(front, '9')).reply, name).toMatchObject(REFUSED);
  }
  expect(
    (await browser.ask('POST', '/api/invitations', { nom: 'x', identifiant: 'Camille' })).body,
  ).toMatchObject({ code: 'IDENTIFIANT_EXISTANT' });
  expect(await membres(browser)).toEqual(['camille']);
});

test('a newcomer finds the lists a sign-on kept for them', async () => {
  const front = await openFront(FAMILY);
  front.home.context.database.write((tx) =>
    tx.run(
      `INSERT INTO Souhait (titre, cleOeuvre, rang, dateAjout, utilisateur) VALUES ('Nadja', 'nadja', 1, '2026-01-01T00:00:00Z', 'camille')`,
    ),
  );
  const { browser } = await signIn(front, '1');
  expect((await browser.ask('GET', '/api/souhaits')).body).toMatchObject([{ titre: 'Nadja' }]);
});

test('another provider does not open accounts of the one before', async () => {
  const front = await openFront(FAMILY);
  const camille = await front.home.member('Camille');
  await bind(front, camille, '1');
  const { database } = front.home.context;
  database.write((tx) => tx.run("UPDATE CompteFournisseur SET issuer = 'https://avant.example'"));
  expect((await signIn(front, '1')).reply).toMatchObject(UNBOUND);
});

test('binding without a password wants a recent sign-in', async () => {
  const front = await openFront(FAMILY);
  const { browser } = await signIn(front, '1');
  front.home.context.database.write((tx) => tx.run('UPDATE Session SET debut = debut - 660000'));
  const body = { retour: '/', relier: true };
  const reply = await browser.ask('POST', '/api/connexion/fournisseur', body, THERE);
  expect(reply.body).toMatchObject({ code: 'CONNEXION_ANCIENNE' });
});
